import { ownArguments } from "./arguments.ts";
import type { Command } from "./commands.ts";
import { StartCommand } from "./start-command.ts";
import type { RunState } from "./state.ts";

/**
 * The commands of a run that nobody has answered yet: what a process that takes the run over has to do. A call that was under
 * way is made again, with the same attempt and the same idempotency key; timers keep their time; questions stay open.
 */
export function outstanding(state: RunState): Command[] {
  const commands: Command[] = [];
  for (const call of state.calls.all()) {
    if (call.running) commands.push(new StartCommand(call, ownArguments(state, call)));
  }
  for (const [name, atMs] of state.timers) commands.push({ kind: "StartTimer", name, atMs });
  for (const [read, { paths }] of state.reads) commands.push({ kind: "ReadFiles", read, paths });
  return commands;
}
