/** Every command that the pages tell people to type is typed here, in a clone, beside one started host. */

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { root } from "../app/cli/host.ts";
import { sampleRepo } from "../sample-repo.ts";
import { scratch } from "../scratch.ts";
import { elsewhere } from "./elsewhere.ts";
import { type Place, type Run, runs, starts } from "./runs.ts";

const isClone = existsSync(join(root, ".git"));
if (!isClone) console.log("skipped: the pages are followed in a clone, and this is none");
for (const { told, by, why } of elsewhere)
  if (by === null) console.log(`not run here: ${told.join(", ")}: ${why}`);

const out = scratch("docs");
const clone = join(out, "parley");
const TOKENS = {
  PARLEY_CONSOLE_TOKEN: "console-token-of-docs",
  PARLEY_GATEWAY_TOKEN: "gateway-token-of-docs",
};

const env = (more: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"]}`,
  HOME: out,
  LC_ALL: "C.UTF-8",
  PARLEY_DATA: join(out, "data"),
  PARLEY_LOG_LEVEL: "warn",
  ...TOKENS,
  ...more,
});

/** Until the console's link is printed. */
const started = async (command: string, more: Readonly<Record<string, string>>): Promise<Started> => {
  const child = spawn("sh", ["-c", command.replace("npm install && ", "")], {
    cwd: clone,
    env: env(more),
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  // Closed only when the host has ended, too: the shell and npm end before it.
  const ended = once(child, "close");
  const stop = async (): Promise<void> => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
    child.stdout.resume();
    await ended;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith("console: ")) return { url: new URL(line.slice("console: ".length)), stop };
  }
  throw new Error(`${command} ended before it printed the console's link`);
};

interface Started {
  readonly url: URL;
  stop(): Promise<void>;
}

const conversationSchema = z.looseObject({
  id: z.string(),
  phase: z.string(),
  question: z.looseObject({ id: z.string() }).optional(),
});

describe.skipIf(!isClone)("the pages' commands", () => {
  let host: Started;
  let place: Place;

  const call = async (path: string, body?: unknown) => {
    const headers = {
      authorization: `Bearer ${TOKENS.PARLEY_CONSOLE_TOKEN}`,
      "content-type": "application/json",
    };
    const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    return (await fetch(new URL(path, host.url), { headers, ...sent })).json();
  };
  const reaches = async (id: string, phase: string) =>
    vi.waitFor(
      async () => {
        const found = conversationSchema.parse(await call(`/api/conversations/${id}`));
        expect(found.phase).toBe(phase);
        return found;
      },
      { interval: 50 },
    );

  beforeAll(async () => {
    await execa`git -c safe.directory=* clone -q --depth 1 file://${root} ${clone}`;
    copyUncommitted();
    symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
    host = await started("npm start", { PARLEY_PORT: "0", PARLEY_REPO: await sampleRepo("# Sample\n") });
    const { id } = conversationSchema.parse(await call("/api/conversations", {}));
    await call(`/api/conversations/${id}/messages`, { text: "add a line to README.md" });
    const { question } = await reaches(id, "awaitingApproval");
    await call(`/api/conversations/${id}/actions`, {
      action: "decide",
      question: question?.id,
      choice: "approve",
    });
    await reaches(id, "idle");
    place = { clone, out, port: host.url.port, conversation: id };
  });
  afterAll(() => host?.stop());

  const filled = (told: string, { fill }: Run): string =>
    (fill?.(place) ?? []).reduce(
      (text, [open, filling]) => text.replaceAll(open, filling),
      told.replace("npm install && ", ""),
    );

  it.each(runs.map((run) => [run.told[0], run] as const))("%s", async (_, run) => {
    for (const command of new Set(run.told.map((told) => filled(told, run)))) {
      const { all, exitCode } = await execa("sh", ["-c", command], {
        cwd: clone,
        extendEnv: false,
        env: env({ PARLEY_PORT: place.port, ...run.env?.(place) }),
        reject: false,
        all: true,
      });
      expect(all).toMatch(run.says);
      expect(exitCode).toBe(0);
    }
    const [path, content] = run.leaves?.(place) ?? [];
    if (path !== undefined) expect(readFileSync(path, "utf8")).toMatch(content ?? /./);
  });

  it.each(starts.slice(2))("%s", async (command) => {
    const other = await started(command, { PARLEY_PORT: "0", PARLEY_DATA: join(out, "other") });
    expect(other.url.port).not.toBe(place.port);
    await other.stop();
  });
});

/** What is being worked on counts, too. */
const copyUncommitted = (): void => {
  for (const path of [
    ...changed("diff", "--name-only", "HEAD"),
    ...changed("ls-files", "--others", "--exclude-standard"),
  ]) {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    execFileSync("cp", ["-a", join(root, path), join(clone, path)]);
  }
};

const changed = (...args: readonly string[]): readonly string[] =>
  execFileSync("git", ["-c", "safe.directory=*", ...args, "-z"], { cwd: root, encoding: "utf8" })
    .split("\0")
    .filter((path) => path !== "" && existsSync(join(root, path)));
