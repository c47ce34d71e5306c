import type { StartStep } from "../../core/commands.ts";
import type { RunEvent } from "../../core/events.ts";
import type { Host } from "../run-loop.ts";

const ANSWERS: ReadonlySet<string> = new Set(["StepSucceeded", "StepFailed", "StepSuspended"]);

/** Calls a tool; gives everything that it emitted, and its answer last. Without an answer where it was called off. */
export function callStep(host: Host, command: StartStep, calledOff?: AbortSignal): Promise<RunEvent[]> {
  return new Promise((resolve) => {
    const events: RunEvent[] = [];
    const callOff = (): void => {
      host.abort(command.call, "Nobody waits for this call any more.");
      resolve([]);
    };
    if (calledOff?.aborted === true) {
      resolve([]);
      return;
    }
    calledOff?.addEventListener("abort", callOff, { once: true });
    const offer = (event: RunEvent): void => {
      events.push(event);
      if (!ANSWERS.has(event.kind)) return;
      calledOff?.removeEventListener("abort", callOff);
      resolve(events);
    };
    host.start(command, { offer });
  });
}
