/** What befalls the host in a storm, one after the other. Each leaves everything as it should work. */

import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunningHost } from "../../app/cli/host.ts";
import type { Town } from "./town.ts";

export interface Stage {
  readonly town: Town;
  host(): RunningHost;
  /** Ends the host so, and starts another. */
  again(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
  readonly data: string;
  /** The data directory is on a file system of its own, which may be filled. */
  readonly mayFill: boolean;
}

export const TROUBLES: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  kill: ({ again }) => again("SIGKILL"),

  "loss of all sockets": async ({ town }) => {
    const isOver = spoil(town, "reset");
    for (const socket of [...town.slack.sockets.open, ...town.discord.gateway.open]) socket.cut();
    await sleep(3_000);
    isOver();
  },

  freeze: async ({ host }) => {
    host().process.kill("SIGSTOP");
    await sleep(5_000);
    host().process.kill("SIGCONT");
  },

  "a silent model": async ({ town }) => {
    let isSilent = true;
    town.model.fault(
      { kind: "silence", everyMs: 500 },
      { times: Number.POSITIVE_INFINITY, match: () => isSilent },
    );
    await sleep(5_000);
    isSilent = false;
    town.stopAll();
  },

  end: ({ again }) => again("SIGTERM"),

  outage: async ({ town }) => {
    const isOver = spoil(town, "503");
    await sleep(4_000);
    isOver();
  },

  /** WS1: from now on, as Slack does with some content. The words come, and the file is dropped. */
  "uploads that never work": async ({ town }) => {
    town.slack.fault(
      { kind: "error", error: "internal_error" },
      { times: Number.POSITIVE_INFINITY, match: { method: "files.completeUploadExternal" } },
    );
    await sleep(2_000);
  },

  /** WD5: Discord starts no thread while somebody asks. */
  "threads that cannot be started": async ({ town }) => {
    let isOver = false;
    town.discord.fault(
      { kind: "error", status: 400, code: 160_006, message: "Maximum number of active threads reached" },
      {
        times: Number.POSITIVE_INFINITY,
        match: ({ route }) => !isOver && route.startsWith("POST ") && route.endsWith("/threads"),
      },
    );
    town.begin(1);
    await sleep(2_000);
    isOver = true;
    town.changePermissions();
  },

  /** One call of four, as while rights and tokens are exchanged. */
  "401 and 403": async ({ town }) => {
    let isOver = false;
    let calls = 0;
    const times = { times: Number.POSITIVE_INFINITY };
    const isEvery = (fourth: number) => (): boolean => !isOver && calls++ % 4 === fourth;
    for (const [fourth, status] of [401, 403].entries()) {
      town.slack.fault({ kind: "status", status }, { ...times, match: isEvery(fourth) });
      const code = status === 403 ? 50_001 : 0;
      town.discord.fault(
        { kind: "error", status, code, message: "Missing Access" },
        { ...times, match: isEvery(fourth) },
      );
    }
    await sleep(2_000);
    isOver = true;
    town.changePermissions();
  },

  "archived and locked threads": async ({ town }) => {
    town.shut(true);
    await sleep(2_000);
    town.shut(false);
  },

  "full budgets": async ({ town }) => {
    let isOver = false;
    const given = { times: Number.POSITIVE_INFINITY, match: () => !isOver };
    town.slack.fault({ kind: "status", status: 429, retryAfter: "2" }, given);
    town.discord.fault({ kind: "limited", retryAfter: 2, scope: "user" }, given);
    await sleep(4_000);
    isOver = true;
  },

  "a full disk": async ({ data, mayFill }) => {
    if (!mayFill) return;
    const ballast = join(data, "ballast");
    fill(ballast);
    await sleep(4_000);
    rmSync(ballast);
  },
};

/** Every call of both platforms, until what it answers is called. Of resets every second call was carried out. */
const spoil = ({ slack, discord }: Town, how: "reset" | "503"): (() => void) => {
  let isOver = false;
  let calls = 0;
  const times = { times: Number.POSITIVE_INFINITY };
  for (const applied of [true, false]) {
    const match = (): boolean => !isOver && (applied ? calls++ % 2 === 0 : true);
    const fault =
      how === "503"
        ? ({ kind: "status", status: 503, body: "html" } as const)
        : ({ kind: "cut", applied, how: "reset" } as const);
    slack.fault(fault, { ...times, match });
    discord.fault(fault, { ...times, match });
  }
  return () => {
    isOver = true;
  };
};

/** Takes every byte that is left. */
const fill = (path: string): void => {
  const file = openSync(path, "w");
  for (const size of [1 << 20, 1 << 12, 1]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    }
  }
  closeSync(file);
};
