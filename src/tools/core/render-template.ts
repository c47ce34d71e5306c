import type { JsonObject } from "../../base/json.ts";
import type { CoreAgent } from "./core-agent.ts";
import { fillSlots, type MissingSlot } from "./text-slots.ts";

interface Params {
  readonly template: string;
  readonly values?: JsonObject | null;
  readonly missing?: MissingSlot | null;
}

export const renderTemplate: CoreAgent = {
  name: "render_template",
  description: "Fills the slots of a text: <<name>>, <<user.email>>, <<items[0].title>>.",
  sideEffects: false,
  arguments: [
    {
      name: "template",
      type_name: "string",
      description: "The text. \\<< is the text <<. A file reference here is the file's contents.",
    },
    {
      name: "values",
      type_name: "object",
      description: "What the slots are filled with: text as it is, anything else as JSON.",
      required: false,
      default_value: {},
    },
    {
      name: "missing",
      type_name: "string",
      description: "A slot without a value: fail, empty (leave nothing), or keep (leave the slot).",
      required: false,
      default_value: "fail",
      enum: ["fail", "empty", "keep"],
    },
  ],
  responses: [{ name: "text", type_name: "string", description: "The text with its slots filled." }],
  tool:
    () =>
    ({ template, values, missing }: Params) => ({
      text: fillSlots(template, values ?? {}, missing ?? "fail"),
    }),
};
