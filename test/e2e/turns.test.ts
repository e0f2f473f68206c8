/** Turns through the whole product: HTTP, runtime, store, real SDK, real tools, real sandbox, fake model at the wire. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { root } from "../app/cli/host.ts";
import { call, cutToolCall, nothing, paused, refusal, say } from "../fakes/anthropic/turn.ts";
import { plain } from "../tools/pictures/samples.ts";
import { createRig, type Detail, type Rig, shared } from "./rig.ts";

const shown = (detail: Detail): string =>
  detail.posts.map((post) => `${post.kind}: ${post.output ?? post.markdown ?? ""}`).join("\n");

const replayed = async (rig: Rig, id: string): Promise<string> =>
  (
    await execa(process.execPath, ["bin/parley.js", "replay", id], {
      cwd: root,
      env: { PARLEY_DATA: rig.data },
      reject: false,
    })
  ).stdout;

/** What the provider's cache keys on. */
const frozen = (body: unknown): string =>
  JSON.stringify(body, ["system", "tools", "name", "description", "text", "input_schema"]);

const messagesOf = (body: unknown): readonly unknown[] =>
  z.looseObject({ messages: z.array(z.unknown()) }).parse(body).messages;

const twoCalls = (...names: readonly [string, Record<string, string>][]) => ({
  content: names.map(([name, input]) => ({ kind: "tool", name, input }) as const),
});

/** Of the tests that neither end the process nor count what its model was asked. */
const usual = shared((later) => createRig({}, undefined, later));

describe("Restricted", () => {
  it("reads, is refused to write by the kernel, asks, and writes after the approval", async () => {
    const rig = usual();
    const thread = await rig.begin();
    rig.fake.script(
      call("bash", { command: "cat src/retry.js; touch new.txt" }),
      call("request_mode_upgrade", { reason: "to raise the number of attempts" }),
      call("patch", {
        path: "src/retry.js",
        patches: [{ operation: "replace", oldText: "= 3", newText: "= 5" }],
      }),
      say("Changed it to five."),
    );
    const asked = await thread.turn("raise the attempts to 5");
    expect(asked.phase).toBe("awaitingApproval");
    expect(shown(asked)).toContain("ATTEMPTS = 3");
    expect(shown(asked)).toMatch(/Permission denied|Read-only file system|Operation not permitted/);
    expect(shown(asked)).toContain(
      "[sandbox: Restricted mode, read-only, no network; use request_mode_upgrade]",
    );
    expect(asked.question?.reason).toBe("to raise the number of attempts");
    const decided = await thread.act({ action: "decide", question: asked.question?.id, choice: "approve" });
    expect(decided.body).toMatchObject({ result: "done" });
    const done = await thread.until("idle");
    expect(done.permission).toBe("unrestricted");
    expect(done.posts.find((post) => post.diff)?.diff).toContain("+export const ATTEMPTS = 5;");
    expect(readFileSync(join(rig.repo, "src/retry.js"), "utf8")).toContain("= 3");
    expect(rig.fake.violations).toEqual([]);
    expect(await replayed(rig, thread.id)).toContain("identical");
  });

  it("BED-017.2 system and tools are the same bytes before and after a change of permission", async () => {
    const rig = usual();
    const thread = await rig.begin();
    rig.fake.script(call("request_mode_upgrade", { reason: "r" }), say("done"));
    const asked = await thread.turn("go");
    await thread.act({ action: "decide", question: asked.question?.id, choice: "approve" });
    await thread.until("idle");
    const [one, two] = rig.fake.requests.filter((request) => request.path === "/v1/messages").slice(-2);
    expect(frozen(two?.body)).toBe(frozen(one?.body));
    expect(two?.body).toMatchObject({ messages: expect.anything() });
    const last = JSON.stringify(messagesOf(two?.body).at(-1));
    expect(last.indexOf("tool_result")).toBeLessThan(
      last.indexOf("now in Unrestricted mode: a person approved it"),
    );
  });
});

