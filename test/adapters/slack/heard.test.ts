/** A post as Slack sends it in parts: two events for one mention, files without bytes, posts by a person's token. */

import { describe, expect, it, vi } from "vitest";
import type { Address } from "../../fakes/slack/people/human.ts";
import { PATIENCE, told } from "../rig.ts";
import { createRig, type SlackRig } from "./rig.ts";

const answered = async (rig: SlackRig, root: Address): Promise<string> => {
  await rig.thread(root, /Answer 1/);
  expect(rig.fake.violations).toEqual([]);
  return told(rig.asked[0]);
};

const log = { name: "crash.log", bytes: Buffer.from("Error: boom") };
const whispers = ({ fake }: SlackRig): string => fake.world.ephemerals.map(({ text }) => text).join("\n");

describe("WS3 both events of a mention", () => {
  for (const first of ["app_mention", "message"] as const) {
    const second = first === "message" ? "app_mention" : "message";

    it(`WS3 a mention whose ${first} comes first keeps its files and what it forwards, and is answered once`, async () => {
      const rig = await createRig();
      const { fake } = rig;
      const shared = fake.as("carol").say("It broke at noon", { channel: "general" });
      const gate = fake.gate();
      const match = { event: second, contains: "UPARLEY" };
      fake.deliveryFault({ kind: "hold", gate: gate.gate }, { match });
      const root = fake.as("bob").share(shared, "@parley why?", { channel: "general", files: [log] });
      const words = await answered(rig, root);
      gate.open();
      await fake.settled();
      expect(words).toMatch(/author="carol"[^>]*>\n\| https:\/\/[^\n]*\n\| It broke at noon/);
      expect(words).toMatch(/author="crash\.log of bob"[^>]*>\n\| Error: boom/);
      expect(rig.asked).toHaveLength(1);
    });
  }

  it("WS3 a mention that Slack does not return at once is read again, and nothing of it is lost", async () => {
    const rig = await createRig();
    const { fake } = rig;
    const gate = fake.gate();
    fake.deliveryFault(
      { kind: "hold", gate: gate.gate },
      { match: { event: "message", contains: "UPARLEY" } },
    );
    fake.fault(
      { kind: "status", status: 429, retryAfter: "1" },
      { match: { method: "conversations.replies" } },
    );
    const root = fake.as("bob").say("@parley why?", { channel: "general", files: [log] });
    expect(await answered(rig, root)).toContain("| Error: boom");
    gate.open();
    await fake.settled();
  });
});

describe("WS7 files", () => {
  const files = [
    { name: "page.html", bytes: Buffer.from("<h1>Down</h1>") },
    {
      name: "re.eml",
      bytes: Buffer.from("<p>It is down</p>"),
      more: { mode: "email", plain_text: "It is down" },
    },
    {
      name: "voice.m4a",
      bytes: Buffer.from("voice"),
      more: {
        media_display_type: "audio",
        transcription: { status: "complete", preview: { content: "Please look", has_more: false } },
      },
    },
    { name: "old.txt", bytes: Buffer.from("old"), withheld: "hidden_by_limit" as const },
    { name: "gone.txt", bytes: Buffer.from("gone"), withheld: "tombstone" as const },
  ];

  const expectAll = (words: string, author: string): void => {
    expect(words).toMatch(new RegExp(`author="page\\.html of ${author}"[^>]*>\\n\\| <h1>Down</h1>`));
    expect(words).toMatch(new RegExp(`author="re\\.eml of ${author}"[^>]*>\\n\\| It is down`));
    expect(words).toMatch(new RegExp(`author="voice\\.m4a of ${author}"[^>]*>\\n\\| Please look`));
    expect(words).toContain("Slack hides it because the workspace reached a limit of its plan");
    expect(words).toContain("could not be taken: it was deleted");
  };

  it("WS7 those with text are read, and the person is told which are not and why", async () => {
    const rig = await createRig();
    const root = rig.fake.as("bob").say("@parley read", { channel: "general", files });
    expectAll(await answered(rig, root), "bob");
    await vi.waitFor(() => expect(whispers(rig)).toContain("a limit of its plan"), PATIENCE);
    expect(whispers(rig)).toContain("it was deleted");
    expect(whispers(rig)).not.toContain("page.html");
  });

  it("WS7 the same in a forwarded message and in an earlier message of the thread", async () => {
    const rig = await createRig();
    const { fake } = rig;
    const first = fake.as("carol").say("see", { channel: "general", files });
    const root = fake.as("bob").share(first, "@parley why?", { channel: "general" });
    expectAll(await answered(rig, root), "carol");
    fake.as("bob").say("@parley and here?", { channel: "general", thread: first.ts });
    await rig.thread(first, /Answer 2/);
    expectAll(told(rig.asked[1]), "carol");
  });

  it("WS7 Slack's sign-in page is no file, also if the file is a page", async () => {
    const rig = await createRig();
    const { fake } = rig;
    fake.fault({ kind: "status", status: 200, body: "html" }, { match: { method: "download" } });
    const root = fake.as("bob").say("@parley read", {
      channel: "general",
      files: [{ name: "page.html", bytes: Buffer.from("<h1>Down</h1>") }],
    });
    expect(await answered(rig, root)).toContain("Slack does not serve it to the app (scope files:read)");
  });
});

describe("WS13 posts by a program", () => {
  it("WS13 with a person's token they are that person's, in a channel and in a thread that goes on", async () => {
    const rig = await createRig();
    const { fake } = rig;
    const ci = fake.app("ci");
    const root = ci.post({ as: "bob", text: "<@UPARLEY> why?" });
    await answered(rig, root);
    ci.post({ as: "bob", text: "and now?", thread: root.ts });
    await rig.thread(root, /Answer 2/);
    expect(told(rig.asked[0])).toContain("why?");
    expect(told(rig.asked[1])).toContain("and now?");
  });

  it("WS13 with the program's own token they are nobody's, whatever they mention", async () => {
    const rig = await createRig();
    const { fake } = rig;
    const ci = fake.app("ci");
    ci.post({ text: "<@UPARLEY> why?" });
    const root = fake.as("bob").say("@parley go", { channel: "general" });
    await answered(rig, root);
    ci.post({ text: "<@UPARLEY> and now?", thread: root.ts });
    fake.as("bob").say("more", { channel: "general", thread: root.ts });
    await rig.thread(root, /Answer 2/);
    await fake.settled();
    expect(rig.asked).toHaveLength(2);
  });
});
