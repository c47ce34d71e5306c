/* What a model sends, as it comes, and never more than a bound: a server may be broken, or not mean well. */
const LINE_CHARS_MAX = 1_000_000;
const BODY_CHARS_MAX = 20_000_000;

/** Fails with what `brokeOff` makes of the reason. */
export async function* readLines(
  response: Response,
  brokeOff: (why: string) => Error,
): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of pieces(response, brokeOff)) {
    const lines = (rest + piece).split(/\r\n|\r|\n/);
    rest = lines.pop() ?? "";
    if (rest.length > LINE_CHARS_MAX) throw brokeOff("one of its lines has no end");
    yield* lines;
  }
  if (rest !== "") yield rest;
}

export async function readAll(response: Response, brokeOff: (why: string) => Error): Promise<string> {
  let text = "";
  for await (const piece of pieces(response, brokeOff)) {
    text += piece;
    if (text.length > BODY_CHARS_MAX) throw brokeOff(`it has more than ${BODY_CHARS_MAX} characters`);
  }
  return text;
}

async function* pieces(response: Response, brokeOff: (why: string) => Error): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const read = await reader?.read().catch((error: unknown) => {
        throw brokeOff(error instanceof Error ? error.message.replace(/\.$/, "") : String(error));
      });
      if (read === undefined || read.done) return;
      yield decoder.decode(read.value, { stream: true });
    }
  } finally {
    // Whoever stops reading ends the connection.
    await reader?.cancel().catch(() => {});
  }
}
