/** The lines of a response as they come. A line without an end is not waited for longer than `LINE_CHARS_MAX`. */
const LINE_CHARS_MAX = 1_000_000;

export async function* readLines(
  response: Response,
  brokeOff: (why: string) => Error,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  const source = response.body ?? [];
  try {
    for await (const bytes of source) {
      rest += decoder.decode(bytes as Uint8Array, { stream: true });
      const lines = rest.split(/\r\n|\r|\n/);
      rest = lines.pop() ?? "";
      if (rest.length > LINE_CHARS_MAX) throw new Error("a line of it has no end");
      yield* lines;
    }
  } catch (error) {
    throw brokeOff(error instanceof Error ? error.message : String(error));
  }
  if (rest !== "") yield rest;
}
