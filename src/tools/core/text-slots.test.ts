import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fillSlots } from "./text-slots.ts";

const VALUES = {
  name: "Ida",
  user: { email: "ida@example.com", "full name": "Ida B.", tags: ["a", "b"] },
  items: [{ title: "One" }, { title: "Two" }],
  zero: 0,
  nothing: null,
  sly: "<<name>> {{a.result}} REF:x.y ${step[0].data}",
};

test.each([
  ["Hello <<name>>!", "Hello Ida!"],
  ["<<name>><<name>>", "IdaIda"],
  ["<< user.email >>", "ida@example.com"],
  ["<<user.full name>>", "Ida B."],
  ["<<items[1].title>>, <<items.0.title>>, <<items.length>>", "Two, One, 2"],
  ["<<items[*].title>>", '["One","Two"]'],
  ["<<user.tags>> <<zero>> <<nothing>>", '["a","b"] 0 null'],
  ["\\<<name>>", "<<name>>"],
  ["\\\\<<name>>", "\\Ida"],
  ["a \\ b > c >> d <", "a \\ b > c >> d <"],
  ["<b>{name}</b> {{name}} ${name} $1 $&", "<b>{name}</b> {{name}} ${name} $1 $&"],
  ["", ""],
])("%j is %j", (template, text) => {
  expect(fillSlots(template, VALUES, "fail")).toBe(text);
});

test("what is put in is data: its slots and references are text", () => {
  expect(fillSlots("<<sly>>|<<name>>", VALUES, "fail")).toBe(`${VALUES.sly}|Ida`);
});

describe("a slot without a value", () => {
  test("fails with what is missing, is left empty, or is kept", () => {
    expect(() => fillSlots("<<user.mail>>", VALUES, "fail")).toThrow(
      /<<user\.mail>> cannot be filled: "user" has no key "mail"/,
    );
    expect(() => fillSlots("<<nam>>", VALUES, "fail")).toThrow(/"values" has no key "nam"/);
    expect(() => fillSlots("<<name.constructor>>", VALUES, "fail")).toThrow("cannot be filled");
    expect(() => fillSlots("<<toString>>", VALUES, "fail")).toThrow("cannot be filled");
    expect(fillSlots("a<<x>>b", VALUES, "empty")).toBe("ab");
    expect(fillSlots("a<< x.y >>b", VALUES, "keep")).toBe("a<< x.y >>b");
  });

  test.each(["<<", "a <<name", "<<>>", "<<a..b>>", "<<a[x]>>", "<<a{b>>"])(
    "%j is no template",
    (template) => {
      expect(() => fillSlots(template, VALUES, "keep")).toThrow(/write "\\<<" for the text "<<"/);
    },
  );
});

test("text without the mark is never changed, and any value arrives as it is", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (around, value) => {
      const text = around.replaceAll("<<", "");
      fc.pre(!text.endsWith("\\") && !text.endsWith("<"));
      expect(fillSlots(text, {}, "fail")).toBe(text);
      expect(fillSlots(`${text}<<x>>${text}`, { x: value }, "fail")).toBe(text + value + text);
    }),
  );
});
