/** Words in channels, threads and forums: what becomes a conversation, who is heard in it, and what stays silent. */

import { describe, expect, it } from "vitest";
import { systemClock } from "../../../src/app/system-clock.ts";
import type { Clock } from "../../../src/ports/host.ts";
import type { ModelOutcome } from "../../../src/ports/model.ts";
import { textAnswer, toolAnswer, toolResult } from "../../runtime/world.ts";
import { askIntent } from "../../threads/asking.ts";
import { told } from "../rig.ts";
import { createRig, type DiscordRig } from "./rig.ts";

describe("a mention in a channel", () => {
  it("opens a thread and a conversation in the channel's repository, and is answered there", async () => {
    const rig = await createRig();
    const asked = rig.fake.as("bob").say("general", "@parley what is this?");
    const text = await rig.reads(asked.id, /tricted[^·\n]* · [[`<]/);
    expect(text.replaceAll(/[\d.]+ s(?= ·|$)/gm, "N s")).toMatchInlineSnapshot(`
      "--- from: @parley (bot)
      Answer 1.
      -# Restricted · [\`acme/api@abc1234\`](<https://github.com/acme/api/commit/abc1234567>) · N s · This channel works on \`acme/api\`: \`/parley repo\` changes the repository
      [Steps] [👍] [👎] [Solved]
      "
    `);
    expect(told(rig.asked[0])).toContain("what is this?");
    expect(told(rig.asked[0])).toContain("https://github.com/acme/api.git");
    expect(rig.asked).toHaveLength(1);
    expect(rig.fake.violations).toEqual([]);
  });

  it("is answered with citations that lead to their lines at the commit, and marks where they do not hold", async () => {
    const rig = await createRig({ answer: () => textAnswer("It is src/app.ts:3, not `src/gone.ts:9`.") });
    const asked = rig.fake.as("bob").say("general", "@parley where is it?");
    const text = await rig.reads(asked.id, /tricted[^·\n]* · [[`<]/);
    const link = "[`src/app.ts:3`](<https://github.com/acme/api/blob/abc1234567/src/app.ts?plain=1#L3>)";
    expect(text).toContain(`It is ${link}, not \`src/gone.ts:9\` (not found).`);
    expect(text).toMatch(/ · 1 citation not found · This channel/);
    expect(rig.fake.violations).toEqual([]);
  });

  it("is answered although nothing can be read of the channel: the gateway has told of it", async () => {
    const rig = await createRig();
    const channel = { route: "GET /channels/{channel}" };
    rig.fake.fault({ kind: "cut", applied: false }, { times: Number.POSITIVE_INFINITY, match: channel });
    const asked = rig.fake.as("bob").say("general", "@parley what is this?");
    await rig.reads(asked.id, /Answer 1[^]*tricted[^·\n]* · [[`<]/);
  });

  it("without a repository is pointed to what is missing, once, without thread or model", async () => {
    const rig = await createRig();
    rig.fake.as("bob").say("other", "@parley what is this?");
    await rig.reads("other", /I am not enabled here/);
    rig.fake.as("alice").say("other", "@parley and this?");
    rig.fake.as("bob").say("general", "@parley hello?");
    await expect.poll(() => rig.asked.length).toBe(1);
    expect(rig.fake.asText("other").match(/not enabled/g)).toHaveLength(1);
  });

  it("is answered once its channel has a repository, and the pointer goes (TA2)", async () => {
    const rig = await createRig();
    const asked = rig.fake.as("bob").say("other", "@parley what is this?");
    await rig.reads(
      "other",
      /I am not enabled here. A person who manages this server has to choose a repository/,
    );
    expect(await rig.run("maria", "other", "parley repo", { name: "acme/web" })).toContain(
      "works on acme/web",
    );
    await rig.reads(
      asked.id,
      /Answer 1[^]*This channel works on `acme\/web`: `\/parley repo` changes the repository/,
    );
    await expect.poll(() => rig.fake.asText("other")).not.toContain("not enabled");
    expect(rig.fake.violations).toEqual([]);
  });

  it("that is none is not answered", async () => {
    const rig = await createRig();
    rig.fake.as("bob").say("general", "what is this?");
    const asked = rig.fake.as("bob").say("general", "@parley hello?");
    await rig.reads(asked.id, /tricted[^·\n]* · [[`<]/);
    expect(rig.asked).toHaveLength(1);
    expect(told(rig.asked[0])).not.toContain("what is this");
  });
});

describe("a thread that was there", () => {
  it("becomes the conversation, with what was said before as quotes", async () => {
    const rig = await createRig();
    const post = rig.fake.as("alice").ask("help", { name: "Broken", text: "It does not start." });
    rig.fake.as("bob").say(post.channel, "Which version?");
    rig.fake.as("alice").say(post.channel, "@parley why does it not start?");
    await rig.reads(post.channel, /tricted[^·\n]* · [[`<]/);
    const text = told(rig.asked[0]);
    expect(text).toMatch(/author="alice"[^]*It does not start\.[^]*author="bob"[^]*Which version\?/);
    expect(text).toContain("why does it not start?");
  });

  it("hung on a message has that message among the quotes", async () => {
    const rig = await createRig();
    const said = rig.fake.as("alice").say("general", "The build is red.");
    const thread = rig.fake.as("alice").openThread("general", "Red", { from: said.id });
    rig.fake.as("bob").say(thread, "@parley why?");
    await rig.reads(thread, /tricted[^·\n]* · [[`<]/);
    expect(told(rig.asked[0])).toContain("The build is red.");
  });
});

describe("a conversation's thread", () => {
  it("takes plain replies of its one person, and of two people only what addresses the bot", async () => {
    const rig = await createRig();
    const asked = rig.fake.as("alice").say("general", "@parley one?");
    await rig.reads(asked.id, /Answer 1\.[^]*tricted[^·\n]* · [[`<]/);
    rig.fake.as("alice").say(asked.id, "two?");
    await rig.reads(asked.id, /Answer 2\.[^]*tricted[^·\n]* · [[`<]/);
    rig.fake.as("bob").say(asked.id, "between us");
    await rig.reads(asked.id, /several people write/i);
    const ours = rig.fake.world.messages(asked.id).find(({ author }) => author === rig.fake.world.app.bot);
    rig.fake.as("bob").say(asked.id, "three?", { replyTo: ours?.id ?? "" });
    await rig.reads(asked.id, /Answer 3\./);
    expect(rig.asked).toHaveLength(3);
    expect(told(rig.asked[2])).toContain("between us");
  });

  it("never quotes the message that it hangs on once the agent has answered it", async () => {
    const rig = await createRig();
    const asked = rig.fake.as("alice").say("general", "@parley what is the first thing?");
    await rig.reads(asked.id, /Answer 1\.[^]*tricted[^·\n]* · [[`<]/);
    rig.fake.as("bob").say(asked.id, "a remark in between");
    rig.fake.as("bob").say(asked.id, "@parley and the second?");
    await rig.reads(asked.id, /Answer 2\./);
    const second = told(rig.asked[1]);
    expect(second).toContain("a remark in between");
    expect(second.split("what is the first thing?")).toHaveLength(2);
  });
});

describe("events that come otherwise than they should", () => {
  it("twice are handled once: a message and a click", async () => {
    const upgrade = toolAnswer({ id: "t1", name: "request_mode_upgrade", input: { reason: "to write" } });
    const rig = await createRig({ answer: (_messages, no) => (no === 1 ? upgrade : textAnswer("Written.")) });
    rig.fake.dispatchFault({ kind: "duplicate" }, "MESSAGE_CREATE");
    rig.fake.dispatchFault({ kind: "duplicate" }, "INTERACTION_CREATE");
    const asked = rig.fake.as("maria").say("general", "@parley change it");
    await rig.reads(asked.id, /\[Approve\] \[Deny\]/);
    const question = rig.fake.world
      .messages(asked.id)
      .find(({ components }) => JSON.stringify(components).includes("Approve"));
    rig.fake.as("maria").click({ channel: asked.id, id: question?.id ?? "" }, "Approve");
    const text = await rig.reads(asked.id, /Written\.[^]*tricted[^·\n]* · [[`<]/);
    expect(text).not.toContain("already");
    expect(rig.asked).toHaveLength(2);
    expect(rig.fake.violations).toEqual([]);
  });

  it("out of order lose nothing: a message before the thread that it stands in", async () => {
    const rig = await createRig();
    const gate = rig.fake.gate();
    rig.fake.dispatchFault({ kind: "hold", gate: gate.gate }, "THREAD_CREATE");
    const post = rig.fake.as("alice").ask("help", { name: "Broken", text: "@parley why?" });
    await rig.reads(post.channel, /Answer 1\.[^]*tricted[^·\n]* · [[`<]/);
    gate.open();
    rig.fake.as("alice").say(post.channel, "and then?");
    await rig.reads(post.channel, /Answer 2\.[^]*tricted[^·\n]* · [[`<]/);
    expect(rig.bot.list(10, null)).toHaveLength(1);
  });

  it("lost with their session are read back", async () => {
    const rig = await createRig();
    rig.fake.dispatchFault({ kind: "lose" }, "MESSAGE_CREATE");
    const asked = rig.fake.as("bob").say("general", "@parley hello?");
    rig.fake.gateway.open[0]?.invalidate(false);
    await rig.reads(asked.id, /Answer 1\.[^]*tricted[^·\n]* · [[`<]/);
    expect(rig.asked).toHaveLength(1);
  });
});

describe("what was missed", () => {
  it("while no process ran is read back and answered once", async () => {
    const rig = await createRig();
    const asked = rig.fake.as("alice").say("general", "@parley one?");
    await rig.reads(asked.id, /Answer 1\.[^]*tricted[^·\n]* · [[`<]/);
    await rig.close();
    rig.fake.as("alice").say(asked.id, "two?");
    const other = rig.fake.as("bob").say("general", "@parley hello?");
    const next = await rig.restart();
    await next.reads(asked.id, /two\?[^]*Answer \d\.[^]*tricted[^·\n]* · [[`<]/);
    await next.reads(other.id, /tricted[^·\n]* · [[`<]/);
    expect(next.asked).toHaveLength(2);
  });
});

describe("what was missed in a long silence", () => {
  const HOUR = 3_600_000;
  /** The machine's clock, so many hours ahead: what is said now was said that long ago. */
  const ahead = (hours: number): Clock => ({ ...systemClock, now: () => systemClock.now() + hours * HOUR });

  it("is read from when Discord was last heard, hours ago", async () => {
    const rig = await createRig();
    const first = rig.fake.as("alice").say("general", "@parley one?");
    await rig.reads(first.id, /Answer 1\.[^]*tricted[^·\n]* · [[`<]/);
    await rig.close();
    const asked = rig.fake.as("bob").say("general", "@parley hello?");
    const next = await rig.restart({ clock: ahead(20) });
    await next.reads(asked.id, /Answer 1\.[^]*tricted[^·\n]* · [[`<]/);
    expect(next.asked).toHaveLength(1);
  });

  it("is left where it is after two days", async () => {
    const rig = await createRig();
    await rig.close();
    rig.fake.as("bob").say("general", "@parley hello?");
    const next = await rig.restart({ clock: ahead(50) });
    const asked = rig.fake.as("alice").command("general", "ask", { question: "Anybody here?" });
    await expect.poll(() => next.asked.length).toBe(1);
    await asked.told;
    expect(told(next.asked[0])).toContain("Anybody here?");
    expect(next.asked).toHaveLength(1);
  });
});

describe("what was missed by the hundred", () => {
  it("is read back page by page, also where Discord asks to wait between", async () => {
    const rig = await createRig();
    await rig.close();
    for (let no = 0; no < 120; no += 1) rig.fake.as("alice").say("general", `Word ${no}.`);
    const asked = rig.fake.as("bob").say("general", "@parley hello?");
    rig.fake.fault(
      { kind: "limited", retryAfter: 0.3 },
      { match: { route: "GET /channels/{channel}/messages" } },
    );
    const next = await rig.restart();
    await next.reads(asked.id, /tricted[^·\n]* · [[`<]/);
    expect(next.asked).toHaveLength(1);
  });
});

describe("what was missed and cannot be read back", () => {
  /** Seconds as milliseconds: long waits are over soon, their order stays. */
  const hurried: Clock = {
    now: systemClock.now,
    after: (delay, fire) => systemClock.after(Math.min(delay / 100, 400), fire),
  };
  const history = { route: "GET /channels/{channel}/messages" };

  it.each([
    ["a server error", { kind: "status", status: 502, body: "html" }],
    ["a broken connection", { kind: "cut", applied: false, how: "reset" }],
  ] as const)("is read again in the same session, and answered once (%s)", async (_, fault) => {
    const rig = await createRig();
    await rig.close();
    const asked = rig.fake.as("bob").say("general", "@parley hello?");
    rig.fake.fault(fault, { times: 4, match: history });
    const next = await rig.restart({ clock: hurried });
    await next.reads(asked.id, /tricted[^·\n]* · [[`<]/);
    expect(next.asked).toHaveLength(1);
    expect(next.logged.join("\n")).toContain('"again":true');
  });

  it("is left where the channel is closed to the bot", async () => {
    const rig = await createRig();
    await rig.close();
    rig.fake.as("bob").say("general", "@parley hello?");
    rig.fake.fault(
      { kind: "error", status: 403, code: 50_001, message: "Missing Access" },
      { times: 2, match: history },
    );
    const next = await rig.restart({ clock: hurried });
    await expect.poll(() => next.logged.join("\n")).toContain('"again":false');
    const asked = rig.fake.as("bob").say("general", "@parley anybody here?");
    await next.reads(asked.id, /tricted[^·\n]* · [[`<]/);
    expect(next.asked.map(told).join("\n")).not.toContain("hello?");
  });
});

describe("a message that is deleted", () => {
  const secret = "My token is ghp4242secret and it does not work here, why?";

  it("is gone from the transcript, from quotes of it and from the answers that repeat it", async () => {
    const rig = await createRig({
      answer: (_messages, no) => textAnswer(no === 1 ? `You said: "${secret}" Do not.` : "As I said."),
    });
    const asked = rig.fake.as("bob").say("general", `@parley ${secret}`);
    await rig.reads(asked.id, /ghp4242secret[^]*tricted[^·\n]* · [[`<]/);
    rig.fake.as("alice").say(asked.id, "I have seen yours, it is alice7777token, is it not?");
    await rig.reads(asked.id, /several people write/i);
    const quoted = rig.fake.world.messages(asked.id).find(({ content }) => content.includes("alice7777"));
    rig.fake.as("bob").say(asked.id, "@parley and now?");
    await rig.reads(asked.id, /As I said\.[^]*tricted[^·\n]* · [[`<]/);
    expect(told(rig.asked[1])).toMatch(/ghp4242secret[^]*alice7777token/);
    rig.fake.as("maria").remove(asked);
    rig.fake.as("maria").remove({ channel: asked.id, id: quoted?.id ?? "" });
    expect(await rig.reads(asked.id, /You said: "\[deleted\]\??" Do not\.[^]*/)).not.toContain("ghp4242");
    await expect.poll(() => stored(rig)).not.toMatch(/ghp4242|alice7777/);
    rig.fake.as("bob").say(asked.id, "@parley go on");
    await rig.reads(asked.id, /go on[^]*tricted[^·\n]* · [[`<]/);
    expect(told(rig.asked[2])).not.toMatch(/ghp4242|alice7777/);
    expect(told(rig.asked[2])).toMatch(/\[deleted\][^]*and now\?[^]*go on/);
    expect(rig.fake.violations).toEqual([]);
  });

  it("by the host itself, as its progress is with every answer, is nobody's words and sets nothing off", async () => {
    const heard: string[] = [];
    const gate = Promise.withResolvers<void>();
    const rig = await createRig({
      patience: 0,
      answer: (_messages, no) => gate.promise.then(() => textAnswer(`Answer ${no}.`)),
      store: (store) => ({
        ...store,
        allWords: (id) => {
          heard.push(id);
          return store.allWords(id);
        },
      }),
    });
    const asked = rig.fake.as("bob").say("general", "@parley hello?");
    await rig.reads(asked.id, /Still working/);
    gate.resolve();
    await rig.reads(asked.id, /Answer 1\.[^]*tricted[^·\n]* · [[`<]/);
    await rig.fake.waitFor(1, "DELETE /channels/{channel}/messages/{message}");
    rig.fake.as("bob").say(asked.id, "and again?");
    await rig.reads(asked.id, /Answer 2\.[^]*tricted[^·\n]* · [[`<]/);
    expect(heard).toEqual([]);
    rig.fake.as("bob").remove(asked);
    await expect.poll(() => heard.length).toBeGreaterThan(0);
  });

  it("while no process ran is forgotten at the next start, what it began with too; what stands is kept", async () => {
    const rig = await createRig();
    const asked = rig.fake.as("bob").say("general", `@parley ${secret}`);
    await rig.reads(asked.id, /Answer 1\.[^]*tricted[^·\n]* · [[`<]/);
    rig.fake.as("bob").say(asked.id, "and my key is 7777key, is it not?");
    await rig.reads(asked.id, /Answer 2\.[^]*tricted[^·\n]* · [[`<]/);
    rig.fake.as("bob").say(asked.id, "and this may stay");
    await rig.reads(asked.id, /Answer 3\.[^]*tricted[^·\n]* · [[`<]/);
    const post = rig.fake.as("alice").ask("help", { name: "Help", text: "@parley is my 9999post kept?" });
    await rig.reads(post.channel, /Answer 4\.[^]*tricted[^·\n]* · [[`<]/);
    await rig.close();
    const second = rig.fake.world.messages(asked.id).find(({ content }) => content.includes("7777key"));
    rig.fake.as("maria").remove(asked);
    rig.fake.as("maria").remove({ channel: asked.id, id: second?.id ?? "" });
    rig.fake.as("maria").remove({ channel: post.channel, id: post.id });
    expect(stored(rig)).toMatch(/ghp4242[^]*7777key/);
    const next = await rig.restart();
    await expect.poll(() => stored(next)).not.toMatch(/ghp4242|7777key|9999post/);
    expect(stored(next)).toContain("and this may stay");
    expect(rig.fake.violations).toEqual([]);
  });

  it("stops the turn that works with it; several at once go as well, and those of a thread with it", async () => {
    const rig = await createRig({ patience: 0, answer: endless });
    const asked = rig.fake.as("bob").say("general", `@parley ${secret}`);
    await rig.reads(asked.id, /Still working/);
    rig.fake.admin.purge("general", [asked.id]);
    await rig.reads(asked.id, /Stopped: a message that I was using was deleted/);
    await expect.poll(() => stored(rig)).not.toContain("ghp4242");
    const post = rig.fake.as("alice").ask("help", { name: "Help", text: `@parley ${secret}` });
    await rig.reads(post.channel, /Still working/);
    rig.fake.admin.deleteThread(post.channel);
    await expect.poll(() => stored(rig)).not.toContain("ghp4242");
  });
});

/** All words that are kept. */
const stored = (rig: DiscordRig): string =>
  JSON.stringify(
    rig.bot
      .list(10, null)
      .map(({ conversation }) => [
        conversation,
        ...rig.store.allWords(conversation.id).values(),
        ...rig.store.claims(conversation.id),
      ]),
  );

const endless = (_messages: unknown, _no: number, signal: AbortSignal): Promise<ModelOutcome> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve({ kind: "aborted" })));

describe("who is silenced or removed", () => {
  it.each(["ban", "timeOut"] as const)(
    "has their turn stopped at once (%s), and nobody else's",
    async (deed) => {
      const rig = await createRig({ patience: 0, answer: endless });
      const asked = rig.fake.as("bob").say("general", "@parley hello?");
      const other = rig.fake.as("alice").say("general", "@parley hello?");
      await rig.reads(asked.id, /Still working/);
      await rig.reads(other.id, /Still working/);
      if (deed === "ban") rig.fake.admin.ban("Community", "bob");
      else rig.fake.admin.timeOut("Community", "bob", 60_000);
      await rig.reads(asked.id, /Stopped: the person who asked can no longer write here/);
      expect(rig.fake.asText(other.id)).not.toContain("Stopped");
      expect(rig.fake.violations).toEqual([]);
    },
  );
});

describe("a thread that a moderator locked", () => {
  it("is never written to, although the app may manage threads and the thread is archived", async () => {
    const rig = await createRig({ patience: 0, answer: endless });
    rig.fake.admin.giveRole("Community", "parley", "maintainer");
    const asked = rig.fake.as("bob").say("general", "@parley hello?");
    await rig.reads(asked.id, /Still working/);
    rig.fake.as("maria").lock(asked.id);
    rig.fake.as("maria").archive(asked.id);
    const next = await rig.restart();
    const before = rig.fake.asText(asked.id);
    const other = rig.fake.as("alice").say("general", "@parley stop");
    await next.reads("general", /no conversation in this thread/);
    expect(rig.fake.asText(asked.id)).toBe(before);
    expect(rig.fake.asText(other.channel)).toContain("no conversation");
    expect(rig.fake.violations).toEqual([]);
  });
});

describe("who drives", () => {
  it("strangers begin so many turns an hour, maintainers as many as they like, and each is told in private", async () => {
    const rig = await createRig({ env: { PARLEY_NON_APPROVER_TURNS_PER_HOUR: "2" } });
    const asked = rig.fake.as("bob").say("general", "@parley one?");
    await rig.reads(asked.id, /Answer 1\.[^]*tricted[^·\n]* · [[`<]/);
    rig.fake.as("bob").say(asked.id, "two?");
    await rig.reads(asked.id, /Answer 2\.[^]*tricted[^·\n]* · [[`<]/);
    rig.fake.as("bob").say(asked.id, "three?");
    await rig.reads(asked.id, /You have asked 2 times in the past hour[^]*Try again in/);
    expect(await rig.run("bob", "general", "ask", { question: "four?" })).toMatch(/^You have asked 2 times/);
    for (const text of ["@parley one?", "@parley two?", "@parley three?"]) {
      const own = rig.fake.as("maria").say("general", text);
      await rig.reads(own.id, /tricted[^·\n]* · [[`<]/);
    }
    expect(rig.asked).toHaveLength(5);
  });

  it("D53 an answer to the agent's question begins no turn, so the limit does not hold it", async () => {
    const rig = await createRig({
      env: { PARLEY_NON_APPROVER_TURNS_PER_HOUR: "1" },
      tools: { intent: askIntent },
      answer: (_messages, no) =>
        no === 1
          ? toolAnswer({ name: "ask_person", input: { question: "Which cache?" } })
          : textAnswer("Then Redis."),
    });
    const asked = rig.fake.as("bob").say("general", "@parley add a cache");
    await rig.reads(asked.id, /A question for[^]*\[Answer\]/);
    rig.fake.as("bob").say(asked.id, "Redis");
    await rig.reads(asked.id, /Then Redis\.[^]*tricted[^·\n]* · [[`<]/);
    rig.fake.as("bob").say(asked.id, "and now?");
    await rig.reads(asked.id, /You have asked 1 times in the past hour/);
    expect(rig.fake.violations).toEqual([]);
  });

  it("L13 a stranger's turn is Restricted, also in a thread which a maintainer has upgraded", async () => {
    const ran: string[] = [];
    const rig = await createRig({
      tools: {
        run: ({ permission }) => {
          ran.push(permission);
          return Promise.resolve(toolResult("done"));
        },
      },
      answer: (messages) => {
        const last = messages.at(-1)?.content[0];
        if (last?.kind === "toolResult" && !told(messages.slice(-3)).includes("Upgrade"))
          return textAnswer("Done.");
        return last?.kind === "toolResult"
          ? toolAnswer({ id: `b${messages.length}`, name: "bash", input: {} })
          : toolAnswer({
              id: `t${messages.length}`,
              name: told(messages.slice(-1)).includes("Upgrade") ? "request_mode_upgrade" : "bash",
              input: { reason: "to write" },
            });
      },
    });
    const asked = rig.fake.as("maria").say("general", "@parley Upgrade");
    await rig.reads(asked.id, /\[Approve\] \[Deny\]/);
    const question = rig.fake.world
      .messages(asked.id)
      .find(({ components }) => JSON.stringify(components).includes("Approve"));
    rig.fake.as("maria").click({ channel: asked.id, id: question?.id ?? "" }, "Approve");
    await rig.reads(asked.id, /approved\*\* by[^]*tricted[^·\n]* · [[`<]/);
    rig.fake.as("bob").say(asked.id, "@parley and mine");
    await rig.reads(asked.id, /and mine[^]*tricted[^·\n]* · [[`<]/);
    rig.fake.as("maria").say(asked.id, "@parley and mine again");
    await rig.reads(asked.id, /again[^]*tricted[^·\n]* · [[`<]/);
    expect(ran).toEqual(["unrestricted", "restricted", "unrestricted"]);
  });

  it("D1 a stranger works Restricted only, and where the kernel cannot hold it is refused", async () => {
    const rig = await createRig({ confinement: "unavailable" });
    rig.fake.as("bob").say("general", "@parley hello?");
    await rig.reads("general", /sandbox is not available/);
    expect(rig.asked).toHaveLength(0);
    const allowed = rig.fake.as("maria").say("general", "@parley hello?");
    await rig.reads(allowed.id, /tricted[^·\n]* · [[`<]/);
  });

  it("is nobody in direct messages that are off", async () => {
    const rig = await createRig();
    rig.fake.as("bob").whisper("hello?");
    const direct = rig.fake.world.directChannel(rig.fake.as("bob").id);
    await rig.reads(direct.id, /do not answer direct messages here/);
    expect(rig.asked).toHaveLength(0);
  });
});

describe("direct messages where they are allowed", () => {
  it("ask for a repository and go on with what was said", async () => {
    const rig = await createRig({ env: { PARLEY_DISCORD_DIRECT: "on" } });
    const said = rig.fake.as("bob").whisper("what is this?");
    await rig.reads(said.channel, /menu/);
    const menu = rig.fake.world.messages(said.channel).at(-1);
    rig.fake.as("bob").choose({ channel: said.channel, id: menu?.id ?? "" }, "acme/web");
    expect(await rig.reads(said.channel, /Answer 1\./)).not.toContain("menu");
    expect(told(rig.asked[0])).toContain("https://github.com/acme/web.git");
    expect(rig.fake.violations).toEqual([]);
  });
});

describe("a version", () => {
  it("bound to a channel is what its conversations work on, and the answer names it", async () => {
    const rig = await createRig({ bound: ["general"] });
    const repo = { name: "acme/api@v2.1" };
    expect(await rig.run("maria", "general", "parley repo", repo)).toContain("works on acme/api@v2.1");
    const asked = rig.fake.as("bob").say("general", "@parley what is this?");
    const text = await rig.reads(asked.id, /tricted[^·\n]* · [[`<]/);
    expect(text).toContain("(`v2.1`)");
    expect(text).toMatch(/\[`acme\/api@abc1234`\][^ ]* \(`v2\.1`\)/);
    expect(told(rig.asked[0])).toContain("(v2.1)");
  });

  it("named by a forum's tag is that of the post, whatever the forum is bound to", async () => {
    const rig = await createRig({
      fake: {
        guilds: [
          {
            name: "acme",
            channels: [{ name: "help", kind: "forum", tags: ["bug", "@v1.x"] }],
            members: [{ name: "alice" }],
          },
        ],
      },
      bound: ["help"],
    });
    const post = rig.fake
      .as("alice")
      .ask("help", { name: "Broken", text: "@parley why?", tags: ["bug", "@v1.x"] });
    expect(await rig.reads(post.channel, /tricted[^·\n]* · [[`<]/)).toContain("(`v1.x`)");
    const other = rig.fake.as("alice").ask("help", { name: "Other", text: "@parley why?", tags: ["bug"] });
    expect(await rig.reads(other.channel, /tricted[^·\n]* · [[`<]/)).toMatch(/acme\/api@\w{7}`\]\(\S+\) · /);
  });
});
