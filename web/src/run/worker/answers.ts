/* What the page asks about the run at the event that is shown. */
import type { Json } from "../../../../src/compiler.ts";
import { ask } from "../../data/graphql.ts";
import { cutText, pathsWith, shown, textOf, valueAt } from "../../json/shown.ts";
import type {
  Answers,
  ContextRow,
  ItemRow,
  NamedValue,
  Question,
  StepDetail,
  ValueName,
} from "./messages.ts";
import type { RunEvent } from "./run-event.ts";
import type { RunHistory } from "./run-history.ts";
import { isSettled, type StepModel } from "./run-model.ts";
import { timelineOf } from "./timeline.ts";

const SAID_MAX = 200;
const SAID_LENGTH_MAX = 2_000;
const ATTEMPTS_SHOWN_MAX = 100;

interface KeptStep {
  readonly arguments: Json;
  readonly result: Json;
}

const STEP = `query Step($id: ID!, $step: String!) { run(id: $id) { step(id: $step) { arguments result } } }`;

export class Answerer {
  readonly #runId: string;
  readonly #history: RunHistory;
  /** Steps as the server has them, by id and by when they ended: a step that has settled changes no more. */
  readonly #steps = new Map<string, KeptStep>();

  constructor(runId: string, history: RunHistory) {
    this.#runId = runId;
    this.#history = history;
  }

