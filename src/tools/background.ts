/**
 * Background commands (BASH-003, D27): they outlive their call, write to a file that later commands can read, and
 * end by themselves, after 24 hours, by `kill`, or when the conversation is stopped or tightened.
 */
import { randomUUID } from "node:crypto";
import { posix } from "node:path";
import type { BackgroundHandle, Probe, Sandbox } from "../../sandbox/types.ts";
import type { ConversationId } from "../core/id.ts";
import type { Log } from "../runtime/ports.ts";
import type { ToolOutcome } from "../runtime/ports-tools.ts";
import { KEEP } from "./output.ts";
import type { Place } from "./place.ts";
import { failure, success, type ToolCall } from "./tool.ts";

/** Background commands of one conversation at a time. */
const MAX_LIVE = 8;

const DAY_MS = 24 * 60 * 60_000;

export interface Background {
  start(argv: readonly string[], place: Place, call: ToolCall): Promise<ToolOutcome>;
  /** True if the command was nothing but a `kill` of live background commands, which have then been stopped. */
  kill(id: ConversationId, command: string): boolean;
  /** Stops all of the conversation's, and waits until they are gone. */
  stopAll(id: ConversationId): Promise<void>;
}

export const createBackground = (
  sandbox: Pick<Sandbox, "start" | "probe">,
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
    // The call is long over and its line in the trace written: this is one of its own.
    if (reached.length > 0) onReached?.(reached);
    for (const { host, port, allowed } of reached)
      log.info("a background command asked for the network", {
        conversation: id,
        command: handle.id,
        host,
        port,
        allowed,
      });
  };

  return {
    start: async (argv, place, { conversation, signal, onReached }) => {
      const directory = writableHome(place, sandbox.probe);
      if (directory === null) return failure(NOT_HERE);
      if ((live.get(conversation.id)?.size ?? 0) >= MAX_LIVE) return failure(TOO_MANY);
      const outputFile = posix.join(directory, `background-${randomUUID().slice(0, 8)}.log`);
      const handle = await sandbox.start({
        policy: place.policy,
        argv,
        env: place.env,
        timeoutMs: DAY_MS,
        keep: KEEP,
        outputFile,
      });
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

const NOT_HERE =
  "Background commands are not available in Restricted mode: there is no place that their output could be written to. Use mode slow (15 minutes), or request_mode_upgrade if the work needs a background command.";

const TOO_MANY = `There are ${MAX_LIVE} background commands already. Stop one first: kill -9 -PID`;

/** The home, if commands may write there; in Restricted they may not write anywhere that lasts. */
const writableHome = ({ policy, home }: Place, probe: Pick<Probe, "mounts">): string | null =>
  policy.mounts.some((mount) => mount.write && isWithin(probe.mounts ? mount.target : mount.source, home))
    ? home
    : null;

const isWithin = (directory: string, path: string): boolean =>
  path === directory || path.startsWith(`${directory}/`);

const KILL =
  /^\s*kill(?:\s+(?:-(?:9|15|KILL|TERM|SIGKILL|SIGTERM)|-s\s+(?:9|15|KILL|TERM|SIGKILL|SIGTERM)))?(?:\s+--)?((?:\s+-?\d+)+)\s*;?\s*$/;

/**
 * Ids that a plain `kill` names. A later command runs in a process namespace of its own, where it cannot see the
 * background command; the host stops it in the shell's place.
 */
const killTargets = (command: string): readonly number[] => {
  const targets = KILL.exec(command)?.[1]?.trim().split(/\s+/) ?? [];
  return targets.map((target) => Math.abs(Number(target)));
};
