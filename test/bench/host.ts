/** The product as `npm start` starts it, in a process of its own, and its API. */

import { join } from "node:path";
import { z } from "zod";
import { launchProgram } from "./child.ts";

export interface Host extends AsyncDisposable {
  readonly pid: number;
  readonly origin: string;
  readonly token: string;
  /** Milliseconds from the start of the process until /healthz answered 200. */
  readonly readyAfter: number;
  begin(): Promise<string>;
  /** Says something in a conversation; answers the status. */
  say(conversation: string, text: string): Promise<number>;
  /** Presses a button of the console, as its API has it. */
  act(conversation: string, action: object): Promise<void>;
  /** The conversation as the API shows it. */
  read(conversation: string): Promise<unknown>;
  end(): Promise<void>;
}

const ROOT = join(import.meta.dirname, "../..");
const created = z.object({ id: z.string() });

export interface HostOptions {
  readonly data: string;
  readonly repo?: string;
  /** Where the compile cache is kept; empty: a first start. */
  readonly compileCache: string;
  /** Where its workspace is; unset: it has none. */
  readonly slack?: { readonly apiUrl: string; readonly botToken: string; readonly appToken: string };
  /** Where its community is; unset: it has none. */
  readonly discord?: { readonly apiUrl: string; readonly token: string };
  /** The model's server; unset: the demo model. */
  readonly model?: { readonly url: string; readonly apiKey: string };
  /** Folder of another Parley than this checkout: a checkout, or the staged package. */
  readonly root?: string;
  /** Further settings. */
  readonly more?: Readonly<Record<string, string>>;
}

export const startHost = async (options: HostOptions): Promise<Host> => {
  const from = performance.now();
  const { root = ROOT } = options;
  const child = launchProgram(
    join(ROOT, "bin/node.sh"),
    ["--max-old-space-size=1024", "--max-semi-space-size=16", join(root, "bin/parley.js"), "start"],
    { PATH: process.env["PATH"], ...environment(options) },
    "ignore",
  );
  const [, origin = "", token = ""] = await child.lineWith(/^console: (http:\/\/[^/]+)\/\?token=(\S+)/);
  const health = await fetch(`${origin}/healthz`);
  await health.body?.cancel();
  const readyAfter = performance.now() - from;
  if (health.status !== 200) throw new Error(`/healthz answered ${health.status}`);

  const post = async (path: string, body: object): Promise<{ status: number; json: unknown }> => {
    const response = await fetch(`${origin}/api/conversations${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: response.status, json: await response.json() };
  };

  return {
    pid: child.pid,
    origin,
    token,
    readyAfter,
    begin: async () => created.parse((await post("", {})).json).id,
    say: async (conversation, text) => (await post(`/${conversation}/messages`, { text })).status,
    act: async (conversation, action) => {
      const { status, json } = await post(`/${conversation}/actions`, action);
      if (status !== 200)
        throw new Error(`${JSON.stringify(action)} was answered ${status}: ${JSON.stringify(json)}`);
    },
    read: async (conversation) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${origin}/api/conversations/${conversation}`, { headers })).json();
    },
    end: () => child.end(),
    [Symbol.asyncDispose]: () => child.end(),
  };
};

/** Everything that a developer's own `.env` might say is said here instead. */
const environment = ({
  data,
  repo,
  compileCache,
  model,
  slack,
  discord,
  more = {},
}: HostOptions): Readonly<Record<string, string>> => ({
  HOME: data,
  PARLEY_DATA: data,
  PARLEY_PORT: "0",
  PARLEY_HOST: "127.0.0.1",
  PARLEY_LOG_LEVEL: "error",
  PARLEY_SANDBOX: "auto",
  PARLEY_MODEL: model !== undefined || (slack === undefined && discord === undefined) ? "" : "demo",
  PARLEY_REPO: repo ?? "",
  PARLEY_REPOS: slack === undefined && discord === undefined ? "" : (repo ?? ""),
  PARLEY_CONSOLE_TOKEN: "",
  SLACK_BOT_TOKEN: slack?.botToken ?? "",
  SLACK_APP_TOKEN: slack?.appToken ?? "",
  SLACK_API_URL: slack?.apiUrl ?? "",
  DISCORD_TOKEN: discord?.token ?? "",
  DISCORD_API_URL: discord?.apiUrl ?? "",
  NODE_COMPILE_CACHE: compileCache,
  ANTHROPIC_API_KEY: model?.apiKey ?? "",
  ANTHROPIC_BASE_URL: model?.url ?? "",
  ...more,
});

/** The usual bounds would hold back all but fifty-odd answers of one person. */
export const NO_BUDGETS = Object.fromEntries(
  ["STRANGER", "PERSON", "CHANNEL", "SERVER", "DAY"].map((whose) => [`PARLEY_BUDGET_${whose}`, "none"]),
);
