import type { CallCount, Explanation } from "../../../src/compiler.ts";
import "./effects.css";

type Effects = Pick<Explanation, "calls" | "sideEffects"> & {
  readonly questions: readonly { readonly name: string }[];
  readonly confirmations: readonly string[];
};

const SHOWN_MAX = 8;

/** What a plan will do to the world, in plain words, before somebody lets it. */
export function EffectsSummary({ effects }: { readonly effects: Effects }) {
  const changing = new Set(effects.sideEffects);
  const first = effects.calls.filter(({ name }) => changing.has(name));
  const others = effects.calls.filter(({ name }) => !changing.has(name));
  return (
    <div className="effects">
      {effects.calls.length === 0 && <p>Calls nothing.</p>}
      {first.length > 0 && (
        <p>
          <strong>Changes something:</strong> will call <Calls calls={first} />.
        </p>
      )}
      {others.length > 0 && (
        <p>
          {first.length > 0 ? "Will also call " : "Will call "}
          <Calls calls={others} />.
        </p>
      )}
      {effects.questions.length > 0 && (
        <p>
          Asks a person for <Names names={effects.questions.map(({ name }) => name)} />.
        </p>
      )}
      {effects.confirmations.length > 0 && (
        <p>
          Waits for a person’s yes before <Names names={effects.confirmations} />.
        </p>
      )}
    </div>
  );
}

function Calls({ calls }: { readonly calls: readonly CallCount[] }) {
  return calls.slice(0, SHOWN_MAX).map((call, i) => (
    <span key={`${call.kind} ${call.name}`}>
      {joint(i, calls.length)}
      <code>
        <bdi>{call.name}</bdi>
      </code>{" "}
      {timesOf(call)}
      {i === SHOWN_MAX - 1 && calls.length > SHOWN_MAX && ` and ${calls.length - SHOWN_MAX} more`}
    </span>
  ));
}

function Names({ names }: { readonly names: readonly string[] }) {
  return names.slice(0, SHOWN_MAX).map((name, i) => (
    <span key={name}>
      {joint(i, names.length)}
      <code>
        <bdi>{name}</bdi>
      </code>
      {i === SHOWN_MAX - 1 && names.length > SHOWN_MAX && ` and ${names.length - SHOWN_MAX} more`}
    </span>
  ));
}

function joint(i: number, count: number): string {
  if (i === 0) return "";
  return i === count - 1 ? " and " : ", ";
}

function timesOf({ callsMax, unbounded, kind }: CallCount): string {
  if (callsMax === null)
    return unbounded === "recursion" ? "as often as it calls itself" : "once for each item of a list";
  const times = callsMax === 1 ? "once" : callsMax === 2 ? "at most twice" : `at most ${callsMax} times`;
  return kind === "agent" ? `${times} (what it calls is not known here)` : times;
}
