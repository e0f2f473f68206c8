import { realpath } from "node:fs/promises";
import { constants } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { SandboxPolicy, RunResult, Sandbox } from "../../../sandbox/types.ts";
import { openSandbox } from "../open-sandbox.ts";
import { commandEnvironment } from "../../tools/resolve-execution.ts";
import { loadConfig } from "./shared/load-config.ts";

const USAGE = `usage: npm run sandbox -- --profile restricted|unrestricted --cwd DIR [--timeout S] -- CMD ARG…
       npm run sandbox -- --probe
`;
const NOT_SET_UP = 125;
const TIMED_OUT = 124;
const DEFAULT_TIMEOUT_S = 30;
const MAX_TIMEOUT_S = 24 * 60 * 60;

type Request =
  | { readonly kind: "probe" }
  | {
      readonly kind: "run";
      readonly profile: "restricted" | "unrestricted";
      readonly cwd: string;
      readonly timeoutMs: number;
      readonly argv: readonly string[];
    }
  | { readonly kind: "usage"; readonly problem: string };

/** Exit status (docs/reference.md): the command's own, 124 after a timeout, 125 if nothing ran. */
export const sandboxCommand = async (args: readonly string[]): Promise<number> => {
  const request = parseRequest(args);
  if (request.kind === "usage") return complain(`${request.problem}\n${USAGE}`);
  const config = loadConfig();
  if (config === null) return NOT_SET_UP;
  const opened = await openSandbox(config, log);
  if (opened.kind === "failed") return complain(opened.problem);
  const { sandbox } = opened;
  try {
    if (request.kind === "run") return await run(sandbox, request);
    process.stdout.write(`${JSON.stringify(sandbox.probe, null, 2)}\n`);
    return 0;
  } finally {
    await sandbox.close();
  }
};

const run = async (sandbox: Sandbox, request: Request & { readonly kind: "run" }): Promise<number> => {
  // npm runs scripts in the project's folder. INIT_CWD is the directory of the caller.
  const cwd = await realpath(resolve(process.env["INIT_CWD"] ?? ".", request.cwd)).catch(() => null);
  if (cwd === null) return complain(`working directory ${request.cwd} does not exist`);
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  const result = await sandbox.run(
    {
      policy: policyFor(request.profile, cwd),
      argv: request.argv,
      env: commandEnvironment({ home: "/tmp", extraEnv: {} }, []),
      timeoutMs: request.timeoutMs,
      keep: { head: 0, tail: 0 },
    },
    { signal: abort.signal, onOutput: (chunk) => process.stdout.write(chunk) },
  );
  process.off("SIGINT", stop);
  process.off("SIGTERM", stop);
  return exitStatus(result);
};

/** The directory has the same path inside, so that scripts may use absolute or relative paths. */
const policyFor = (profile: "restricted" | "unrestricted", cwd: string): SandboxPolicy => ({
  profile,
  network: profile === "restricted" ? "none" : "egress",
  mounts: [{ source: cwd, target: cwd, write: profile === "unrestricted" }],
  cwd,
  identity: 0,
});

const exitStatus = (result: RunResult): number => {
  switch (result.kind) {
    case "exited":
      return result.code;
    case "signalled":
      return 128 + result.signal;
    case "timedOut":
      return TIMED_OUT;
    case "killed":
      return 128 + constants.signals.SIGKILL;
    case "failed":
      return complain(result.reason);
  }
};

const parseRequest = (args: readonly string[]): Request => {
  const split = args.indexOf("--");
  const argv = split < 0 ? [] : args.slice(split + 1);
  const options = {
    profile: { type: "string" },
    cwd: { type: "string" },
    timeout: { type: "string" },
    probe: { type: "boolean" },
  } as const;
  try {
    const { values } = parseArgs({ args: args.slice(0, split < 0 ? args.length : split), options });
    if (values.probe === true) return { kind: "probe" };
    const { profile, cwd } = values;
    if (profile !== "restricted" && profile !== "unrestricted")
      return usage(`unknown profile ${profile ?? "(none)"}`);
    if (cwd === undefined) return usage("--cwd is missing");
    if (argv.length === 0) return usage("no command after --");
    const seconds = Number(values.timeout ?? DEFAULT_TIMEOUT_S);
    if (!(seconds > 0 && seconds <= MAX_TIMEOUT_S))
      return usage(`--timeout ${values.timeout} is not between 0 and ${MAX_TIMEOUT_S} seconds`);
    return { kind: "run", profile, cwd, timeoutMs: seconds * 1000, argv };
  } catch (error) {
    return usage(error instanceof Error ? error.message : String(error));
  }
};

const usage = (problem: string): Request => ({ kind: "usage", problem });

const log = (line: string): boolean => process.stderr.write(`${line}\n`);

const complain = (reason: string): number => {
  process.stderr.write(`sandbox: ${reason}\n`);
  return NOT_SET_UP;
};
