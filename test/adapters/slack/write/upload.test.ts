/** A message with a file, against Slack on the wire: three steps, of which only the last can be seen. */

import { describe, expect, it, onTestFinished } from "vitest";
import type { Operation, Thread } from "../../../../src/ports/surface.ts";
import { createSlackClient } from "../../../../adapters/slack/api/client.ts";
import { SCOPES } from "../../../../adapters/slack/receive/manifest.ts";
import { createFakeSlack, type FakeSlackOptions } from "../../../fakes/slack/fake.ts";
import type { Fault } from "../../../fakes/slack/fault.ts";
import { unstreamed } from "../streams.ts";

const scene = async (options: FakeSlackOptions = {}) => {
  const fake = await createFakeSlack({ rates: "off", ...options });
  onTestFinished(() => fake.close());
  const root = fake.as("alice").say("The diff, please.", { channel: "general" }).ts;
  const thread: Thread = { conversation: "c-1", surface: "slack", place: "CGENERAL", root };
  const client = createSlackClient(fake.botToken, { apiUrl: fake.apiUrl, timeout: 60_000 });
  return {
    fake,
    thread,
    surface: unstreamed(client),
    text: () => fake.threadAsText("CGENERAL", root),
  };
};

const upload = (thread: Thread): Operation & { kind: "upload" } => ({
  kind: "upload",
  thread,
  wire: "k1",
  hash: "h1",
  content: { tone: "notice", lead: "`change.diff` (9 bytes)", text: "> What I changed", buttons: [] },
  files: [{ name: "change.diff", mediaType: "text/x-diff", bytes: Buffer.from("+ a line\n") }],
});

const SHOWN = `--- from: @alice
The diff, please.
--- from: parley (bot)
\`change.diff\` (9 bytes)
> What I changed
file: change.diff (9 bytes)
`;

describe("an upload", () => {
  it("is one message of the thread, known again by the key and the hash that it carries", async () => {
    const { fake, thread, surface, text } = await scene();
    const done = await surface.apply(upload(thread));
    if (done.kind !== "done") throw new Error(JSON.stringify(done));
    expect(text()).toBe(SHOWN);
    const seen = { kind: "seen", messages: [{ id: done.id, wire: "k1", hash: "h1" }] };
    expect(await surface.observe(thread, null, ["k1"])).toEqual(seen);
    const { content } = upload(thread);
    const edit = { kind: "finish", thread, wire: "k1", id: done.id, hash: "h2", content } as const;
    expect(await surface.apply(edit)).toEqual(done);
    expect(text()).toContain("file: change.diff (9 bytes)");
    expect(await surface.apply({ kind: "delete", thread, wire: "k1", id: done.id })).toMatchObject({
      kind: "done",
    });
    expect(text()).not.toContain("change.diff");
    expect(fake.violations).toEqual([]);
  });

  it("is done when Slack has shared the file, which comes after its yes", async () => {
    const { thread, surface, text } = await scene({ times: { shareDelayMs: 500 } });
    expect(await surface.apply(upload(thread))).toMatchObject({ kind: "done" });
    expect(text()).toBe(SHOWN);
  });

  it("WS1 holds no block of Markdown, which Slack refuses beside a file, and says all the same", async () => {
    const { fake, thread, surface, text } = await scene();
    const { lead: _, ...content } = upload(thread).content;
    const words = "# Done\n\nI *did* `it`:\n\n- one\n- two\n\n1. first\n\n> quoted\n\n```ts\nx < 1;\n```";
    const operation = { ...upload(thread), content: { ...content, text: words } };
    const done = await surface.apply(operation);
    expect(done).toMatchObject({ kind: "done" });
    const shown = text();
    for (const part of ["**Done**", "`it`", "- one\n- two", "1. first", "> quoted", "```\nx < 1;\n```"])
      expect(shown).toContain(part);
    const id = done.kind === "done" ? done.id : "";
    const seen = { kind: "seen", messages: [{ id, wire: "k1", hash: "h1" }] };
    expect(await surface.observe(thread, null, ["k1"])).toEqual(seen);
    expect(fake.violations).toEqual([]);
  });

  it("goes to no address but Slack's own", async () => {
    const { fake, thread, surface } = await scene();
    const answer = '{"ok":true,"upload_url":"https://files.example.org/","file_id":"F1"}';
    fake.fault({ kind: "nonsense", text: answer }, { match: { method: "files.getUploadURLExternal" } });
    expect(await surface.apply(upload(thread))).toMatchObject({ kind: "refused", permanent: false });
    expect(fake.calls.filter(({ method }) => method === "upload")).toEqual([]);
  });
});

