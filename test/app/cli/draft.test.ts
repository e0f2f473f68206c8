/** A change from the first word to the branch, by the real process and its demo model, over a restart. */

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { sampleRepo } from "../../sample-repo.ts";
import { scratch } from "../../scratch.ts";
import { type RunningHost, root, startHost } from "./host.ts";

const asking = z.looseObject({
  permission: z.literal("restricted"),
  question: z.looseObject({
    id: z.string(),
    kind: z.literal("result"),
    details: z.looseObject({ tree: z.string(), test: z.looseObject({ status: z.number() }) }),
  }),
});

it("is drafted, shown, there still after a restart, applied with one click, audited, and forgotten with its words", async () => {
  const data = scratch("drafted");
  const env = { PARLEY_REPO: await sampleRepo("# Shop\n") };
  const begin = async (): Promise<RunningHost> => {
    const host = await startHost(data, env);
    onTestFinished(() => void host.process.kill("SIGKILL"));
    return host;
  };
  const first = await begin();
  const { id } = z
    .looseObject({ id: z.string() })
    .parse((await first.call("POST", "/api/conversations", {})).body);
  const path = `/api/conversations/${id}`;
  const shown = async (host: RunningHost) => {
    const read = async () => (await host.call("GET", path)).body;
    await expect.poll(async () => asking.safeParse(await read()).success).toBe(true);
    return asking.parse(await read()).question;
  };
  await first.call("POST", `${path}/messages`, { text: "draft a change" });
  const question = await shown(first);
  expect(question.details.test).toMatchObject({ status: 0, tail: "README.md" });
  const work = join(data, "threads", id, "work");
  expect(existsSync(work)).toBe(false);
  expect(await first.stop("SIGTERM")).toBe(0);

  const host = await begin();
  expect(await shown(host)).toEqual(question);
  const decide = { action: "decide", question: question.id, choice: "apply" };
  expect((await host.call("POST", `${path}/actions`, decide)).body).toEqual({ result: "done" });
  await expect
    .poll(async () => JSON.stringify((await host.call("GET", path)).body))
    .toMatch(/"phase":"idle"[^]*nobody gained a right/);
  expect((await host.call("GET", path)).body).toMatchObject({ permission: "restricted" });
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "safe.directory=*", ...args], { cwd: work, encoding: "utf8" }).trim();
  expect(git("rev-parse", "HEAD^{tree}")).toBe(question.details.tree);
  expect(git("symbolic-ref", "--short", "HEAD")).toBe(`parley/${id}`);

  const audit = await execa(process.execPath, ["bin/parley.js", "audit"], {
    cwd: root,
    env: { PARLEY_DATA: data },
  });
  expect(JSON.parse(audit.stdout)).toMatchObject({
    kind: "result",
    shown: expect.stringContaining(`full tree ${question.details.tree} on `),
    outcome: "apply",
    by: "console:operator",
    fingerprintMatches: true,
  });
  const forgotten = await host.call("POST", "/api/people/forget", { person: "console:operator" });
  expect(forgotten.body).toMatchObject({ conversations: 1 });
  const left = JSON.stringify((await host.call("GET", path)).body);
  expect(left).not.toContain("draft a change");
  expect(await host.stop("SIGTERM")).toBe(0);
});
