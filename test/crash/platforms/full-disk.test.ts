/**
 * The real process on a file system that is really full: a small one of its own, in a mount namespace that goes with
 * it. What it cannot store it refuses clearly, what it acknowledged is there, and it goes on when there is room again.
 */

import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import * as z from "zod";
import { startHost } from "../../app/cli/host.ts";
import { sampleRepo } from "../../sample-repo.ts";
import { scratch } from "../../scratch.ts";

const MOUNT = 'mount -t tmpfs -o size=48m,mode=0700 tmpfs "$0" && exec "$@"';
const tried = spawnSync("unshare", ["-m", "sh", "-c", MOUNT, "/mnt", "true"], { encoding: "utf8" });
const refusal = tried.status === 0 ? null : (tried.stderr ?? "there is no unshare").trim();
if (refusal !== null) console.log(`skipped: no file system of its own can be mounted here: ${refusal}`);

const created = z.looseObject({ id: z.string() });
const detail = z.looseObject({
  phase: z.string(),
  posts: z.array(z.looseObject({ kind: z.string(), markdown: z.string().optional() })),
});

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

it.skipIf(refusal !== null)(
  "a full disk: a message that cannot be stored is refused, and taken under the same id when there is room",
  async () => {
    const directory = join(scratch("full"), "data");
    mkdirSync(directory);
    const repo = await sampleRepo("# Sample\n");
    const host = await startHost(directory, { PARLEY_REPO: repo }, undefined, undefined, [
      "unshare",
      "-m",
      "sh",
      "-c",
      MOUNT,
      directory,
    ]);
    try {
      const ballast = join(`/proc/${host.process.pid}/root`, directory, "ballast");
      const { id } = created.parse((await host.call("POST", "/api/conversations", {})).body);
      const path = `/api/conversations/${id}`;
      const say = (number: number) =>
        host.call("POST", `${path}/messages`, {
          id: `m${number}`,
          text: `help ${"x".repeat(MANY)}${number}`,
        });
      const saidIn = async (): Promise<readonly string[]> =>
        detail
          .parse((await host.call("GET", path)).body)
          .posts.flatMap(({ kind, markdown = "" }) => (kind === "user" ? [markdown.slice(-1)] : []));
      const rested = () =>
        vi.waitFor(async () => expect(detail.parse((await host.call("GET", path)).body).phase).toBe("idle"), {
          interval: 50,
        });

      expect((await say(0)).status).toBe(202);
      await rested();
      fill(ballast);
      // What SQLite has room for in its own files it still takes: not many such messages.
      const taken = ["0"];
      let refused = await say(1);
      for (let number = 1; refused.status === 202 && number < 9; number += 1) {
        taken.push(String(number));
        rmSync(ballast);
        await rested();
        fill(ballast);
        refused = await say(number + 1);
      }
      expect(refused).toMatchObject({
        status: 507,
        body: { error: { code: "disk_full", message: expect.stringContaining("nothing was accepted") } },
      });
      expect(await saidIn()).toEqual(taken);
      expect((await host.call("GET", "/healthz")).status).toBe(200);

      rmSync(ballast);
      expect((await say(taken.length)).status).toBe(202);
      await rested();
      expect(await saidIn()).toEqual([...taken, String(taken.length)]);
    } finally {
      await host.stop("SIGTERM");
    }
  },
);

/** Characters of a message: more than the pages that a database of this size has to spare. */
const MANY = 200_000;
