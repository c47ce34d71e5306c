/** Documents, texts and an interviewer, all made up. */
const documents = { "minutes.txt": "We met and agreed.", "letter.scan": "picture of a letter" };

export const list_documents = {
  name: "list_documents",
  sideEffects: false,
  run: () => ({ documents: Object.keys(documents) }),
};

export const open_document = {
  name: "open_document",
  sideEffects: false,
  run: ({ document }) => ({
    kind: document.endsWith(".scan") ? "scan" : "text",
    content: documents[document] ?? "",
  }),
};

export const recognize_text = {
  name: "recognize_text",
  sideEffects: false,
  run: ({ image }) => ({ content: `text of a ${image}` }),
};

export const first_of = {
  name: "first_of",
  sideEffects: false,
  run: ({ values }) => ({ value: values.find((value) => value !== null) ?? "" }),
};

export const find_entities = {
  name: "find_entities",
  sideEffects: false,
  run: ({ texts }) => ({ entities: texts.flatMap((text) => text.match(/\b[A-Z]\w+/g) ?? []) }),
};

export const write_report = {
  name: "write_report",
  sideEffects: false,
  run: ({ title, names, summary }) => ({
    text: `${title}: ${names.length} documents. ${summary ?? ""}`.trim(),
  }),
};

export const translate = {
  name: "translate",
  sideEffects: false,
  run: ({ message, language }) => ({ text: `[${language}] ${message}`, cost: message.length / 100 }),
};

export const ask_next_question = {
  name: "ask_next_question",
  sideEffects: false,
  run: ({ transcript }, { emit }) => {
    const turns = [...(transcript ?? []), "…"];
    emit({ kind: "TextEmitted", text: turns.length < 3 ? "And what else?" : "TERMINATE" });
    return { transcript: turns };
  },
};

export const write_profile = {
  name: "write_profile",
  sideEffects: true,
  run: ({ customer_id, transcript }) => ({ profile: { customer_id, turns: transcript.length } }),
};
