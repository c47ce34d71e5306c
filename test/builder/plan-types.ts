/*
 * What the TypeScript compiler has to refuse, and what it has to let through. `npm run types` reads this file: an expected error
 * that is none is an error itself. Nothing here is run.
 */
import { defineTool, plan, type Ref, sure, type ToolTypes, text } from "../../src/index.ts";

interface Tools {
  search_contacts: {
    input: { name: string; limit?: number };
    output: { data: { email: string; name: string; age?: number }[]; total: number };
  };
  send_email: { input: { to: string; body: string; copies?: string[] }; output: { id: string } };
  anything: { input: unknown; output: unknown };
}

export function checked(): void {
  const p = plan<Tools>();
  const john = p.step("find_john", "search_contacts", { name: "John" });
  const first: Ref<string> = john.result.data[0].email;

  p.step("mail", "send_email", { to: first, body: "Hi" });
  p.step("greet", "send_email", { to: first, body: text`Dear ${john.result.data[0].name}` });
  p.step("all", "send_email", { to: first, body: "Hi", copies: john.result.data["*"].email });
  p.step("some", "send_email", { to: first, body: "Hi", copies: ["a@example.com", first] });
  p.step("asked", "send_email", { to: first, body: p.ask("body") });

  // @ts-expect-error there is no such tool
  p.step("a", "send_mail", { to: "x", body: "y" });
  // @ts-expect-error "body" is missing
  p.step("b", "send_email", { to: "x" });
  // @ts-expect-error "subject" is not an argument
  p.step("c", "send_email", { to: "x", body: "y", subject: "z" });
  // @ts-expect-error a number is no text
  p.step("d", "send_email", { to: 7, body: "y" });
  // @ts-expect-error the result has no such field
  p.step("e", "send_email", { to: john.result.data[0].mail, body: "y" });
  // @ts-expect-error "total" is a number
  p.step("f", "send_email", { to: john.result.total, body: "y" });
  // @ts-expect-error a list where one is wanted
  p.step("g", "send_email", { to: john.result.data["*"].email, body: "y" });
  // @ts-expect-error one where a list is wanted
  p.step("h", "send_email", { to: "x", body: "y", copies: john.result.data[0].email });
  // @ts-expect-error of an empty list, "first" is null
  p.step("i", "send_email", { to: john.result.data.first.email, body: "y" });
  p.step("j", "send_email", { to: sure(john.result.data.first.email), body: "y" });
  // @ts-expect-error "age" may be missing
  p.step("k", "search_contacts", { name: "x", limit: john.result.data[0].age });
  // @ts-expect-error a whole step is no value: its result is
  p.step("l", "send_email", { to: john, body: "y" });
  // @ts-expect-error what a person is asked for is text unless said otherwise
  p.step("m", "search_contacts", { name: "x", limit: p.ask("limit") });
  p.step("n", "search_contacts", { name: "x", limit: p.ask<number>("limit") });

  const free = p.step("o", "anything", { whatever: [1, { it: john.result.total }] });
  p.step("p", "send_email", { to: free.result.some.where[3], body: "y" });
}

/** Schemas that are written as literals are types, too. */
export function inferred(): void {
  const tools = {
    weather: defineTool({
      name: "weather",
      input: {
        type: "object",
        properties: { town: { type: "string" }, days: { type: "integer" }, unit: { enum: ["C", "F"] } },
        required: ["town"],
      },
      output: {
        type: "object",
        properties: { highs: { type: "array", items: { type: "number" } } },
        required: ["highs"],
      },
      run: ({ town, days, unit }) => {
        const place: string = town;
        const count: number | undefined = days;
        const letter: "C" | "F" | undefined = unit;
        // @ts-expect-error "town" is text
        const wrong: number = town;
        return { highs: [place.length, count ?? 0, letter === "C" ? 1 : 0, wrong] };
      },
    }),
    bare: defineTool({ name: "bare", run: ({ whatever }) => whatever }),
  };
  const p = plan<ToolTypes<typeof tools>>();
  const weather = p.step("w", "weather", { town: "Ulm" });
  p.step("b", "bare", { whatever: weather.result.highs[0] });
  // @ts-expect-error "town" is missing
  p.step("x", "weather", { days: 3 });
  // @ts-expect-error "K" is no unit
  p.step("y", "weather", { town: "Ulm", unit: "K" });
  // @ts-expect-error there are no lows
  p.step("z", "weather", { town: weather.result.lows });
}
