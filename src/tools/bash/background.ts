/** Background commands end after 24 hours, by `kill`, or when the conversation is stopped or restricted (BASH-003, D27). */
import { randomUUID } from "node:crypto";
import { posix } from "node:path";
import type { BackgroundHandle, Probe, RunRequest, RunResult, Sandbox } from "../../../sandbox/types.ts";
import type { ConversationId } from "../../machine/id.ts";
import type { Log } from "../../ports/host.ts";
import type { ToolOutcome } from "../../ports/tools.ts";
import { attemptGit } from "../../workspace/run/git-trouble.ts";
import { overrunText } from "../../workspace/checkout/overrun.ts";
import { sandboxPathOf } from "../../workspace/disk/layout.ts";
import type { CallPlace } from "../resolve-execution.ts";
import { failure, success, type ToolCall } from "../tool.ts";
import { KEEP } from "./output.ts";
import type { Outputs } from "./outputs.ts";

const MAX_LIVE = 8;

const DAY_MS = 24 * 60 * 60_000;

export interface Background {
  start(argv: readonly string[], place: CallPlace, call: ToolCall): Promise<ToolOutcome>;
  /** Returns true if the command was only a `kill` of live background commands, which are then stopped. */
  kill(id: ConversationId, command: string): boolean;
  stopAll(id: ConversationId): Promise<void>;
}

export const createBackground = (
  sandbox: Pick<Sandbox, "start" | "probe">,
  outputs: Outputs,
  log: Pick<Log, "info">,
): Background => {
  const live = new Map<ConversationId, Map<number, BackgroundHandle>>();

  const remember = (id: ConversationId, handle: BackgroundHandle, onReached: ToolCall["onReached"]): void => {
    const handles = live.get(id) ?? new Map<number, BackgroundHandle>();
    live.set(id, handles.set(handle.id, handle));
    void forget(id, handle, handles, onReached);
  };

  const forget = async (
    id: ConversationId,
    handle: BackgroundHandle,
    handles: Map<number, BackgroundHandle>,
    onReached: ToolCall["onReached"],
  ): Promise<void> => {
    const result = await handle.done;
    handles.delete(handle.id);
    if (handles.size === 0) live.delete(id);
    const reached = result.kind === "failed" ? [] : (result.destinations ?? []);
    // The call has ended and its trace line is written, so the accesses get a separate line.
    if (reached.length > 0) onReached?.(reached);
    for (const { host, port, allowed } of reached)
      log.info("tools: network requested by a background command", {
        conversation: id,
        command: handle.id,
        host,
        port,
        allowed,
      });
  };

  /** The handle's `done` waits until the output file is complete. */
  const startKept = async (
    request: RunRequest,
    directory: string,
    name: string,
  ): ReturnType<Sandbox["start"]> => {
    const broken = new AbortController();
    const opened = await attemptGit(() => outputs.open(directory, name, (why) => broken.abort(why)));
    if (opened.kind !== "done") return { kind: "failed", reason: "its output file could not be made" };
    const file = opened.value;
    const end = (how: string): Promise<void> => file.end(`\n[background process ${how}]\n`);
    const started = await sandbox.start({ ...request, onOutput: file.write });
    if ("kind" in started) {
      await end(`failed: ${started.reason}`);
      return started;
    }
    broken.signal.addEventListener("abort", started.stop);
    if (broken.signal.aborted) started.stop();
    const done = started.done.then(async (result) => {
      await end(broken.signal.aborted ? `failed: ${String(broken.signal.reason)}` : endingOf(result));
      return result;
    });
    return { ...started, done };
  };

  return {
    start: async (argv, place, { conversation, signal, onReached }) => {
      if ((live.get(conversation.id)?.size ?? 0) >= MAX_LIVE) return failure(TOO_MANY);
      const name = `background-${randomUUID().slice(0, 8)}.log`;
      const home = writableHome(place, sandbox.probe);
      const outputFile = posix.join(home ?? place.outputs.seen, name);
      const request = { policy: place.policy, argv, env: place.env, timeoutMs: DAY_MS, keep: KEEP };
      const handle =
        home === null
          ? await startKept(request, place.outputs.directory, name)
          : await sandbox.start({ ...request, outputFile });
      if ("kind" in handle) return failure(`Failed to spawn process: ${handle.reason}`);
      if (signal.aborted) {
        handle.stop();
        await handle.done;
        return failure("[command cancelled]");
      }
      remember(conversation.id, handle, onReached);
      const { id } = handle;
      return {
        ...success(
          `<pid>${id}</pid>\n<output_file>${outputFile}</output_file>\n<reminder>To stop: kill -9 -${id}</reminder>`,
        ),
        background: true,
      };
    },
    kill: (id, command) => {
      const handles = live.get(id);
      const targets = killTargets(command).map((target) => handles?.get(target));
      if (targets.length === 0 || targets.includes(undefined)) return false;
      for (const handle of targets) handle?.stop();
      return true;
    },
    stopAll: async (id) => {
      const handles = [...(live.get(id)?.values() ?? [])];
      for (const handle of handles) handle.stop();
      await Promise.all(handles.map((handle) => handle.done));
    },
  };
};

const endingOf = (result: RunResult): string => {
  switch (result.kind) {
    case "exited":
      return result.code === 0 ? "completed" : `failed: exit code ${result.code}`;
    case "signalled":
      return `failed: ${result.overran === undefined ? `signal ${result.signal}` : overrunText(result.overran)}`;
    case "timedOut":
      return "failed: timed out";
    case "killed":
      return "failed: stopped";
    case "failed":
      return `failed: ${result.reason}`;
  }
};

const TOO_MANY = `There are ${MAX_LIVE} background commands already. Stop one first: kill -9 -PID`;

/** Null in Restricted, which has no lasting writable place. */
const writableHome = ({ policy, home }: CallPlace, probe: Pick<Probe, "mounts">): string | null =>
  policy.mounts.some((mount) => mount.write && isWithin(sandboxPathOf({ probe }, mount), home)) ? home : null;

const isWithin = (directory: string, path: string): boolean =>
  path === directory || path.startsWith(`${directory}/`);

/** A later command runs in a separate process namespace, so the host stops the background command instead of the shell. */
export const killTargets = (command: string): readonly number[] => {
  const trimmed = command.trim();
  const words = (trimmed.endsWith(";") ? trimmed.slice(0, -1).trimEnd() : trimmed).split(/\s+/);
  if (words[0] !== "kill") return [];
  let at = 1;
  if (words[at] === "-s" && SIGNALS.has(words[at + 1] ?? "")) at += 2;
  else if (words[at]?.startsWith("-") === true && SIGNALS.has(words[at]?.slice(1) ?? "")) at += 1;
  if (words[at] === "--") at += 1;
  const targets = words.slice(at);
  return targets.every((target) => /^-?\d+$/.test(target))
    ? targets.map((target) => Math.abs(Number(target)))
    : [];
};

const SIGNALS: ReadonlySet<string> = new Set(["9", "15", "KILL", "TERM", "SIGKILL", "SIGTERM"]);
