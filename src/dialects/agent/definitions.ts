import { isObject, type Json, type JsonObject } from "../../base/json.ts";
import type { Block, Call } from "../../ir/program.ts";
import type { Field, Signature } from "../../ir/signature.ts";

import { editFix, syntaxDiagnostics } from "../../source/findings.ts";
import { openDocument } from "../../source/open.ts";
import { keysOf, type Place, pointerOf, rootPlace } from "../../source/place.ts";
import type { Environment } from "../environment.ts";
import { lowerConditions } from "../lower-condition.ts";
import { lowerToolCall } from "../lower-tool-call.ts";
import { expectObject, Shape } from "../shape.ts";
import { DEFINITION_FIELDS } from "./fields.ts";
import { AgentReferences } from "./references.ts";
import { lowerFields, typeOfFields } from "./schemas.ts";
import { lowerTransform } from "./transforms.ts";

/** A composite whose inside is still to be lowered. */
export interface PendingBlock {
  readonly number: number;
  readonly definition: Shape;
  readonly path: string;
  readonly signature: Signature;
}

/**
 * The definitions that a plan uses, each read once. Reading a definition gives its signature; the inside of a composite is
 * queued, so that agents which call each other, or themselves, need no special care.
 */
export class Definitions {
  readonly blocks: (Block | undefined)[] = [];
  readonly pending: PendingBlock[] = [];
  readonly #environment: Environment;
  readonly #calls = new Map<string, Call>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** The call of the agent at `path`, which an instruction names at `place`. */
  atPath(path: string, place: Place): Call {
    const known = this.#calls.get(path);
    if (known !== undefined) return known;
    const agent = agentName(path);
    const found = this.#environment.agents.find(path);
    // Not remembered: every instruction that names a missing agent is reported.
    if (found === undefined) return this.#missing(path, agent, place);
    const call = this.#open(found, path, agent, place);
    this.#calls.set(path, call);
    return call;
  }

  #missing(path: string, agent: string, place: Place): Call {
    const { agents, findings } = this.#environment;
    if (agents.complete) {
      const said = findings.suggest(path, agents.paths());
      const { near } = said;
      const pointer = pointerOf(keysOf(place));
      const fix =
        near === undefined ? undefined : editFix(`call "${near}"`, { op: "replace", pointer, value: near });
      findings.report("unknown-agent", place, said, fix);
    }
    return { kind: "unknown", agent, signature: undefined };
  }

  #open(found: JsonObject | string, path: string, agent: string, place: Place): Call {
    const { document, problems } = openDocument(found as Json | string, path);
    if (document === undefined || problems.length > 0) {
      const [first] = syntaxDiagnostics(problems, typeof found === "string" ? found : undefined, path);
      this.#environment.findings.report("invalid-schema", place, {
        what: `The agent at "${path}"`,
        why: first === undefined ? "it is not JSON" : `line ${first.line ?? 1}: ${first.message}`,
      });
      return { kind: "unknown", agent, signature: undefined };
    }
    return this.define(document.value, rootPlace(document), path, agent);
  }

  /** Reads a definition that stands at `place`. */
  define(value: Json, place: Place, path: string, agent: string): Call {
    const { findings } = this.#environment;
    const title = path === "" ? `The agent "${agent}"` : `The agent "${path}"`;
    const object = expectObject(value, place, title, findings);
    if (object === undefined) return { kind: "unknown", agent, signature: undefined };
    const shape = new Shape(object, place, title, DEFINITION_FIELDS, findings);
    shape.string("name");
    const signature = this.#signature(shape, title.replace("The", "the"));
    const isPrimitive = shape.has("system_event_endpoint");
    if (isPrimitive && shape.has("instructions")) {
      const both = ["system_event_endpoint", "instructions"];
      findings.report("conflicting-fields", place, { what: title, both });
    }
    if (!isPrimitive && !shape.has("instructions")) {
      const example = `"instructions": […], or "system_event_endpoint": "<name of a tool>"`;
      findings.report("missing-field", place, { what: title, field: "instructions", example });
    }
    return isPrimitive
      ? this.#primitive(shape, agent, signature)
      : this.#composite(shape, path, agent, signature);
  }

  #primitive(shape: Shape, agent: string, signature: Signature): Call {
    const tool = shape.requiredString("system_event_endpoint", `"system_event_endpoint": "<name of a tool>"`);
    const call = lowerToolCall(tool, shape, this.#environment, "system_event_endpoint");
    const own = call.signature ?? signature;
    return {
      kind: "tool",
      tool: tool ?? "",
      agent,
      signature: {
        ...signature,
        // What the definition does not say, the tool may say.
        input: signature.input ?? (signature.transformArguments === undefined ? own.input : undefined),
        output: signature.output ?? (signature.transformResults === undefined ? own.output : undefined),
        returns: own.returns,
        sideEffects: own.sideEffects,
        requiresConfirmation: own.requiresConfirmation,
      },
    };
  }

  #composite(definition: Shape, path: string, agent: string, signature: Signature): Call {
    const number = this.blocks.length;
    this.blocks.push(undefined);
    this.pending.push({ number, definition, path, signature });
    return { kind: "block", block: number, agent, signature };
  }

  #signature(shape: Shape, title: string): Signature {
    const { findings } = this.#environment;
    const names = declaredNames(shape);
    const references = new AgentReferences(findings, undefined, names, () => ({
      fansOut: false,
      responses: undefined,
    }));
    const conditions = (value: Json | undefined, place: Place) => {
      references.where = "required-conditions";
      return lowerConditions(value, place, references, findings);
    };
    const fields = (name: "arguments" | "responses"): Field[] | undefined =>
      lowerFields(shape, name, conditions);
    const args = fields("arguments");
    const responses = fields("responses");
    references.where = "definition-arguments";
    const transformArguments = lowerTransform(shape, "transform_arguments", references, this.#environment);
    references.where = "definition-results";
    const transformResults = lowerTransform(shape, "transform_results", references, this.#environment);
    return {
      title,
      input: typeOfFields(args),
      output: typeOfFields(responses),
      returns: undefined,
      arguments: args,
      responses,
      inputSchema: undefined,
      outputSchema: undefined,
      transformArguments,
      transformResults,
      sideEffects: undefined,
      requiresConfirmation: false,
    };
  }
}

/**
 * The names of the declared arguments, read before the declarations are checked, since these may refer to them. Undefined
 * where the declarations cannot be read.
 */
export function declaredNames(definition: Shape): ReadonlySet<string> | undefined {
  const list = definition.raw("arguments");
  if (list === undefined) return new Set();
  if (!Array.isArray(list)) return undefined;
  const names = list.filter(isObject).map((item) => item.name);
  return new Set(names.filter((name): name is string => typeof name === "string"));
}

/** `/agents/core/bedrock_text.agent` is the agent `bedrock_text`. */
function agentName(path: string): string {
  const last = path.split("/").at(-1) ?? path;
  return last.replace(/\.[^.]*$/, "") || path;
}
