/** What befalls the host in a storm, one after the other. Each leaves everything as it should work. */

import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunningHost } from "../../cli/host.ts";
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
