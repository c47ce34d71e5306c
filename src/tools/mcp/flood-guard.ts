import type { Transport, TransportSendOptions } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, MessageExtraInfo } from "@modelcontextprotocol/sdk/types.js";

/** Messages that answer nothing, in a row. */
const IDLE_MESSAGES_MAX = 20_000;

/** A transport whose other side is given up when it talks and talks and never answers. */
export class FloodGuard implements Transport {
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #inner: Transport;
  #idle = 0;

  constructor(inner: Transport) {
    this.#inner = inner;
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => this.onerror?.(error);
    inner.onmessage = (message, extra) => this.#receive(message, extra);
  }

  #receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    if (typeof message !== "object" || message === null) return;
    if ("result" in message || "error" in message) this.#idle = 0;
    else this.#idle++;
    if (this.#idle === IDLE_MESSAGES_MAX) {
      this.onerror?.(new Error(`It sent ${IDLE_MESSAGES_MAX} messages that answer nothing.`));
      this.#inner.close().catch(() => {});
    }
    if (this.#idle < IDLE_MESSAGES_MAX) this.onmessage?.(message, extra);
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    return this.#inner.send(message, options);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }
}
