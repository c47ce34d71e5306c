import type { EngineOptions } from "../index.ts";
import { UsageError } from "./command.ts";
import type { OptionSpec, Parsed } from "./options.ts";

export const RESTATE: OptionSpec = {
  name: "restate",
  kind: "value",
  value: "URL",
  about: "runs are carried out by the workers of this Restate server (docs/scale-out.md)",
};

/** Nothing where runs are carried out by this process. */
export async function clusterOptions(parsed: Parsed): Promise<Pick<EngineOptions, "cluster">> {
  const url = restateUrl(parsed, "restate");
  if (url === undefined) return {};
  const { restateCluster } = await loadRestate();
  return { cluster: restateCluster({ url }) };
}

export function restateUrl(parsed: Parsed, option: string): string | undefined {
  const url = parsed.value(option);
  if (url === undefined) return undefined;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new UsageError(`--${option} is an address such as http://127.0.0.1:8080, not "${url}".`);
}

/** Restate's packages are installed by those who use them. */
export async function loadRestate(): Promise<typeof import("../restate.ts")> {
  return import("../restate.ts").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ERR_MODULE_NOT_FOUND" || !error.message.includes("@restatedev")) throw error;
    throw new UsageError(
      "Restate's packages are not installed: npm install @restatedev/restate-sdk @restatedev/restate-sdk-clients",
    );
  });
}
