/** What a person sees of repositories: the commit in the thread, and a clear reason with another try where there is none. */

import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { scratch } from "../scratch.ts";
import { call, say } from "../fakes/anthropic/turn.ts";
import { createRig } from "./rig.ts";

describe("a repository that is not there", () => {
  it("is said in the thread with Try again, which works once it is there", async () => {
    const rig = await createRig();
    const hidden = `${rig.repo}-moved`;
    const thread = await rig.begin();
    renameSync(rig.repo, hidden);
    const failed = await thread.turn("hello");
    expect(failed.phase).toBe("failed");
    expect(failed.posts.at(-1)?.markdown).toMatch(/not|no /i);
    renameSync(hidden, rig.repo);
    rig.fake.script(call("bash", { command: "pwd && cat README.md" }), say("there"));
    expect((await thread.act({ action: "retry" })).body).toMatchObject({ result: "done" });
    const done = await thread.until("idle");
    expect(done.posts.find((post) => post.kind === "activity")?.output).toContain("A sample repository.");
  });

  it("an empty directory is refused by name", async () => {
    const empty = scratch("empty");
    mkdirSync(join(empty, "x"));
    const rig = await createRig({ PARLEY_REPO: empty });
    const failed = await (await rig.begin()).turn("hello");
    expect(failed.posts.at(-1)?.markdown).toContain("git");
  });
});

describe("the working directory (BED-010)", () => {
  it("is named in the first message, is where every command starts, and does not move with cd or with approval", async () => {
    const rig = await createRig();
    const thread = await rig.begin();
    rig.fake.script(
      call("bash", { command: "pwd; cd /tmp" }),
      call("bash", { command: "pwd" }),
      call("request_mode_upgrade", { reason: "r" }),
    );
    const asked = await thread.turn("where are you?");
    rig.fake.script(call("bash", { command: "pwd" }), say("ok"));
    await thread.act({ action: "decide", question: asked.question?.id, choice: "approve" });
    const done = await thread.until("idle");
    const outputs = done.posts.filter((post) => post.kind === "activity").map((post) => post.output?.trim());
    expect(new Set(outputs).size).toBe(1);
    const { cwd } = z.looseObject({ cwd: z.string() }).parse(done);
    expect(outputs[0]).toBe(cwd);
    expect(JSON.stringify(rig.fake.requests[0]?.body)).toContain(`Working directory: ${cwd}`);
  });
});
