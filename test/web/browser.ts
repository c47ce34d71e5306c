/* A real browser, in front of a real server with a real database. */
import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { folderWith } from "../run-cli.ts";
import { type ServerProcess, startProcess } from "../server/server-process.ts";

const USUAL = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const PATH = [process.env.CHROMIUM_PATH, ...USUAL].find((path) => path !== undefined && existsSync(path));

/** Where there is no browser the tests are skipped, unless somebody relies on them. */
export const hasBrowser = PATH !== undefined || process.env.REQUIRE_BROWSER === "1";
if (!hasBrowser) {
  process.stdout.write(
    "No Chromium was found: browser tests are skipped. Set CHROMIUM_PATH, or install chromium.\n",
  );
}

export const BROWSER_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export async function openBrowser(): Promise<Browser> {
  if (PATH === undefined)
    throw new Error("No Chromium was found. Set CHROMIUM_PATH, or install the package chromium.");
  return chromium.launch({ executablePath: PATH, headless: true, args: BROWSER_FLAGS });
}

/** A folder with a store, a module of tools and agents, in which servers are started, killed and started again. */
export class Stage {
  readonly folder: string;
  #server: ServerProcess | undefined;

  constructor(tools: string, files: Readonly<Record<string, unknown>> = {}) {
    this.folder = folderWith({ "tools.mjs": tools, ...files });
  }

  /** `port` is the one that an earlier server had, so that an open page finds the next one. */
  async start(port = "0", args: readonly string[] = []): Promise<ServerProcess> {
    const agents = existsSync(`${this.folder}/agents`) ? ["--agents", "agents"] : [];
    this.#server = await startProcess(this.folder, [
      "--tools",
      "tools.mjs",
      ...agents,
      "--port",
      port,
      ...args,
    ]);
    return this.#server;
  }

  get server(): ServerProcess {
    if (this.#server === undefined) throw new Error("No server has been started.");
    return this.#server;
  }

  /** As a power cut would. */
  async kill(): Promise<void> {
    this.server.child.kill("SIGKILL");
    await this.server.ended;
  }

  async stop(): Promise<void> {
    if (this.#server === undefined) return;
    this.server.child.kill("SIGKILL");
    await this.server.ended;
  }

  /** Starts a run over the API; gives its id. */
  async run(source: unknown, more: Record<string, unknown> = {}): Promise<string> {
    const { data, errors } = await this.server.ask(
      "mutation Start($source: JSON, $inputs: JSON) { startRun(source: $source, inputs: $inputs) { id } }",
      { source, ...more } as never,
    );
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    return data.startRun.id;
  }

  /** Waits until the run has a status. */
  async until(id: string, status: string): Promise<void> {
    for (;;) {
      const { data } = await this.server.ask("query S($id: ID!) { run(id: $id) { status } }", { id });
      if (data.run.status === status) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** A page that has entered with the server's token, as a person does who opens the printed address. */
export async function enter(
  browser: Browser,
  server: ServerProcess,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<{ readonly page: Page; readonly context: BrowserContext; readonly problems: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  // Whatever goes wrong in the page, or against its policy, is a failure of the test that looks at it.
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    const text = message.text();
    const isNetwork = text.startsWith("Failed to load resource");
    if (message.type() === "error" && !isNetwork) problems.push(text);
  });
  await page.goto(`${server.url}?token=${server.token}`);
  await page.getByRole("heading", { name: "Runs" }).waitFor();
  return { page, context, problems };
}
