/*
 * How deep, wide and dear a query is, before it is validated or run. Linear in the size of the query: a fragment is measured
 * once, however often it is used.
 */
import { type DocumentNode, type GraphQLSchema, isObjectType, Kind, type SelectionSetNode } from "graphql";
import type { Limits } from "./limits.ts";
import { refusal } from "./refusal.ts";

interface Measure {
  readonly depth: number;
  readonly cost: number;
  readonly aliases: number;
}

const NOTHING: Measure = { depth: 0, cost: 0, aliases: 0 };

/** Fields that give lists, with the length of a page that is not asked for. */
export type PageSizes = ReadonlyMap<string, number>;

export function pageSizes(schema: GraphQLSchema): PageSizes {
  const sizes = new Map<string, number>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const { name, args } of Object.values(type.getFields())) {
      const first = args.find((arg) => arg.name === "first")?.defaultValue;
      if (typeof first === "number") sizes.set(name, first);
    }
  }
  return sizes;
}

export function refuseExpensive(document: DocumentNode, limits: Limits, sizes: PageSizes): void {
  const measuring = new Measuring(document, limits, sizes);
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const { depth, cost, aliases } = measuring.set(definition.selectionSet);
    refuse(depth, limits.queryDepthMax, "QUERY_TOO_DEEP", "The query is nested too deep");
    refuse(aliases, limits.aliasesMax, "TOO_MANY_ALIASES", "The query has too many aliases");
    refuse(cost, limits.queryCostMax, "QUERY_TOO_EXPENSIVE", "The query asks for too much at once");
  }
}

function refuse(value: number, max: number, code: string, what: string): void {
  if (value > max) throw refusal(400, code, `${what}: ${value}, and ${max} is the most.`);
}

class Measuring {
  readonly #limits: Limits;
  readonly #sizes: PageSizes;
  readonly #fragments = new Map<string, SelectionSetNode>();
  readonly #measured = new Map<string, Measure>();

  constructor(document: DocumentNode, limits: Limits, sizes: PageSizes) {
    this.#limits = limits;
    this.#sizes = sizes;
    for (const definition of document.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION)
        this.#fragments.set(definition.name.value, definition.selectionSet);
    }
  }

  set({ selections }: SelectionSetNode): Measure {
    let sum = NOTHING;
    for (const selection of selections) {
      const measure = this.#selection(selection);
      sum = {
        depth: Math.max(sum.depth, measure.depth),
        cost: sum.cost + measure.cost,
        aliases: sum.aliases + measure.aliases,
      };
    }
    return sum;
  }

  #selection(selection: SelectionSetNode["selections"][number]): Measure {
    if (selection.kind === Kind.INLINE_FRAGMENT) return this.set(selection.selectionSet);
    if (selection.kind === Kind.FRAGMENT_SPREAD) return this.#fragment(selection.name.value);
    const { name, alias, selectionSet, arguments: args } = selection;
    const inside = selectionSet === undefined ? NOTHING : this.set(selectionSet);
    const first = args?.find((arg) => arg.name.value === "first")?.value;
    const page = this.#sizes.get(name.value);
    // A variable's value is not known here: it is taken for the longest page.
    const times = page === undefined ? 1 : first === undefined ? page : this.#asked(first);
    return {
      depth: inside.depth + 1,
      cost: 1 + times * inside.cost,
      aliases: inside.aliases + (alias === undefined ? 0 : 1),
    };
  }

  #asked(value: { readonly kind: string; readonly value?: unknown }): number {
    return value.kind === Kind.INT ? Math.max(0, Number(value.value)) : this.#limits.pageMax;
  }

  /** What a circle of fragments holds is not counted; validation refuses it. */
  #fragment(name: string): Measure {
    const known = this.#measured.get(name);
    if (known !== undefined) return known;
    this.#measured.set(name, NOTHING);
    const fragment = this.#fragments.get(name);
    const measure = fragment === undefined ? NOTHING : this.set(fragment);
    this.#measured.set(name, measure);
    return measure;
  }
}
