import type { Context } from "@restatedev/restate-sdk";
import type { RunEvent } from "../../core/events.ts";
import type { Host } from "../run-loop.ts";
import { type BlobStore, pack, unpack } from "./blobs.ts";
import { callStep } from "./call-step.ts";
import { RUN_ONCE, WINDOW } from "./limits.ts";
import { Window } from "./window.ts";
import { type Packed, type StepsInput, stepName } from "./wire.ts";

/** Calls steps for a run that another worker carries out; each result is recorded as it comes. */
export async function callSteps(
  ctx: Context,
  { runId, commands }: StepsInput,
  host: Host,
  blobs: BlobStore,
): Promise<Packed> {
  const window = new Window<Packed>();
  const all: RunEvent[] = [];
  const calledOff = ctx.request().attemptCompletedSignal;
  let next = 0;
  try {
    for (let left = commands.length; left > 0; left--) {
      while (next < commands.length && next < commands.length - left + WINDOW) {
        const command = commands[next++] as StepsInput["commands"][number];
        const name = stepName(runId, command);
        const run = async (): Promise<Packed> => pack(await callStep(host, command, calledOff), blobs);
        window.add(name, ctx.run(name, run, RUN_ONCE));
      }
      const { value, failure } = await window.next();
      if (failure !== undefined) throw failure;
      if (value !== undefined) all.push(...(await unpack(value, blobs)));
    }
  } catch (error) {
    host.abortAll("The run does not need this step any more.");
    throw error;
  }
  return pack(all, blobs);
}
