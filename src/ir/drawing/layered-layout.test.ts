import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layOut } from "./layered-layout.ts";
import type { Sketch, SketchEdge } from "./sketch.ts";

/** Steps that only refer to earlier ones, as numbers. */
const graphs = fc
  .array(fc.array(fc.nat(1000), { maxLength: 3 }), { minLength: 1, maxLength: 25 })
  .map((wishes) => wishes.map((wish, i) => [...new Set(i === 0 ? [] : wish.map((number) => number % i))]));

function sketchOf(needs: readonly (readonly number[])[]): Sketch {
  const levelOf: number[] = [];
  for (const each of needs) levelOf.push(Math.max(-1, ...each.map((step) => levelOf[step] ?? 0)) + 1);
  const levels: number[][] = [];
  for (const [step, level] of levelOf.entries()) (levels[level] ??= []).push(step);
  const steps = needs.map((waitsFor, i) => {
    return { id: `s${i}`, calls: "x", kind: "tool", level: levelOf[i] ?? 0, waitsFor, marks: [] } as const;
  });
  const edges = needs.flatMap((each, to) => each.map((from): SketchEdge => ({ from, to, kind: "data" })));
  return { title: "", steps, edges, levels };
}

describe("the layered layout", () => {
  it("lets no two boxes touch, keeps all of them on the page, and leads every edge forwards", () => {
    fc.assert(
      fc.property(graphs, fc.integer({ min: 20, max: 200 }), (needs, height) => {
        const block = sketchOf(needs);
        const sizes = needs.map((_, i) => ({ width: 50 + (i % 7) * 20, height: height + (i % 3) * 10 }));
        const { boxes, routes, width, height: whole } = layOut(block, sizes);
        for (const [i, a] of boxes.entries()) {
          expect(a.x).toBeGreaterThanOrEqual(0);
          expect(a.y).toBeGreaterThanOrEqual(-0.001);
          expect(a.x + a.width).toBeLessThanOrEqual(width + 0.001);
          expect(a.y + a.height).toBeLessThanOrEqual(whole + 0.001);
          for (const b of boxes.slice(i + 1)) {
            const apart =
              a.x + a.width < b.x || b.x + b.width < a.x || a.y + a.height < b.y || b.y + b.height < a.y;
            expect(apart).toBe(true);
          }
        }
        for (const { from, to, waypoints } of routes) {
          const span = (block.steps[to]?.level ?? 0) - (block.steps[from]?.level ?? 0);
          expect(waypoints).toHaveLength(span - 1);
          const xs = waypoints.flatMap((waypoint) => [waypoint.fromX, waypoint.toX]);
          expect(xs).toEqual(xs.toSorted((a, b) => a - b));
        }
      }),
      { numRuns: 200 },
    );
  });

  it("lets no edge pass through a box", () => {
    fc.assert(
      fc.property(graphs, (needs) => {
        const block = sketchOf(needs);
        const sizes = needs.map(() => ({ width: 80, height: 40 }));
        const { boxes, routes } = layOut(block, sizes);
        for (const { waypoints } of routes) {
          for (const { fromX, toX, y } of waypoints) {
            const hit = boxes.some(
              (box) => box.x < toX && box.x + box.width > fromX && box.y < y && y < box.y + box.height,
            );
            expect(hit).toBe(false);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it("puts a chain on one line", () => {
    const { boxes } = layOut(sketchOf([[], [0], [1], [2]]), Array(4).fill({ width: 80, height: 40 }));
    expect(new Set(boxes.map((box) => box.y)).size).toBe(1);
  });
});
