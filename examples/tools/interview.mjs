/** A scripted interviewer, so that the conversation runs anywhere. A model in its place would be called the same way. */
const text = { type: "string" };
const transcript = { type: "array", items: { type: "object", properties: { question: text, answer: text } } };
const object = (properties) => ({ type: "object", properties, required: Object.keys(properties) });

const script = [
  ["What draws you to this work?", "Things that grow."],
  ["What did you do last?", "Twelve years of apple trees."],
  ["When could you begin?", "In March."],
];

export const InterviewAgent = {
  name: "InterviewAgent",
  description: "Takes one turn: asks the next question, or says TERMINATE when it knows enough.",
  input: {
    type: "object",
    properties: { role: text, transcript: { ...transcript, type: ["array", "null"] } },
    required: ["role"],
  },
  output: object({ transcript }),
  sideEffects: false,
  run: ({ role, transcript: before }, { emit }) => {
    const said = before ?? [];
    const next = script[said.length];
    if (next === undefined) {
      emit({ kind: "TextEmitted", text: "TERMINATE" });
      return { transcript: said };
    }
    const [question, answer] = next;
    emit({
      kind: "TextEmitted",
      text: said.length === 0 ? `You would like to be our ${role}. ${question}` : question,
    });
    emit({ kind: "TextEmitted", text: answer, agent: "Candidate" });
    return { transcript: [...said, { question, answer }] };
  },
};

export const summarize_interview = {
  name: "summarize_interview",
  description: "A few lines about a conversation.",
  input: object({ role: text, transcript }),
  output: object({ summary: text }),
  sideEffects: false,
  run: ({ role, transcript: said }) => ({
    summary: `A ${role}: ${said.map(({ answer }) => answer).join(" ")}`,
  }),
};

export const book_second_round = {
  name: "book_second_round",
  description: "Invites a candidate to meet the team.",
  input: object({ summary: text }),
  output: object({ booked: { type: "boolean" } }),
  sideEffects: true,
  run: () => ({ booked: true }),
};
