/* The files that `sequitur init` writes: a project that runs at once and shows what can be changed. */

const TOOLS = `/*
 * Tools are functions. What a tool takes and gives is said with JSON Schema, so that plans are checked before they run.
 * A second parameter has what a tool may need of its run: signal, attempt, idempotencyKey, emit, log.
 */
const text = { type: "string" };
const number = { type: "number" };
const object = (properties) => ({ type: "object", properties, required: Object.keys(properties) });
const listOf = (items) => ({ type: "array", items });

const reading = object({ city: text, celsius: number });

export const list_readings = {
  name: "list_readings",
  description: "Temperatures of the morning.",
  input: object({}),
  output: object({ readings: listOf(reading) }),
  run: () => ({
    readings: [
      { city: "Oslo", celsius: -4 },
      { city: "Lagos", celsius: 29 },
      { city: "Lima", celsius: 18.5 },
    ],
  }),
};

export const average = {
  name: "average",
  description: "The mean of some numbers.",
  input: object({ values: listOf(number) }),
  output: object({ mean: number }),
  run: ({ values }) => {
    if (values.length === 0) throw new Error("There is no average of nothing.");
    return { mean: Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 10) / 10 };
  },
};

export const write_note = {
  name: "write_note",
  description: "A sentence about the weather.",
  input: object({ cities: listOf(text), mean: number }),
  output: object({ note: text }),
  run: ({ cities, mean }) => ({ note: \`\${cities.join(", ")}: \${mean} degrees on average.\` }),
};
`;

const PLAN = [
  { id: "morning", intent: "See how warm it is", tool: "list_readings" },
  {
    id: "mean",
    intent: "Work out the average",
    tool: "average",
    arguments: { values: "{{morning.result.readings[*].celsius}}" },
  },
  {
    id: "note",
    intent: "Write it down",
    tool: "write_note",
    arguments: { cities: "{{morning.result.readings[*].city}}", mean: "{{mean.result.mean}}" },
  },
];

const TESTS = [
  {
    name: "averages what was read",
    plan: "weather.plan.json",
    tools: {
      list_readings: {
        returns: {
          readings: [
            { city: "Here", celsius: 10 },
            { city: "There", celsius: 20 },
          ],
        },
      },
    },
    expect: {
      status: "completed",
      steps: { note: { result: { note: "Here, There: 15 degrees on average." } } },
    },
  },
  {
    name: "fails where there is nothing to average",
    plan: "weather.plan.json",
    tools: { list_readings: { returns: { readings: [] } } },
    expect: { status: "failed", steps: { mean: { status: "failed" }, note: { status: "blocked" } } },
  },
];

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export const INIT_PLAN = "weather.plan.json";

/** Names and contents, in the order in which they are shown. */
export const INIT_FILES: readonly { readonly name: string; readonly text: string; readonly about: string }[] =
  [
    { name: INIT_PLAN, text: json(PLAN), about: "a plan: three steps that use each other's results" },
    { name: "tools.mjs", text: TOOLS, about: "its tools" },
    { name: "weather.test.json", text: json(TESTS), about: "two tests of the plan, with a canned tool" },
    { name: "sequitur.config.json", text: json({ tools: ["tools.mjs"] }), about: "where the tools are" },
  ];
