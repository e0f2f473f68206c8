/** A post as Slack sends it in parts: two events for one mention, files without bytes, posts by a person's token. */

import { describe, expect, it, vi } from "vitest";
import { missingScopes, SCOPES, slackManifest } from "../../../adapters/slack/receive/manifest.ts";
import type { Address } from "../../fakes/slack/people/human.ts";
import { textAnswer } from "../../runtime/world.ts";
import { OFTEN, told } from "../rig.ts";
import { createRig, type SlackRig } from "./rig.ts";
import { bookOf } from "../begun-by-itself.ts";

const answered = async (rig: SlackRig, root: Address): Promise<string> => {
  await rig.thread(root, /Answer 1/);
  expect(rig.fake.violations).toEqual([]);
  return told(rig.asked[0]);
};

const log = { name: "crash.log", bytes: Buffer.from("Error: boom") };
const whispers = ({ fake }: SlackRig): string => fake.world.ephemerals.map(({ text }) => text).join("\n");

const expectAll = (words: string, author: string): void => {
  expect(words).toMatch(
    new RegExp(`author="${author}"[^>]*>\\n\\| /files/\\w+-page\\.html [^\\n]*\\n\\| <h1>Down</h1>`),
  );
  expect(words).toMatch(
    new RegExp(`author="${author}"[^>]*>\\n\\| /files/\\w+-re\\.eml\\.txt [^\\n]*\\n\\| It is down`),
  );
  expect(words).toMatch(
    new RegExp(`author="${author}"[^>]*>\\n\\| /files/\\w+-voice\\.m4a\\.txt [^\\n]*\\n\\| Please look`),
  );
  expect(words).toContain("Slack hides it because the workspace reached a limit of its plan");
  expect(words).toContain("could not be taken: it was deleted");
};

const cell = (words: string) => ({ type: "raw_text", text: words });