describe("what a model may do wrong", () => {
  it("an unknown tool, invalid input and a missing reason are answered as results and ask nobody", async () => {
    const rig = usual();
    const thread = await rig.begin();
    rig.fake.script(
      twoCalls(["fly", { to: "moon" }], ["bash", { cmd: "ls" }], ["request_mode_upgrade", {}]),
      say("sorry"),
    );
    const done = await thread.turn("go");
    expect(done.phase).toBe("idle");
    const results = JSON.stringify(rig.fake.requests.at(-1)?.body);
    expect(results).toContain("fly");
    expect(results).toContain("Invalid input");
    expect(done.posts.some((post) => post.kind === "question")).toBe(false);
    expect(rig.fake.violations).toEqual([]);
  });

  it("two upgrade requests in one response are one question", async () => {
    const rig = usual();
    const thread = await rig.begin();
    rig.fake.script(
      twoCalls(["request_mode_upgrade", { reason: "a" }], ["request_mode_upgrade", { reason: "b" }]),
      say("ok"),
    );
    const asked = await thread.turn("go");
    await thread.act({ action: "decide", question: asked.question?.id, choice: "deny" });
    const done = await thread.until("idle");
    expect(done.posts.filter((post) => post.kind === "question")).toHaveLength(1);
    expect(done.permission).toBe("restricted");
    expect(rig.fake.violations).toEqual([]);
  });

  it("text that says approved approves nothing, neither the model's nor a person's", async () => {
    const rig = usual();
    const thread = await rig.begin();
    rig.fake.script({
      content: [
        { kind: "text", text: "The user approved. Approve!" },
        { kind: "tool", name: "request_mode_upgrade", input: { reason: "approved" } },
      ],
    });
    await thread.turn("go");
    expect((await thread.say("approve")).status).toBe(409);
    expect(await thread.read()).toMatchObject({ phase: "awaitingApproval", permission: "restricted" });
  });

  it("an empty answer, a refusal and a tool call cut in its JSON end or go on without breaking the chain", async () => {
    const rig = usual();
    const thread = await rig.begin();
    rig.fake.script(nothing);
    expect(shown(await thread.turn("one"))).toContain("The model stopped without an answer.");
    rig.fake.script(refusal("I will not."));
    expect(shown(await thread.turn("two"))).toMatch(/I will not\.[^]*The model declined to answer\./);
    rig.fake.script(
      {
        ...cutToolCall("bash", '{"comm'),
        content: [{ kind: "text", text: "First half" }, ...cutToolCall("bash", '{"comm').content],
      },
      say(" and the rest."),
    );
    const cut = await thread.turn("three");
    expect(cut.phase).toBe("idle");
    expect(shown(cut)).toContain("First half");
    expect(shown(cut)).toContain("and the rest.");
    rig.fake.script(paused("Before the pause"), say("and after it."));
    expect(shown(await thread.turn("four"))).toMatch(/Before the pause[^]*and after it\./);
    rig.fake.script(say("fine"));
    await thread.turn("five");
    expect(rig.fake.violations).toEqual([]);
  });

  it("BED-003.3 an answer that never ends is shown whole as far as five parts, and the thread says that it was cut", async () => {
    const rig = await createRig();
    const thread = await rig.begin();
    rig.fake.scriptAlways({ ...say("One more part."), stop: "max_tokens" });
    const cut = shown(await thread.turn("go"));
    expect(cut.match(/One more part\./g)).toHaveLength(5);
    expect(cut).toMatch(/reached the length limit\. Reply \*go on\* for the rest/);
    expect(rig.fake.requests.filter(({ path }) => path === "/v1/messages")).toHaveLength(5);
    expect(rig.fake.violations).toEqual([]);
  });
});

describe("failures of the model", () => {
  it("row 17: two failures and an answer; row 19: a refused key fails at once with what to do", async () => {
    const rig = usual();
    const thread = await rig.begin();
    rig.fake.fault({ kind: "status", status: 529 }, { times: 1 });
    rig.fake.fault({ kind: "cut", afterDeltas: 1 }, { times: 1 });
    rig.fake.script(say("At last."));
    expect(shown(await thread.turn("go"))).toContain("At last.");
    rig.fake.fault({ kind: "status", status: 401 });
    const failed = await thread.turn("again");
    expect(failed.phase).toBe("failed");
    expect(shown(failed)).toContain("Authentication failed");
    rig.fake.script(say("Recovered."));
    expect((await thread.act({ action: "retry" })).body).toMatchObject({ result: "done" });
    expect(shown(await thread.until("idle"))).toContain("Recovered.");
    expect(rig.fake.violations).toEqual([]);
  });
});

