/* The plans of `examples/`, each loaded when it is asked for. */
const files = import.meta.glob<string>(["../../../examples/*.json", "../../../examples/scenarios/*.json"], {
  query: "?raw",
  import: "default",
});

export interface Example {
  readonly name: string;
  readonly language: string;
  readonly load: () => Promise<string>;
}

const SCENARIO = /\/scenarios\/(.+)\.(?:(steps|actions)\.plan|agent)\.json$/;
const PLAN = /\/([^/]+)\.(plan|agent|workflow)\.json$/;

export const examples: readonly Example[] = Object.entries(files).flatMap(([path, load]): Example[] => {
  const scenario = SCENARIO.exec(path);
  if (scenario !== null) {
    return [{ name: `${scenario[1]?.replaceAll("-", " ")}`, language: scenario[2] ?? "agent", load }];
  }
  const plan = PLAN.exec(path);
  if (plan === null) return [];
  return [{ name: `${plan[1]?.replaceAll("-", " ")}`, language: plan[2] ?? "plan", load }];
});