const item = (words: string) => ({
  type: "rich_text_section",
  elements: [{ type: "text", text: words }],
});

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
      expect(words).toMatch(/author="bob"[^>]*>\n\| \/files\/\w+-crash\.log [^\n]*\n\| Error: boom/);
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

  it("WS7 those with text are read, and the person is told which are not and why", async () => {
    const rig = await createRig();
    const root = rig.fake.as("bob").say("@parley read", { channel: "general", files });
    expectAll(await answered(rig, root), "bob");
    await vi.waitFor(() => expect(whispers(rig)).toContain("a limit of its plan"), OFTEN);
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

describe("WS4 slash commands that name people, groups and channels", () => {
  const users = [
    { name: "alice", role: "owner" as const },
    { name: "bob", display: "Bob B" },
    { name: "carol" },
  ];
  const groups = { SDEVS: ["carol"] };
  const channels = [{ name: "general" }, { name: "ops" }];

  for (const escapesCommands of [true, false]) {
    it(`WS4 as they are typed, with should_escape ${escapesCommands}`, async () => {
      const rig = await createRig({ fake: { users, groups, channels, escapesCommands } });
      const alice = rig.fake.as("alice");
      const say = async (text: string) => {
        await alice.command("/parley", text, "general").ended;
        await rig.fake.settled();
      };
      await say("approvers add @carol");
      await say("approvers add @devs");
      await say("review on #ops");
      await say("budget @carol 5");
      await vi.waitFor(
        () => expect(rig.chat.channel("slack", "CGENERAL")?.approvers).toEqual(["UCAROL", "group:SDEVS"]),
        OFTEN,
      );
      await vi.waitFor(() => expect(rig.chat.channel("slack", "CGENERAL")?.review).toBe("COPS"), OFTEN);
      await vi.waitFor(() => expect(whispers(rig)).toContain("The budget of `UCAROL` is set to $5"), OFTEN);
      await say("instructions if a < b && c, ask @carol");
      await vi.waitFor(
        () => expect(rig.chat.instructions("slack", "CGENERAL")?.text).toBe("if a < b && c, ask @carol"),
        OFTEN,
      );
      expect(rig.fake.violations).toEqual([]);
    });
  }

  it("WS4 a name of several words is found; one that two people share names nobody", async () => {
    const both = [...users, { name: "mallory", display: "carol" }];
    const rig = await createRig({ fake: { users: both, channels, escapesCommands: false } });
    const alice = rig.fake.as("alice");
    await alice.command("/parley", "approvers add @Bob B", "general").ended;
    await vi.waitFor(() => expect(rig.chat.channel("slack", "CGENERAL")?.approvers).toEqual(["UBOB"]), OFTEN);
    await alice.command("/parley", "approvers add @carol", "general").ended;
    await vi.waitFor(() => expect(whispers(rig)).toContain("Nobody here matches your entry"), OFTEN);
    expect(rig.chat.channel("slack", "CGENERAL")?.approvers).toEqual(["UBOB"]);
  });

  it("WS4 a mention of a group in a thread names the group", async () => {
    const rig = await createRig({ fake: { users, groups, channels } });
    rig.fake.as("alice").say("@parley approvers add <!subteam^SDEVS>", { channel: "general" });
    await vi.waitFor(
      () => expect(rig.chat.channel("slack", "CGENERAL")?.approvers).toEqual(["group:SDEVS"]),
      OFTEN,
    );
  });
});

describe("WS5 mentions by id", () => {
  const users = [
    { name: "alice", role: "owner" as const },
    { name: "bob" },
    { name: "carol", display: "Carol" },
    { name: "carol2", display: "carol" },
  ];
  const fake = { users, groups: { SDEVS: ["bob"] }, channels: [{ name: "general" }, { name: "ops" }] };

  it("WS5 are names in a message, in a quote, in blocks of an app and in the console; ids tell two of one name apart", async () => {
    const rig = await createRig({ fake });
    const { fake: slack } = rig;
    const ci = slack.app("ci");
    const blocks = [
      { type: "section", text: { type: "mrkdwn", text: "Broken by <@UCAROL>" } },
      {
        type: "rich_text",
        elements: [
          {
            type: "rich_text_section",
            elements: [
              { type: "text", text: "ask " },
              { type: "usergroup", usergroup_id: "SDEVS" },
              { type: "text", text: " in " },
              { type: "channel", channel_id: "COPS" },
            ],
          },
        ],
      },
    ];
    const root = ci.post({ blocks });
    slack.as("bob").say("<@UCAROL2> wrote it", { channel: "general", thread: root.ts });
    slack.as("alice").say("@parley did <@UBOB> see <#COPS|>, <!here>, <!date^1700000000^on {date_num}|x>?", {
      channel: "general",
      thread: root.ts,
    });
    const words = await answered(rig, root);
    expect(words).toContain("| Broken by @Carol (UCAROL)\n| ask @devs in #ops");
    expect(words).toContain("| @carol (UCAROL2) wrote it");
    expect(words).toContain("did @bob see #ops, @here, on 2023-11-14?");
    const [one] = rig.bot.list(1, null);
    const title = one?.conversation.title;
    expect(title).toContain("did @bob see #ops");
  });

  it("WS5 of a private channel that others cannot see no name is told, and in the channel itself its own; names are read once", async () => {
    const channels = [{ name: "general" }, { name: "secret", isPrivate: true }];
    const rig = await createRig({ fake: { ...fake, channels }, bound: ["CGENERAL", "GSECRET"] });
    const root = rig.fake
      .as("bob")
      .say("@parley see <#GSECRET|> and <@UALICE>, <@UALICE>?", { channel: "general" });
    const words = await answered(rig, root);
    expect(words).toContain("see #private-channel and @alice, @alice?");
    rig.fake.as("bob").say("and <@UALICE>?", { channel: "general", thread: root.ts });
    await rig.thread(root, /Answer 2/);
    const read = rig.fake.calls.filter(
      ({ method, args }) => method === "users.info" && args["user"] === "UALICE",
    );
    expect(read).toHaveLength(1);
    const there = rig.fake.as("bob").say("@parley is <#GSECRET> this one?", { channel: "secret" });
    await rig.thread(there, /Answer 3/);
    expect(told(rig.asked[2])).toContain("is #secret this one?");
  });
});

const isRemoved = (rig: SlackRig, words: string): boolean =>
  !JSON.stringify(
    rig.bot
      .list(10, null)
      .map(({ conversation }) => [conversation, ...rig.store.allWords(conversation.id).values()]),
  ).includes(words);

describe("WS3 messages inside of events", () => {
  const fake = { users: [{ name: "alice", role: "owner" as const }, { name: "bob" }, { name: "carol" }] };

  it.each([
    ["removal", "bob"],
    ["tombstone", "carol"],
  ] as const)("WS3 a %s is taken although its event says little of the message", async (_, replies) => {
    const rig = await createRig({ fake: { ...fake, partialEvents: true } });
    const root = rig.fake.as("bob").say("@parley 4242secret?", { channel: "general" });
    await rig.thread(root, /Answer 1/);
    if (replies === "carol") rig.fake.as("carol").say("me too", { channel: "general", thread: root.ts });
    expect(isRemoved(rig, "4242secret")).toBe(false);
    rig.fake.as("bob").remove(root);
    await expect.poll(() => isRemoved(rig, "4242secret"), OFTEN).toBe(true);
  });

  it("WS3 a change that shows a preview is no input, whatever its event has of the message", async () => {
    const rig = await createRig({ fake: { ...fake, partialEvents: true } });
    const root = rig.fake.as("bob").say("@parley see https://x.example/a?", { channel: "general" });
    await rig.thread(root, /Answer 1/);
    rig.fake.as("bob").edit(root, "@parley see https://x.example/a?", { attachments: [{ title: "A page" }] });
    await rig.fake.settled();
    rig.fake.as("bob").say("and now?", { channel: "general", thread: root.ts });
    await rig.thread(root, /Answer 2/);
    expect(rig.asked).toHaveLength(2);
  });
});

describe("WS11 a thread of thousands of messages", () => {
  it("WS11 is told by its first message and the newest before the question, with how many are left out", async () => {
    const rig = await createRig();
    const { fake } = rig;
    const begun = Date.now() / 1_000 - 1_000;
    const first = { channel: "CGENERAL", ts: begun.toFixed(6) };
    const said = { channel: first.channel, user: "UALICE", files: [], reactions: [] };
    fake.world.put({ ...said, ts: first.ts, text: "Red again" });
    for (let no = 1; no <= 500; no += 1)
      fake.world.put({ ...said, ts: (begun + no).toFixed(6), threadTs: first.ts, text: `remark ${no}.` });
    const place = { channel: "general", thread: first.ts };
    fake.as("bob").say("@parley why?", place);
    const words = await answered(rig, first);
    expect(words).toContain("[Parley] 401 older messages are left out. The thread's first message is kept.");
    expect(words).toMatch(/\| Red again[^]*\| remark 402\.[^]*\| remark 500\./);
    expect(words).not.toContain("| remark 401.");
  });

  it("WS11 is not read from its beginning: few calls, however long", async () => {
    const rig = await createRig();
    const { fake } = rig;
    const now = Date.now() / 1_000;
    const root = { channel: "CGENERAL", ts: (now - 9_000_000).toFixed(6) };
    const words = { channel: root.channel, user: "UALICE", files: [], reactions: [] };
    fake.world.put({ ...words, ts: root.ts, text: "Red again" });
    for (let no = 1; no <= 9_000; no += 1)
      fake.world.put({
        ...words,
        ts: (now - 9_000_000 + no * 999.9).toFixed(6),
        threadTs: root.ts,
        text: `remark ${no}.`,
      });
    fake.as("bob").say("@parley why?", { channel: "general", thread: root.ts });
    const told = await answered(rig, root);
    expect(told).toContain("[Parley] Older messages are left out. The thread's first message is kept.");
    expect(told).toMatch(/\| Red again[^]*\| remark 8950\.[^]*\| remark 9000\./);
    const calls = fake.calls.filter(
      ({ method, args }) => method === "conversations.replies" && "latest" in args,
    );
    expect(calls.length).toBeLessThan(10);
  });
});

describe("WS8 group direct messages", () => {
  const groupDm = { name: "mpdm-alice--bob--parley-1", isGroupDm: true };
  const fake = { channels: [{ name: "general" }, groupDm] };
  const channel = "GMPDMALICEBOBPARLEY1";

  it("WS8 a mention is answered, and a reply without a mention is heard in its thread", async () => {
    const rig = await createRig({ fake, bound: [channel] });
    const root = rig.fake.as("bob").say("@parley why?", { channel });
    await answered(rig, root);
    rig.fake.as("bob").say("and now?", { channel, thread: root.ts });
    await rig.thread(root, /Answer 2/);
    expect(told(rig.asked[1])).toContain("and now?");
    expect(await rig.slack.readName(channel)).toEqual({
      kind: "named",
      name: "alice, bob, parley",
      note: "group direct messages",
    });
  });

  it("WS8 nothing is told of what nobody asked there, and the app asks for the events and the scopes", async () => {
    const rig = await createRig({ fake, bound: [channel] });
    rig.fake.as("bob").say("just the two of us", { channel });
    await rig.fake.settled();
    expect(rig.asked).toEqual([]);
    expect(slackManifest(null).settings.event_subscriptions.bot_events).toContain("message.mpim");
    expect(missingScopes(Object.keys(SCOPES).filter((one) => one !== "mpim:history"))).toEqual([
      "mpim:history",
    ]);
  });
});

describe("WS12 a channel that Slack calls by another id", () => {
  it("WS12 takes its threads, repository, approvers, watches and budgets along; a turn goes on there", async () => {
    const rig = await createRig();
    const { fake } = rig;
    const alice = fake.as("alice");
    await alice.command("/parley", "approvers add @bob", "general").ended;
    await alice.command("/parley", "budget channel 20", "general").ended;
    await alice.command("/parley", "every day at 9:00: look", "general").ended;
    const root = fake.as("bob").say("@parley first", { channel: "general" });
    await answered(rig, root);
    await vi.waitFor(() => expect(bookOf(rig).all()).toHaveLength(1), OFTEN);
    fake.admin.changeId("general", "CSHARED");
    await fake.settled();
    await vi.waitFor(() => expect(rig.chat.binding("slack", "CSHARED")).not.toBeNull(), OFTEN);
    expect(rig.chat.binding("slack", "CGENERAL")).toBeNull();
    expect(rig.chat.channel("slack", "CSHARED")?.approvers).toEqual(["UBOB"]);
    expect(
      bookOf(rig)
        .all()
        .map(({ place }) => place),
    ).toEqual(["CSHARED"]);
    expect(rig.purse.budgets().map(({ scope }) => scope)).toContain("channel:slack:CSHARED");
    const moved = { channel: "CSHARED", ts: root.ts };
    fake.as("bob").say("second", { channel: "general", thread: root.ts });
    await rig.thread(moved, /Answer 2/);
    const later = await rig.restart();
    await fake.waitFor(2, "users.conversations");
    fake.as("bob").say("third", { channel: "general", thread: root.ts });
    await later.thread(moved, /third\n[^]*Answer 1/);
    expect(later.asked).toHaveLength(1);
  });

  it("WS12 a channel that has another name is read by that", async () => {
    const rig = await createRig({ fake: { channels: [{ name: "general" }, { name: "ops" }] } });
    const { fake } = rig;
    const root = fake.as("bob").say("@parley see <#COPS|>", { channel: "general" });
    expect(await answered(rig, root)).toContain("see #ops");
    fake.admin.rename("ops", "sre");
    await fake.settled();
    fake.as("bob").say("and <#COPS|>", { channel: "general", thread: root.ts });
    await rig.thread(root, /Answer 2/);
    expect(told(rig.asked[1])).toContain("and #sre");
  });
});

describe("40.B a closed channel", () => {
  it("40.B gets the finished answer at once when it is opened again", async () => {
    const gate = Promise.withResolvers<void>();
    const rig = await createRig({
      answer: async () => {
        await gate.promise;
        return textAnswer("Here it is.");
      },
    });
    const { fake } = rig;
    const root = fake.as("bob").say("@parley first", { channel: "general" });
    await vi.waitFor(() => expect(rig.asked).toHaveLength(1), OFTEN);
    fake.admin.archive("general");
    gate.resolve();
    await vi.waitFor(
      () => expect(fake.calls.filter(({ method }) => method === "chat.postMessage")).not.toEqual([]),
      OFTEN,
    );
    fake.admin.unarchive("general");
    await rig.thread(root, /Here it is/);
    expect(fake.violations).toEqual([]);
  });
});

describe("40.B a first mention in a channel without a repository", () => {
  for (const who of ["alice", "bob"])
    it(`40.B gets its menu although Slack asks to wait once: ${who}`, async () => {
      const rig = await createRig({ bound: [] });
      const { fake } = rig;
      const fault = { kind: "status", status: 429, retryAfter: "1" } as const;
      fake.fault(fault, { match: { method: "chat.postMessage" } });
      fake.fault(fault, { match: { method: "chat.postEphemeral" } });
      const root = fake.as(who).say("@parley why?", { channel: "general" });
      await vi.waitFor(
        () =>
          expect(`${whispers(rig)}${fake.threadAsText(root.channel, root.ts)}`).toContain(
            "No repository is chosen",
          ),
        OFTEN,
      );
      await vi.waitFor(() => expect(rig.chat.unbound("slack", "CGENERAL")).toHaveLength(1), OFTEN);
      const asked = fake.calls.filter(({ args }) => JSON.stringify(args).includes("No repository is chosen"));
      expect(asked).toHaveLength(2);
    });
});

describe("40.B what was posted is found by its time", () => {
  it("40.B a question that Slack took before the connection broke stands once, whatever people wrote meanwhile", async () => {
    const rig = await createRig();
    const { fake } = rig;
    const match = { method: "chat.postMessage", contains: "asks" };
    fake.fault({ kind: "cut", applied: true }, { match });
    const look = fake.gate();
    const isSecond = ({ method }: { readonly method: string }): boolean =>
      method === "conversations.history" && fake.calls.some((call) => call.method === "chat.postMessage");
    fake.fault({ kind: "wait", gate: look.gate }, { match: isSecond });
    fake.as("bob").command("/parley", "ask why?", "general");
    await look.reached;
    for (let no = 0; no < 60; no += 1) fake.as("carol").say(`lunch ${no}?`, { channel: "general" });
    look.open();
    await vi.waitFor(() => expect(rig.asked).toHaveLength(1), OFTEN);
    const put = fake.world
      .messages("CGENERAL")
      .filter(({ blocks }) => JSON.stringify(blocks ?? "").includes("asks:"));
    expect(put).toHaveLength(1);
  });
});

describe("WS6 text that stands in blocks alone", () => {
  const table = {
    type: "table",
    rows: [
      [cell("host"), cell("load")],
      [cell("db-1"), cell("<90 %")],
    ],
  };

  it("WS6 a pasted table is read with the words of the message", async () => {
    const rig = await createRig();
    const root = rig.fake.as("bob").say("@parley why?", { channel: "general", parts: { blocks: [table] } });
    expect(await answered(rig, root)).toContain("why?\nhost | load\ndb-1 | <90 %");
  });

  const TYPED = [
    "@parley why does *<@UCAROL>* see ~this~ in <#CGENERAL>, _now_ :eyes: #ff0000?",
    "1. `a < b` && c",
    "2. https://x.example/a?b=1&c=2",
    "    • <https://y.example/|the page>",
    "> quoted by <!here>",
    "```",
    "if (a && b) <@UCAROL>",
    "```",
  ].join("\n");
  const READ = [
    "why does *@carol* see ~this~ in #general, _now_ :eyes: #ff0000?",
    "1. `a < b` && c",
    "2. https://x.example/a?b=1&c=2",
    "    • the page (https://y.example/)",
    "> quoted by @here",
  ].join("\n");

  it("WS6 a message that a person typed has rich text, and is read once and as it was typed", async () => {
    const rig = await createRig();
    const root = rig.fake.as("bob").say(TYPED, { channel: "general" });
    const words = await answered(rig, root);
    expect(words).toContain(READ);
    expect(words.match(/the page/g)).toHaveLength(1);
    const [sent] = rig.fake.deliveries.filter(({ payload }) => JSON.stringify(payload).includes("rich_text"));
    expect(sent?.payload["event"]).toMatchObject({
      text: expect.stringContaining("`a &lt; b` &amp;&amp; c"),
      blocks: [
        {
          type: "rich_text",
          elements: [
            { type: "rich_text_section" },
            { type: "rich_text_list", style: "ordered", elements: [{}, { elements: [{ type: "link" }] }] },
            { type: "rich_text_list", style: "bullet", indent: 1 },
            { type: "rich_text_quote" },
            { type: "rich_text_preformatted" },
          ],
        },
      ],
    });
  });

  it("WS6 an edit and a message in a thread that is read back have rich text too; a mention in code begins nothing", async () => {
    const rig = await createRig();
    const { fake } = rig;
    const root = fake.as("carol").say("say `@parley` to it", { channel: "general" });
    fake.as("carol").edit(root, "*a < b*, see https://x.example/");
    fake.as("bob").say("@parley why?", { channel: "general", thread: root.ts });
    expect(await answered(rig, root)).toContain("| *a < b*, see https://x.example/");
    expect(rig.asked).toHaveLength(1);
    const heard = fake.deliveries.map(({ payload }) => JSON.stringify(payload["event"]));
    expect(heard.filter((one) => one.includes('"app_mention"'))).toHaveLength(1);
  });

  it("WS6 a forwarded post of an app keeps its lists, cards, alerts and tables, in order", async () => {
    const rig = await createRig();
    const { fake } = rig;
    const blocks = [
      { type: "alert", level: "error", text: { type: "mrkdwn", text: "Disk full" } },
      {
        type: "rich_text",
        elements: [
          { type: "rich_text_list", style: "ordered", offset: 2, elements: [item("drain"), item("resize")] },
          { type: "rich_text_list", style: "bullet", indent: 1, elements: [item("slowly")] },
        ],
      },
      { type: "card", title: { type: "mrkdwn", text: "db-1" }, body: { type: "mrkdwn", text: "eu-west" } },
      table,
    ];
    const shared = fake.app("ci").post({ blocks });
    const root = fake.as("bob").share(shared, "@parley why?", { channel: "general" });
    expect(await answered(rig, root)).toMatch(
      /\| Disk full\n\| 3\. drain\n\| 4\. resize\n\| {3}• slowly\n\| db-1\n\| eu-west\n\| host \| load\n\| db-1 \| <90 %/,
    );
  });
});