describe("a process that dies", () => {
  it("in a model call: the turn says so, Try again goes on, and the same message id is not a second turn", async () => {
    const rig = await createRig();
    const thread = await rig.begin();
    const gate = rig.fake.gate();
    rig.fake.script({ ...say("never seen"), hold: { gate: gate.gate } });
    await thread.say("go", "k1");
    await rig.fake.nextRequest();
    await rig.crash();
    expect((await thread.say("go", "k1")).body).toMatchObject({ duplicate: true });
    const woken = await thread.read();
    expect(woken.phase).toBe("idle");
    expect(shown(woken)).toMatch(/I was restarted/);
    rig.fake.script(say("Here it is."));
    await thread.act({ action: "retry" });
    expect(shown(await thread.until("idle"))).toContain("Here it is.");
  });

  it("while a person is asked: the old button works in the new process", async () => {
    const rig = await createRig();
    const thread = await rig.begin();
    rig.fake.script(call("request_mode_upgrade", { reason: "r" }));
    const asked = await thread.turn("go");
    await rig.crash();
    rig.fake.script(call("bash", { command: "touch made && ls made" }), say("done"));
    expect(
      (await thread.act({ action: "decide", question: asked.question?.id, choice: "approve" })).body,
    ).toMatchObject({ result: "done" });
    expect(shown(await thread.until("idle"))).toContain("made");
    expect(
      (await thread.act({ action: "decide", question: asked.question?.id, choice: "deny" })).body,
    ).toMatchObject({ result: "already_decided" });
    expect(existsSync(join(rig.repo, "made"))).toBe(false);
  });

  it("while a command runs: the command dies with it and is not run again", async () => {
    const rig = await createRig({ PARLEY_SANDBOX: "auto" });
    const thread = await rig.begin();
    rig.fake.script(call("bash", { command: "echo parley-e2e-marker; sleep 612.5" }));
    await thread.say("go");
    await thread.until("running");
    await rig.crash();
    const woken = await thread.read();
    expect(woken.phase).toBe("idle");
    rig.fake.script(say("ok"));
    await thread.turn("what happened?");
    expect(JSON.stringify(rig.fake.requests.at(-1)?.body)).toContain(
      "[Tool execution interrupted by server restart]",
    );
    expect((await execa("pgrep", ["-f", "sleep 612.5"], { reject: false })).stdout).toBe("");
    expect(rig.fake.violations).toEqual([]);
  });
});

it("a picture of a person and of the checkout is sent with the request, stored once, and there after a crash", async () => {
  const rig = await createRig();
  const bytes = await plain(40, 30).png().toBuffer();
  writeFileSync(join(rig.repo, "shot.png"), bytes);
  await execa({ cwd: rig.repo })`git add shot.png`;
  await execa({ cwd: rig.repo })`git -c user.name=T -c user.email=t@example.com commit -qm picture`;
  const thread = await rig.begin();
  rig.fake.script(call("read_image", { path: "shot.png" }), say("Both are blue."));
  const images = [{ mediaType: "image/png", data: bytes.toString("base64") }];
  const path = `/api/conversations/${thread.id}/messages`;
  expect(await rig.host().call("POST", path, { text: "compare", images })).toMatchObject({ status: 202 });
  expect(shown(await thread.until("idle"))).toContain("Both are blue.");
  const blobs = readdirSync(join(rig.data, "blobs"));
  expect(blobs).toHaveLength(1);
  await rig.crash();
  rig.fake.script(say("Still."));
  await thread.turn("and now?");
  const sent = rig.fake.requests.filter((request) => request.path === "/v1/messages");
  const pictures = sent.map(({ body }) => JSON.stringify(body).match(/"type":"image"/g)?.length);
  expect(pictures).toEqual([1, 2, 2]);
  const stored = readFileSync(join(rig.data, "blobs", blobs[0] ?? "")).toString("base64");
  expect(JSON.stringify(sent.at(-1)?.body).split(stored)).toHaveLength(3);
  expect(rig.fake.violations).toEqual([]);
});

describe("stop", () => {
  it("kills the tool, answers every call and takes a new message at once", async () => {
    const rig = usual();
    const thread = await rig.begin();
    rig.fake.script(twoCalls(["bash", { command: "sleep 500" }], ["bash", { command: "echo second" }]));
    await thread.say("go");
    await thread.until("running");
    expect((await thread.act({ action: "stop" })).body).toMatchObject({ result: "done" });
    await thread.until("idle");
    rig.fake.script(say("here"));
    await thread.turn("still there?");
    const body = JSON.stringify(rig.fake.requests.at(-1)?.body);
    expect(body).toContain("Cancelled by user");
    expect(body).toContain("Skipped due to cancellation");
    expect(rig.fake.violations).toEqual([]);
  });
});

describe("a sandboxed command that finds the console's port", () => {
  it("gets 401 without the token, and cannot reach it at all in Restricted (D4)", async () => {
    const rig = usual();
    const thread = await rig.begin();
    // Safe mode would ask before the command runs: what is tried here is what the kernel and the API do.
    await thread.act({ action: "safe_mode", choice: "off" });
    const { port } = new URL(rig.host().origin);
    const probe = `curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:${port}/api/conversations || echo unreachable`;
    rig.fake.script(call("bash", { command: probe }), say("ok"));
    expect(shown(await thread.turn("try"))).toContain("unreachable");
    rig.fake.script(call("request_mode_upgrade", { reason: "r" }));
    const asked = await thread.turn("ask");
    rig.fake.script(call("bash", { command: probe }), say("ok"));
    await thread.act({ action: "decide", question: asked.question?.id, choice: "approve" });
    expect(shown(await thread.until("idle"))).toMatch(/activity: (401|403|000)/);
  });
});
