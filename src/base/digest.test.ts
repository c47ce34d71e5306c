import fc from "fast-check";
import { expect, test } from "vitest";
import { digest } from "./digest.ts";

test("a digest is sixteen digits, the same for the same text, however it was put together", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(20), (text, at) => {
      expect(digest(text)).toMatch(/^[0-9a-f]{16}$/);
      expect(digest(text.slice(0, at) + text.slice(at))).toBe(digest(text));
    }),
  );
});

test("texts that are nearly the same have different digests", () => {
  const seen = new Map<string, string>();
  const note = (text: string): void => {
    expect(seen.get(digest(text)) ?? text).toBe(text);
    seen.set(digest(text), text);
  };
  for (let i = 0; i < 50_000; i++) {
    note(`{"steps":[{"tool":"find","params":{"n":${i}}}]}`);
    note("x".repeat(i % 2_000) + String(i));
  }
  expect(seen.size).toBe(100_000);
});
