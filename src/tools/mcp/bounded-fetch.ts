/* `fetch`, with a limit on each message of an answer: the whole body, or one event of a stream of events. */
type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** `drop` ends the conversation: calls whose answer is not read would wait for it for ever. */
export function boundedFetch(bytesMax: number, drop: (why: string) => void): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const isEvents = response.headers.get("content-type")?.includes("text/event-stream") === true;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(limit(bytesMax, isEvents, drop)), {
      status,
      statusText,
      headers,
    });
  };
}

function limit(
  bytesMax: number,
  isEvents: boolean,
  drop: (why: string) => void,
): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(chunk, controller) {
      length += chunk.length;
      if (length > bytesMax) {
        const message = `The answer has more than ${bytesMax} bytes (messageBytesMax).`;
        controller.error(new Error(message));
        drop(message);
        return;
      }
      // A blank line ends an event; one that two chunks share makes the count too strict by one event at most.
      if (isEvents) {
        const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
        const end = Math.max(text.lastIndexOf("\n\n"), text.lastIndexOf("\r\n\r\n"));
        if (end >= 0) length = chunk.length - end;
      }
      controller.enqueue(chunk);
    },
  });
}
