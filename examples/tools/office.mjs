/** Mail, contacts and a calendar that live in memory, so that the examples run anywhere. */
const text = { type: "string" };
const list = (items) => ({ type: "array", items });
const object = (properties) => ({ type: "object", properties, required: Object.keys(properties) });

const person = object({ name: text, email: text });
const mail = object({ id: text, from: person, subject: text, body: text });
const event = object({ title: text, start: text });

const sarah = { name: "Sarah", email: "sarah@example.com" };
const team = [sarah, { name: "Jonas", email: "jonas@example.com" }];

export const fetch_contacts = {
  name: "fetch_contacts",
  description: "People, by group.",
  input: object({ group: text }),
  output: object({ data: list(person) }),
  sideEffects: false,
  run: () => ({ data: team }),
};

export const fetch_emails = {
  name: "fetch_emails",
  description: "Mails of a sender.",
  input: {
    type: "object",
    properties: { sender: text, newest_first: { type: "boolean" } },
    required: ["sender"],
  },
  output: object({ data: list(mail) }),
  sideEffects: false,
  run: ({ sender }) => {
    const found = { id: "thread-7", from: sarah, subject: "Q1 report", body: "Could you look at page 3?" };
    return { data: sarah.email.startsWith(sender) || sender === sarah.email ? [found] : [] };
  },
};

export const fetch_events = {
  name: "fetch_events",
  description: "Meetings that somebody of a list attends.",
  input: object({ attendees: list(text) }),
  output: object({ data: list(event) }),
  sideEffects: false,
  run: () => ({ data: [{ title: "Planning", start: "2031-05-05T09:00:00Z" }] }),
};

export const summarize = {
  name: "summarize",
  description: "The first words of each text.",
  input: object({ texts: list(text) }),
  output: object({ text }),
  sideEffects: false,
  run: ({ texts }) => ({ text: texts.map((each) => each.split(/\s+/).slice(0, 12).join(" ")).join("; ") }),
};

export const send_email = {
  name: "send_email",
  description: "Sends a mail.",
  input: object({ to: list(text), subject: text, body: text }),
  output: object({ id: text }),
  sideEffects: true,
  run: (_, { idempotencyKey }) => ({ id: idempotencyKey }),
};

export const reply_email = {
  name: "reply_email",
  description: "Answers in a thread.",
  input: object({ thread_id: text, to: text, subject: text, body: { ...text, description: "What to say" } }),
  output: object({ id: text }),
  sideEffects: true,
  run: (_, { idempotencyKey }) => ({ id: idempotencyKey }),
};