  async answer(question: Question): Promise<Answers[Question["kind"]]> {
    switch (question.kind) {
      case "step":
        return this.#step(question.step);
      case "items":
        return this.#items(question.step, question.status, question.from, question.count);
      case "inside":
        return this.#inside(question.step);
      case "events":
        return this.#events(question.text, question.from, question.count);
      case "timeline":
        return timelineOf(this.#history.model, this.#history.plan);
      case "context":
        return this.#context();
      case "journal":
        return new Blob(this.#history.events.map((event) => `${JSON.stringify(event)}\n`));
      case "load":
        return shown(valueAt(this.#value(question.value), question.path), question.from);
      case "search":
        return pathsWith(this.#value(question.value), question.text);
      case "text":
        return textOf(valueAt(this.#value(question.value), question.path));
    }
  }

  #value(name: ValueName): Json {
    if (name.of === "event") return this.#history.value(name.seq, name.field);
    return this.#steps.get(name.step)?.[name.field] ?? null;
  }

  #named(name: ValueName): NamedValue {
    return { name, root: shown(this.#value(name)) };
  }

  async #step(id: string): Promise<StepDetail> {
    const step = this.#history.model.steps.get(id);
    const status = step?.status ?? "pending";
    const values = step === undefined || status === "pending" ? {} : await this.#values(step);
    return {
      id,
      status,
      startedAt: step?.startedAt ?? 0,
      finishedAt: step?.finishedAt ?? 0,
      reason: step?.reason,
      error: step?.error,
      attempts: step?.attempts.slice(-ATTEMPTS_SHOWN_MAX) ?? [],
      attemptsCount: step?.attempts.length ?? 0,
      items: step?.items && { ...step.items },
      arguments: values.arguments,
      result: values.result,
      said: (step?.said ?? []).slice(-SAID_MAX).map((seq) => this.#said(seq)),
    };
  }

  /** The events have what the tool was given and gave. Of composites, fan-outs and transforms only the server knows. */
  async #values(step: StepModel): Promise<Partial<Record<"arguments" | "result", NamedValue>>> {
    const attempt = step.attempts.at(-1);
    const begun = attempt && this.#named({ of: "event", seq: attempt.startSeq, field: "arguments" });
    if (!isSettled(step.status)) return begun === undefined ? {} : { arguments: begun };
    const name = `${step.id} ${step.finishedAt}`;
    const known = this.#steps.get(name) ?? (await this.#fetch(step.id));
    if (known !== undefined) this.#steps.set(name, known);
    const ofStep = (field: "arguments" | "result"): NamedValue =>
      this.#named({ of: "step", step: name, field });
    const args = known !== undefined && known.arguments !== null ? ofStep("arguments") : begun;
    const given = args === undefined ? {} : { arguments: args };
    if (step.status !== "completed") return given;
    if (known !== undefined) return { ...given, result: ofStep("result") };
    const answered = attempt && this.#named({ of: "event", seq: attempt.endSeq, field: "result" });
    return answered === undefined ? given : { ...given, result: answered };
  }

  async #fetch(step: string): Promise<KeptStep | undefined> {
    try {
      const { run } = await ask<{ run: { step: KeptStep | null } | null }>(STEP, { id: this.#runId, step });
      return run?.step ?? undefined;
    } catch {
      // What the events say is shown instead.
      return undefined;
    }
  }

  #said(seq: number): StepDetail["said"][number] {
    const { at, kind, data } = this.#history.events[seq - 1] as RunEvent;
    const text = kind === "TextEmitted" ? String(data.text) : textOf(data.event ?? null);
    return { seq, at, text: cutText(text, SAID_LENGTH_MAX), length: text.length };
  }

  #items(step: string, status: string, from: number, count: number): Answers["items"] {
    const total = this.#history.model.steps.get(step)?.items?.total ?? 0;
    if (status === "") {
      const rows: ItemRow[] = [];
      for (let i = from; i < Math.min(total, from + count); i++) rows.push(this.#itemRow(`${step}[${i}]`));
      return { total, rows };
    }
    const found: string[] = [];
    for (let i = 0; i < total; i++) {
      const id = `${step}[${i}]`;
      if ((this.#history.model.steps.get(id)?.status ?? "pending") === status) found.push(id);
    }
    return { total: found.length, rows: found.slice(from, from + count).map((id) => this.#itemRow(id)) };
  }

  #itemRow(id: string): ItemRow {
    const step = this.#history.model.steps.get(id);
    return {
      id,
      status: step?.status ?? "pending",
      attempts: step?.attempts.length ?? 0,
      durationMs: step === undefined || step.finishedAt === 0 ? undefined : step.finishedAt - step.startedAt,
      message: step?.error?.message ?? step?.reason,
    };
  }

  /** The steps inside of a composite, or of an item that is one. */
  #inside(id: string): ItemRow[] {
    const found: ItemRow[] = [];
    for (const step of this.#history.model.steps.keys()) {
      if (!step.startsWith(`${id}.`) || /[.[]/.test(step.slice(id.length + 1))) continue;
      found.push(this.#itemRow(step));
    }
    return found;
  }

  /** Words of a kind or a step, whatever their case; all of them have to be there. */
  #events(text: string, from: number, count: number): Answers["events"] {
    const words = text
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== "");
    const { events, model } = this.#history;
    const row = ({ seq, kind, at, step }: RunEvent) => ({ seq, kind, at, step });
    if (words.length === 0)
      return { total: model.seq, rows: events.slice(from, Math.min(from + count, model.seq)).map(row) };
    const found = events.filter(({ seq, kind, step }) => {
      const here = `${kind} ${step ?? ""}`.toLowerCase();
      return seq <= model.seq && words.every((word) => here.includes(word));
    });
    return { total: found.length, rows: found.slice(from, from + count).map(row) };
  }

  #context(): ContextRow[] {
    const { events, model } = this.#history;
    const rows: ContextRow[] = [];
    const initial = events[0]?.data.context;
    for (const name of Object.keys((initial as object | undefined) ?? {})) {
      const value = {
        name: { of: "event", seq: 1, field: "context" } as const,
        root: shown(valueAt(initial as Json, [name])),
      };
      rows.push({ seq: 1, at: events[0]?.at ?? "", name, cause: "at the start", value });
    }
    for (const { seq, kind, at, data } of events) {
      if (seq > model.seq) break;
      if (kind !== "ContextChanged") continue;
      const cause = data.cause as { seq: number; kind: string } | undefined;
      const value = this.#named({ of: "event", seq, field: "value" });
      rows.push({
        seq,
        at,
        name: String(data.name),
        cause: cause === undefined ? "" : `${cause.kind}, event ${cause.seq}`,
        value,
      });
    }
    return rows;
  }
}
