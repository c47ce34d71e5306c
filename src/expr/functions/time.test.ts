import { describe, expect, it } from "vitest";
import { failureOf, resultOf } from "../fixture.ts";

describe("datetime_now", () => {
  it("is the recorded time, in UTC", () => {
    expect(resultOf("datetime_now()")).toBe("2026-02-03T04:05:06.789Z");
    expect(resultOf("datetime_now(format='date')")).toBe("2026-02-03");
    expect(resultOf("datetime_now('time')")).toBe("04:05:06");
    expect(resultOf("datetime_now('unix')")).toBe(Math.floor(Date.UTC(2026, 1, 3, 4, 5, 6) / 1000));
    expect(resultOf("datetime_now('unix_ms')")).toBe(Date.UTC(2026, 1, 3, 4, 5, 6, 789));
  });

  it("takes patterns", () => {
    expect(resultOf("datetime_now('%Y-%m-%d %H:%M:%S')")).toBe("2026-02-03 04:05:06");
    expect(resultOf("datetime_now('%d.%m.%y %I %p %j %L %f %F %T %z %Z 100%%')")).toBe(
      "03.02.26 04 AM 034 789 789000 2026-02-03 04:05:06 +0000 UTC 100%",
    );
    expect(failureOf("datetime_now('%Q')")).toContain('"%Q" is not known in "format"');
    expect(failureOf("datetime_now('%Y %')")).toContain('"%" is not known');
    expect(failureOf("datetime_now('constructor')")).toContain("iso, date, time, unix, unix_ms or a pattern");
  });
});
