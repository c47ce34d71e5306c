import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { roundDecimal } from "./round-decimal.ts";

describe("roundDecimal", () => {
  it.each([
    [1.005, 2, 1.01],
    [-1.005, 2, -1.01],
    [2.5, 0, 3],
    [-2.5, 0, -3],
    [0.49999999999999994, 0, 0],
    [-0.4, 0, 0],
    [0.05, 1, 0.1],
    [0.5, 0, 1],
    [9.99, 1, 10],
    [1234.5, -2, 1200],
    [50, -2, 100],
    [49, -2, 0],
    [5, -3, 0],
    [1e-7, 3, 0],
    [1.5e-7, 7, 2e-7],
    [1.7976931348623157e308, 2, 1.7976931348623157e308],
    [1e21, 0, 1e21],
    [0, 5, 0],
  ])("rounds %d to %d digits as %d", (value, digits, rounded) => {
    expect(roundDecimal(value, digits)).toBe(rounded);
  });

  it("changes nothing the second time, and moves by half a digit at most", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        fc.integer({ min: 0, max: 6 }),
        (value, digits) => {
          const once = roundDecimal(value, digits);
          expect(roundDecimal(once, digits)).toBe(once);
          expect(Math.abs(once - value)).toBeLessThanOrEqual(0.5 * 10 ** -digits * (1 + 1e-6) + 1e-9);
        },
      ),
    );
  });
});
