import type { Json } from "../../base/json.ts";
import { getOwn, isObject } from "../../base/json.ts";
import type { Call, ExpressionFunction } from "./function.ts";
import { ARRAY, SEPARATOR, TEXT } from "./parameters.ts";
import { asText, listOf, textOf, textOr } from "./reading.ts";

/** An element's `name` where it is an object that has one; strings as they are, anything else as JSON. */
const join: ExpressionFunction = {
  name: "join",
  parameters: [ARRAY, SEPARATOR],
  result: "string",
  run(call) {
    const array = listOf(call, "array");
    const separator = textOr(call, "separator", "");
    call.budget.step(array.length);
    call.budget.produceText(separator.length * Math.max(0, array.length - 1));
    const parts = array.map((item) => {
      const part = elementText(call, item);
      call.budget.produceText(part.length);
      return part;
    });
    return parts.join(separator);
  },
};

function elementText(call: Call, item: Json): string {
  const name = isObject(item) ? getOwn(item, "name") : undefined;
  return asText(call, name === undefined ? item : name);
}

/** Without a separator: the words between white space. With an empty one: the characters. */
const split: ExpressionFunction = {
  name: "split",
  parameters: [TEXT, SEPARATOR],
  result: "list",
  run(call) {
    const text = textOf(call, "text");
    call.budget.produceText(text.length);
    const separator = textOr(call, "separator", undefined);
    const parts = separator === "" ? Array.from(text) : text.split(separator ?? /\s+/);
    call.budget.produce(parts.length);
    return separator === undefined ? parts.filter((word) => word !== "") : parts;
  },
};

function textFunction(name: string, change: (text: string) => string): ExpressionFunction {
  const run = (call: Call): Json => {
    const text = textOf(call, "text");
    call.budget.produceText(text.length);
    return change(text);
  };
  return { name, parameters: [TEXT], result: "string", run };
}

export const textFunctions: readonly ExpressionFunction[] = [
  join,
  split,
  textFunction("lower", (text) => text.toLowerCase()),
  textFunction("upper", (text) => text.toUpperCase()),
  textFunction("trim", (text) => text.trim()),
];
