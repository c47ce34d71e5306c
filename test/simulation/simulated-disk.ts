/*
 * A disk on which only what was synced is safe, and a store on it: a log of frames, each with its number and a checksum. What a
 * crash leaves of the rest may be whole, lost, torn, garbled or there twice; a store that is opened finds out.
 */
import { crc32 } from "node:zlib";
import type { RunEvent } from "../../src/core/events.ts";
import type { Driver } from "../../src/drivers/driver.ts";
import { memoryDriver } from "../../src/drivers/memory/driver.ts";
import type { Chance } from "./chance.ts";

export class SimulatedDisk {
  bytes = Buffer.alloc(0);
  /** So many bytes have reached the disk itself. */
  synced = 0;

  write(bytes: Buffer): void {
    this.bytes = Buffer.concat([this.bytes, bytes]);
  }

  sync(): void {
    this.synced = this.bytes.length;
  }

  /** The power goes. A disk that was relaxed about syncing may have lost more than what was not synced. */
  crash(chance: Chance, isRelaxed: boolean): void {
    const kept = isRelaxed ? chance.between(firstFrame(this.bytes), this.synced) : this.synced;
    const [safe, tail] = [this.bytes.subarray(0, kept), this.bytes.subarray(kept)];
    const torn = tail.subarray(0, chance.below(tail.length + 1));
    const fates: readonly [Buffer, ...Buffer[]] = [
      Buffer.alloc(0),
      tail,
      torn,
      garbled(torn, chance),
      Buffer.concat([tail, tail]),
      lastFrame(this.bytes),
      Buffer.concat([tail, lastFrame(this.bytes)]),
    ];
    this.bytes = Buffer.concat([safe, chance.pick(fates)]);
    this.synced = this.bytes.length;
  }
}

const HEADER = 12;

function frameOf(number: number, body: string): Buffer {
  const text = Buffer.from(body);
  const header = Buffer.alloc(HEADER);
  header.writeUInt32LE(text.length, 0);
  header.writeUInt32LE(number, 4);
  header.writeUInt32LE(crc32(text, number), 8);
  return Buffer.concat([header, text]);
}

/** The frame at a place, unless it is not whole. */
function frameAt(
  bytes: Buffer,
  at: number,
): { readonly number: number; readonly body: string; readonly end: number } | undefined {
  if (at + HEADER > bytes.length) return undefined;
  const end = at + HEADER + bytes.readUInt32LE(at);
  const number = bytes.readUInt32LE(at + 4);
  const text = bytes.subarray(at + HEADER, end);
  if (end > bytes.length || crc32(text, number) !== bytes.readUInt32LE(at + 8)) return undefined;
  return { number, body: text.toString(), end };
}

/** Where the first frame ends: a run whose creation was lost was never there. */
function firstFrame(bytes: Buffer): number {
  return frameAt(bytes, 0)?.end ?? 0;
}

function lastFrame(bytes: Buffer): Buffer {
  let last = Buffer.alloc(0);
  for (
    let at = 0, frame = frameAt(bytes, at);
    frame !== undefined;
    at = frame.end, frame = frameAt(bytes, at)
  ) {
    last = Buffer.from(bytes.subarray(at, frame.end));
  }
  return last;
}

function garbled(bytes: Buffer, chance: Chance): Buffer {
  const copy = Buffer.from(bytes);
  if (copy.length > 0) {
    const at = chance.below(copy.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << chance.below(8));
  }
  return copy;
}

/** Thrown where the process dies in the middle of a commit. */
export class PowerCut extends Error {}

interface Entry {
  readonly run: string;
  readonly seq: number;
  readonly event: RunEvent;
}

export interface DiskStore {
  readonly driver: Driver;
  readonly journals: ReadonlyMap<string, RunEvent[]>;
}

/**
 * Opens what the disk holds. `cut` is asked at each commit whether the power goes now: before the sync, when nobody has been
 * told, or after it, when nobody has acted on it.
 */
export function openDisk(disk: SimulatedDisk, cut: () => "before" | "after" | undefined): DiskStore {
  const journals = new Map<string, RunEvent[]>();
  let number = 0;
  let at = 0;
  for (let frame = frameAt(disk.bytes, at); frame !== undefined; frame = frameAt(disk.bytes, at)) {
    // A frame that is there twice was written once.
    if (frame.number === number + 1) {
      for (const entry of JSON.parse(frame.body) as Entry[]) place(journals, entry);
      number++;
    } else if (frame.number > number) break;
    at = frame.end;
  }
  disk.bytes = disk.bytes.subarray(0, at);
  disk.synced = at;
  let open: Entry[] | undefined;
  let isDead = false;
  const together = (work: () => void): void => {
    if (open !== undefined) {
      work();
      return;
    }
    open = [];
    try {
      work();
      // A process that is dead does not notice that it goes on.
      if (isDead) throw new PowerCut();
      const when = cut();
      isDead = when !== undefined;
      disk.write(frameOf(number + 1, JSON.stringify(open)));
      if (when === "before") throw new PowerCut();
      disk.sync();
      number++;
      for (const entry of open) place(journals, entry);
      if (when === "after") throw new PowerCut();
    } finally {
      open = undefined;
    }
  };
  const driver: Driver = {
    ...memoryDriver(),
    name: "simulated disk",
    gathers: true,
    together,
    append: (run, after, events) =>
      together(() => open?.push(...events.map((event, i) => ({ run, seq: after + i, event })))),
    events: (run, after = 0) => (journals.get(run) ?? []).slice(after),
  };
  return { driver, journals };
}

function place(journals: Map<string, RunEvent[]>, { run, seq, event }: Entry): void {
  const journal = journals.get(run) ?? [];
  if (journal.length !== seq) throw new Error(`event ${seq} of ${run} comes after ${journal.length} events`);
  journal.push(event);
  journals.set(run, journal);
}
