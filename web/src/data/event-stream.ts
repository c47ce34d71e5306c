/* Server-sent events out of a response's body: blocks of lines, each block one event. */
export interface StreamEvent {
  readonly name: string;
  readonly data: string;
}

export async function* streamEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  // Pieces are joined once a block is whole: a long event comes in many, and joining each would cost the square.
  let pieces: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      if (!value.includes("\n")) {
        pieces.push(value);
        continue;
      }
      const text = pieces.join("") + value;
      let from = 0;
      for (let end = text.indexOf("\n\n", from); end >= 0; end = text.indexOf("\n\n", from)) {
        yield eventOf(text.slice(from, end));
        from = end + 2;
      }
      pieces = [text.slice(from)];
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}

function eventOf(block: string): StreamEvent {
  let name = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
  return { name, data: data.join("\n") };
}
