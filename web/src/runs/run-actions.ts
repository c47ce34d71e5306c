import { ask } from "../data/graphql.ts";
import { messageOf } from "../design/error-state.tsx";
import { toast } from "../design/toasts.tsx";

export function isOpen(status: string): boolean {
  return status === "running" || status === "waiting";
}

/** A run that completed has nothing left to go on with. */
export function canResume(status: string): boolean {
  return status === "failed" || status === "cancelled" || status === "partial_success";
}

export async function cancelRun(id: string): Promise<void> {
  await say("The run is cancelled.", () =>
    ask(
      `mutation Cancel($id: ID!) { cancelRun(id: $id, reason: "Cancelled in the web application.") { status } }`,
      { id },
    ),
  );
}

export async function resumeRun(id: string): Promise<void> {
  await say("The run goes on.", () =>
    ask(`mutation Resume($id: ID!) { resumeRun(id: $id) { status } }`, { id }),
  );
}

async function say(done: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
    toast(done, "completed");
  } catch (error) {
    toast(messageOf(error), "failed");
  }
}
