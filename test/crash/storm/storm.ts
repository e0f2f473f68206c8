/** One storm, in a process of its own; where one can be mounted, on a small file system that it may fill. */

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { z } from "zod";

const told = z.object({
  said: z.int(),
  answered: z.int(),
  refused: z.int(),
  /** Neither answered, nor refused with a word, nor of a turn that was stopped or interrupted in front of everybody. */
  lost: z.array(z.string()),
  doubled: z.array(z.int()),
  /** Messages that still grow when all is settled. */
  streams: z.array(z.string()),
  /** Messages that ask for a decision when no question waits. */
  cards: z.array(z.string()),
  stopped: z.int(),
  /** By an end of the host; somebody said the next thing rather than press *Try again*. */
  interrupted: z.int(),
  clicks: z.object({
    made: z.int(),
    taken: z.int(),
    strangers: z.int(),
    /** Questions that somebody answered. */
    decided: z.int(),
    byStranger: z.int(),
    /** Questions that still wait although somebody pressed. */
    unanswered: z.int(),
  }),
  /** Milliseconds until each new process was up. */
  starts: z.array(z.number()),
  troubles: z.array(z.string()),
  /** Milliseconds from the last trouble and the last word until everything was. */
  settledAfter: z.number(),
  /** Nothing lost or doubled, no stream open, no card without a question, all settled within a minute, and no rule of a platform broken. */
  isClean: z.boolean(),
  violations: z.array(z.string()),
});

export type Stormed = z.infer<typeof told>;

const MAIN = new URL("./main.ts", import.meta.url).pathname;
const MOUNT = 'mount -t tmpfs -o size=160m,mode=0700 tmpfs "$0" && exec "$@"';

export const storm = async (seconds: number, only = ""): Promise<Stormed> => {
  const disk = mkdtempSync(join(tmpdir(), "parley-storm-"));
  const mounted = ["-m", "sh", "-c", MOUNT, disk];
  const mayMount = spawnSync("unshare", [...mounted, "true"]).status === 0;
  const args = [MAIN, String(seconds), only, ...(mayMount ? [disk] : [])];
  const child = mayMount
    ? spawn("unshare", [...mounted, process.execPath, ...args], { stdio: ["ignore", "pipe", "inherit"] })
    : spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [out] = await Promise.all([text(child.stdout), once(child, "exit")]);
    return told.parse(JSON.parse(out));
  } finally {
    rmdirSync(disk);
  }
};
