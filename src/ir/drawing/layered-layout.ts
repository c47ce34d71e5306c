/*
 * Places boxes in columns, one a level, in four moves:
 *   1  an edge that skips levels gets a waypoint in each level between, so that it goes around boxes and not through them
 *   2  inside its column, everything is sorted by the mean position of its neighbours, forth and back a few times
 *   3  everything moves towards the mean height of its neighbours, as far as order and distances allow
 *   4  columns are as wide as their widest box
 * All moves together are linear in boxes, waypoints and edges, up to sorting.
 */
import type { Sketch } from "./sketch.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Box extends Size {
  readonly x: number;
  readonly y: number;
}

/** An edge goes through every column between its ends at the height of its waypoint there. */
export interface Route {
  readonly from: number;
  readonly to: number;
  readonly waypoints: readonly { readonly fromX: number; readonly toX: number; readonly y: number }[];
}

export interface Layout extends Size {
  readonly boxes: readonly Box[];
  readonly routes: readonly Route[];
  readonly columns: readonly { readonly x: number; readonly width: number }[];
}

const GAP_X = 64;
const GAP_Y = 22;
const WAYPOINT_HEIGHT = 6;
/** Beyond this many waypoints nobody follows a line with their eyes any more. */
const WAYPOINTS_MAX = 50_000;
const SWEEPS = 8;

/** A box or a waypoint. */
interface Item {
  readonly height: number;
  readonly before: Item[];
  readonly after: Item[];
  order: number;
  /** The height of its middle. */
  y: number;
}

export function layOut(block: Sketch, sizes: readonly Size[]): Layout {
  const items = sizes.map((size) => newItem(size.height));
  const levels: Item[][] = block.levels.map((level) => level.map((step) => items[step] as Item));
  const trails = connect(block, items, levels);
  sortLevels(levels);
  placeLevels(levels);
  const columns = columnsOf(block, sizes);
  const top = levels.reduce((least, level) => Math.min(least, topOf(level[0])), Number.POSITIVE_INFINITY);
  const bottom = levels.reduce(
    (most, level) => Math.max(most, bottomOf(level.at(-1))),
    Number.NEGATIVE_INFINITY,
  );
  const boxes = items.map((item, i) => {
    const size = sizes[i] as Size;
    const column = columns[block.steps[i]?.level ?? 0] ?? { x: 0, width: 0 };
    return { ...size, x: column.x + (column.width - size.width) / 2, y: item.y - item.height / 2 - top };
  });
  const routes = block.edges.map(({ from, to }, i) => {
    const level = block.steps[from]?.level ?? 0;
    const waypoints = (trails[i] ?? []).map((item, k) => {
      const column = columns[level + 1 + k] ?? { x: 0, width: 0 };
      return { fromX: column.x, toX: column.x + column.width, y: item.y - top };
    });
    return { from, to, waypoints };
  });
  const last = columns.at(-1);
  if (last === undefined) return { boxes, routes, columns, width: 0, height: 0 };
  return { boxes, routes, columns, width: last.x + last.width, height: bottom - top };
}

function newItem(height: number): Item {
  return { height, before: [], after: [], order: 0, y: 0 };
}

function topOf(item: Item | undefined): number {
  return item === undefined ? 0 : item.y - item.height / 2;
}

function bottomOf(item: Item | undefined): number {
  return item === undefined ? 0 : item.y + item.height / 2;
}

/** Links boxes by way of waypoints; gives the waypoints of each edge. */
function connect(block: Sketch, items: readonly Item[], levels: Item[][]): Item[][] {
  let left = WAYPOINTS_MAX;
  return block.edges.map(({ from, to }) => {
    const first = block.steps[from]?.level ?? 0;
    const last = block.steps[to]?.level ?? 0;
    left -= last - first - 1;
    const trail: Item[] = [];
    let at = items[from] as Item;
    for (let level = first + 1; level < last && left >= 0; level++) {
      const waypoint = newItem(WAYPOINT_HEIGHT);
      levels[level]?.push(waypoint);
      trail.push(waypoint);
      link(at, waypoint);
      at = waypoint;
    }
    link(at, items[to] as Item);
    return trail;
  });
}

function link(before: Item, after: Item): void {
  before.after.push(after);
  after.before.push(before);
}

function sortLevels(levels: readonly Item[][]): void {
  for (const level of levels) number(level);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const forth = sweep % 2 === 0;
    for (const level of forth ? levels : levels.toReversed()) {
      const wanted = new Map(
        level.map((item) => [item, mean(forth ? item.before : item.after, (other) => other.order)]),
      );
      level.sort((a, b) => (wanted.get(a) ?? a.order) - (wanted.get(b) ?? b.order) || a.order - b.order);
      number(level);
    }
  }
}

/** Orders are shares of the column, so that columns of different lengths compare. */
function number(level: readonly Item[]): void {
  for (const [i, item] of level.entries()) item.order = (i + 0.5) / level.length;
}

function placeLevels(levels: readonly Item[][]): void {
  for (const level of levels) place(level, () => 0);
  for (let sweep = 0; sweep < SWEEPS * 2; sweep++) {
    const forth = sweep % 2 === 0;
    for (const level of forth ? levels : levels.toReversed()) {
      place(level, (item) => {
        // The last sweeps look both ways, so that nobody ends up at the edge of their neighbours.
        const near = sweep >= SWEEPS ? [...item.before, ...item.after] : forth ? item.before : item.after;
        return mean(near, (other) => other.y) ?? item.y;
      });
    }
  }
}

/**
 * Puts the items of a column as near to where they want to be as their order and distances allow: the least sum of
 * squares, by pooling neighbours that want to be too close.
 */
function place(level: readonly Item[], wanted: (item: Item) => number): void {
  const pools: { sum: number; count: number }[] = [];
  const offsets: number[] = [];
  let offset = 0;
  for (const [i, item] of level.entries()) {
    const before = level[i - 1];
    if (before !== undefined) offset += (before.height + item.height) / 2 + GAP_Y;
    offsets.push(offset);
    pools.push({ sum: wanted(item) - offset, count: 1 });
    for (
      let last = pools.at(-1), prior = pools.at(-2);
      last && prior;
      last = pools.at(-1), prior = pools.at(-2)
    ) {
      if (prior.sum / prior.count <= last.sum / last.count) break;
      pools.pop();
      prior.sum += last.sum;
      prior.count += last.count;
    }
  }
  let at = 0;
  for (const { sum, count } of pools) {
    for (let k = 0; k < count; k++, at++) {
      const item = level[at];
      if (item !== undefined) item.y = sum / count + (offsets[at] ?? 0);
    }
  }
}

function mean(items: readonly Item[], of: (item: Item) => number): number | undefined {
  if (items.length === 0) return undefined;
  let sum = 0;
  for (const item of items) sum += of(item);
  return sum / items.length;
}

function columnsOf(block: Sketch, sizes: readonly Size[]): { x: number; width: number }[] {
  let x = 0;
  return block.levels.map((level) => {
    const width = level.reduce((widest, step) => Math.max(widest, sizes[step]?.width ?? 0), 0);
    const column = { x, width };
    x += width + GAP_X;
    return column;
  });
}
