/* The MCP server: a list of tools, and calls to them. One of these for each client. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { type JsonObject, SequiturError } from "../index.ts";
import { agentTools } from "./agent-tools.ts";
import { cancelRun } from "./cancel-run.ts";
import { checkPlan } from "./check-plan.ts";
import { getRun } from "./get-run.ts";
import { listTools } from "./list-tools.ts";
import { INSTRUCTIONS } from "./plan-language.ts";
import { type Ask, CallError, type Exchange, type PlanTool, type Workplace } from "./plan-tool.ts";
import { provideInputs } from "./provide-inputs.ts";
import { runPlan } from "./run-plan.ts";

const PLAN_TOOLS: readonly PlanTool[] = [listTools, checkPlan, runPlan, getRun, provideInputs, cancelRun];
/** People take their time. */
const ASK_TIMEOUT_MS = 3_600_000;

export function planServer(workplace: Workplace, version: string): Server {
  const tools = toolTable(workplace);
  const server = new Server(
    { name: "sequitur", title: "Sequitur", version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...tools.values()].map(({ name, title, description, inputSchema, readOnly, destructive }) => ({
      name,
      title,
      description: typeof description === "string" ? description : description(workplace),
      inputSchema: inputSchema as { type: "object" },
      annotations: { title, readOnlyHint: readOnly, destructiveHint: destructive, openWorldHint: true },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
    const progressToken = params._meta?.progressToken;
    const exchange: Exchange = {
      args: (params.arguments ?? {}) as JsonObject,
      signal,
      progress: (progress, total, message) => {
        if (progressToken === undefined) return;
        const news = { progressToken, progress, total, message };
        sendNotification({ method: "notifications/progress", params: news }).catch(() => {});
      },
      ask: askOf(server, signal),
    };
    return answered(tools, params.name, exchange, workplace);
  });
  return server;
}

function toolTable({ engine }: Workplace): ReadonlyMap<string, PlanTool> {
  const names = new Set(PLAN_TOOLS.map(({ name }) => name));
  return new Map([...PLAN_TOOLS, ...agentTools(engine, names)].map((tool) => [tool.name, tool]));
}

interface Answer {
  [key: string]: unknown;
  content: { type: "text"; text: string }[];
  structuredContent?: { [key: string]: unknown };
  isError?: boolean;
}

async function answered(
  tools: ReadonlyMap<string, PlanTool>,
  name: string,
  exchange: Exchange,
  workplace: Workplace,
): Promise<Answer> {
  const tool = tools.get(name);
  if (tool === undefined)
    return failed(`There is no tool "${name}". Tools: ${[...tools.keys()].join(", ")}.`);
  try {
    const value = workplace.engine.scrub(await tool.call(exchange, workplace));
    const isWrong = value.ok === false || value.status === "failed";
    return {
      content: [{ type: "text", text: JSON.stringify(value) }],
      structuredContent: { ...value },
      ...(isWrong && { isError: true }),
    };
  } catch (error) {
    if (error instanceof CallError || error instanceof SequiturError)
      return failed(workplace.engine.scrub(error.message));
    throw error;
  }
}

function failed(message: string): Answer {
  return { content: [{ type: "text", text: message }], isError: true };
}

/** Undefined where the client cannot show a form. */
function askOf(server: Server, signal: AbortSignal): Ask | undefined {
  const { elicitation } = server.getClientCapabilities() ?? {};
  if (elicitation === undefined) return undefined;
  return async (message, schema) => {
    const requestedSchema = schema as Parameters<Server["elicitInput"]>[0] extends {
      requestedSchema: infer S;
    }
      ? S
      : never;
    // An answer that does not fit the form, or none in time, is no answer: the run goes on waiting.
    const answer = await server
      .elicitInput({ mode: "form", message, requestedSchema }, { signal, timeout: ASK_TIMEOUT_MS })
      .catch(() => undefined);
    return answer?.action === "accept" ? ((answer.content ?? {}) as JsonObject) : undefined;
  };
}