const BEGIN = "files.getUploadURLExternal";
const SHARE = "files.completeUploadExternal";
const again = { kind: "refused", permanent: false };

/** Method, what happens to it, what the operation comes to. */
const faults: readonly (readonly [string, string, Fault, object])[] = [
  ["no answer to the beginning", BEGIN, { kind: "cut", applied: true }, again],
  ["429 to the beginning", BEGIN, { kind: "status", status: 429, retryAfter: "7" }, { kind: "throttled" }],
  ["bytes that do not arrive", "upload", { kind: "cut", applied: false }, again],
  ["bytes that arrive without an answer", "upload", { kind: "cut", applied: true }, again],
  ["bytes that are refused", "upload", { kind: "status", status: 500 }, again],
  ["429 to the sharing", SHARE, { kind: "status", status: 429, retryAfter: "7" }, { kind: "throttled" }],
  [
    "a sharing that is refused",
    SHARE,
    { kind: "error", error: "file_uploads_disabled" },
    { kind: "refused", permanent: true },
  ],
  ["an archived channel", SHARE, { kind: "error", error: "is_archived" }, { kind: "gone", what: "thread" }],
];

describe("what goes wrong with an upload is a value, shows nothing, and leaves the next try free", () => {
  it.each(faults)("%s", async (_, method, fault, outcome) => {
    const { fake, thread, surface, text } = await scene();
    fake.fault(fault, { match: { method } });
    expect(await surface.apply(upload(thread))).toMatchObject(outcome);
    expect(text()).toBe("--- from: @alice\nThe diff, please.\n");
    expect(await surface.apply(upload(thread))).toMatchObject({ kind: "done" });
    expect(text()).toBe(SHOWN);
    expect(fake.violations).toEqual([]);
  });

  it("a sharing whose answer is lost is looked for: the file is there once", async () => {
    const { fake, thread, surface, text } = await scene({ times: { shareDelayMs: 300 } });
    fake.fault({ kind: "cut", applied: true }, { match: { method: SHARE } });
    expect(await surface.apply(upload(thread))).toMatchObject({ kind: "done" });
    expect(text()).toBe(SHOWN);
  });

  it("without the scope the file is refused, and the thread stays open", async () => {
    const scopes = Object.keys(SCOPES).filter((scope) => scope !== "files:write");
    const { fake, thread, surface } = await scene({ scopes });
    expect(await surface.apply(upload(thread))).toEqual({
      kind: "refused",
      why: "the app lacks the scope files:write",
      permanent: true,
    });
    const { wire, content } = upload(thread);
    const send = { kind: "send", thread, wire, hash: "h2", content } as const;
    expect(await surface.apply(send)).toMatchObject({ kind: "done" });
    expect(fake.violations).toEqual([]);
  });

  it("what Slack shared with the channel, because the thread is deleted, is taken back", async () => {
    const { fake, thread, surface } = await scene();
    const root = fake.world.message("CGENERAL", thread.root);
    if (root === undefined) throw new Error("no root");
    fake.world.remove(root);
    expect(await surface.apply(upload(thread))).toMatchObject({ kind: "gone", what: "thread" });
    expect(fake.world.messages("CGENERAL")).toEqual([]);
  });
});
