/** What holds of every thread, at the wire and with the real SDKs: the rows TA3 to TA27 that no other test holds. */

import { createManualClock } from "../runtime/world.ts";
import { describe, expect, it, vi } from "vitest";
import { createRig as createDiscordRig } from "../adapters/discord/rig.ts";
import { inPieces, OFTEN } from "../adapters/rig.ts";
import { fills, NEARLY_FULL } from "../adapters/filling.ts";
import { createRig as createSlackRig, type SlackRig } from "../adapters/slack/rig.ts";
import { SUDO, textAnswer, toolAnswer, toolResult } from "../runtime/world.ts";
import { calling, DIFF, inTurn, PATCH, READ, scenarioOf, TEST, tools, UPGRADE } from "./scenarios.ts";
import { discordStage, slackStage } from "./stage.ts";

const times = (text: string, part: string): number => text.split(part).length - 1;

const code = (no: number): string =>
  `Part ${no}:\n\n\`\`\`ts\n${`export const value${no} = ${no};\n`.repeat(90)}\`\`\`\n\n`;

/** The answer stands before what it replaces has gone: waits until the thread holds so many messages. */
const standing = (
  { fake: { world } }: SlackRig,
  { channel, ts }: { readonly channel: string; readonly ts: string },
  count: number,
): Promise<void> => vi.waitFor(() => expect(world.thread(channel, ts)).toHaveLength(count), OFTEN);

describe.each([
  ["Slack", slackStage],
  ["Discord", discordStage],
] as const)("a thread on %s", (_, open) => {
  it("of a change holds its question, which keeps its place and says who decided, and its answer (TA3, TA4)", async () => {
    const { options, play } = scenarioOf("04-change");
    const stage = await open(options);
    let asked = "";
    await play({
      ...stage,
      click: async (who, label) => {
        if (label === "Approve") {
          await stage.until(/\[Approve\]/);
          asked = stage.posts().at(-1)?.id ?? "";
        }
        await stage.click(who, label);
      },
    });
    await stage.story();
    const [question, answer, ...more] = stage.posts();
    expect(more).toEqual([]);
    expect(question?.id).toBe(asked);
    expect(question?.shown).toMatch(/approved\*+ by/);
    expect(question?.shown).not.toMatch(/"?parley_approve/);
    expect(answer?.shown).not.toMatch(/approved|Now Unrestricted|may write/);
    expect([question, answer].map((one) => times(one?.shown ?? "", "+It is bright."))).toEqual([0, 1]);
  });

  it.each([
    ["restrict", /back to Restricted[^]*All done\./],
    ["stop", /not decided\*+ \([^]*stopped the turn/],
  ])("40.B keeps no card of a question that %s ends", async (order, end) => {
    const stage = await open({
      tools: { ...tools, dangers: () => Promise.resolve([SUDO]) },
      answer: calling("All done.", UPGRADE, { name: "bash", input: { command: "sudo ls" } }),
    });
    stage.say(stage.approver, "@parley Fix it");
    await stage.click(stage.approver, "Approve");
    await stage.until(/\[Once\]/);
    const shown = (): string =>
      stage
        .posts()
        .map((post) => post.shown)
        .join("\n");
    expect(shown()).toContain('"Once"');
    stage.say(stage.approver, `@parley ${order}`);
    await stage.until(end);
    await vi.waitFor(() => expect(shown()).not.toMatch(/"(Once|This thread|Deny)"/), OFTEN);
    await stage.story();
  });

  it("shows no remark before a tool, and a diff that the answer repeats once (TA5, TA23)", async () => {
    const remark = toolAnswer(UPGRADE);
    const first =
      remark.kind === "answered"
        ? { ...remark, blocks: [{ kind: "text", text: "Let me look." } as const, ...remark.blocks] }
        : remark;
    const other = "```diff\n+Something else.\n```";
    const stage = await open({
      tools,
      answer: inTurn(
        first,
        toolAnswer(PATCH),
        textAnswer(`Done:\n\n\`\`\`diff\n${DIFF}\`\`\`\n\nNot done:\n\n${other}`),
      ),
    });
    stage.say(stage.approver, "@parley Add it");
    await stage.click(stage.approver, "Approve");
    await stage.until(/Not done[^]*Unrestricted/);
    await stage.story();
    const shown = stage.posts().map((post) => post.shown);
    expect(shown).toHaveLength(2);
    expect(shown.join("")).not.toContain("Let me look.");
    expect(times(shown.join(""), "+It is bright.")).toBe(1);
    expect(times(shown.join(""), "+Something else.")).toBe(1);
  });

  it("has at most three messages for a long answer, or one and a file, with every fence closed (TA9)", async () => {
    const answer = `${[1, 2, 3, 4, 5].map(code).join("")}${"And so it goes on. ".repeat(300)}`;
    expect(answer.length).toBeGreaterThan(15_000);
    const stage = await open({ answer: () => textAnswer(answer) });
    stage.say("bob", "@parley Show all");
    await stage.until(/Restricted · /);
    await stage.story();
    await expect.poll(() => stage.posts().length, OFTEN).toBeLessThanOrEqual(3);
    for (const { shown } of stage.posts()) {
      const { files: _files, ...seen } = JSON.parse(shown);
      expect(times(JSON.stringify(seen), "```") % 2).toBe(0);
    }
  });

  it("of helpers, or of a context that fills up or is full, is one message (TA24)", async () => {
    for (const name of ["08-helpers", "09-full"]) {
      const { options, play } = scenarioOf(name);
      const stage = await open(options);
      await play(stage);
      await stage.story();
      expect(stage.posts()).toHaveLength(1);
    }
    const stage = await open({ answer: fills(NEARLY_FULL) });
    stage.say("bob", "@parley Why does it fail?");
    await stage.until(/It may be the cache\.[^]*82 % full: `@parley continue` continues in a new thread/);
    await stage.story();
    expect(stage.posts()).toHaveLength(1);
  });

  it("that waits for the model says so nowhere, and holds the answer alone (TA16)", async () => {
    const stage = await open({
      answer: (_messages, no) =>
        no < 3
          ? { kind: "failed", failure: { kind: "overloaded", message: "Overloaded.", retryAfter: 10 } }
          : textAnswer("Here it is."),
    });
    stage.say("bob", "@parley Where?");
    await stage.until(/Here it is\.[^]*Restricted/);
    await stage.story();
    expect(stage.posts()).toHaveLength(1);
    expect(stage.posts()[0]?.shown).not.toMatch(/verloaded|try|fail/);
  });

  it("that gave up tries again once, in a message of its own (TA17)", async () => {
    const { options, play } = scenarioOf("07-model-trouble");
    const stage = await open(options);
    await play(stage);
    await stage.story();
    const [failed, again, ...more] = stage.posts();
    expect(more).toEqual([]);
    expect(failed?.shown).not.toContain("parley_retry");
    expect(again?.shown).toContain("It works again.");
  });

  it("that was stopped says after how much, and whether anything was changed (TA20)", async () => {
    const stage = await open({
      patience: 0,
      answer: (_messages, _no, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve({ kind: "aborted" }));
        }),
    });
    stage.say("bob", "@parley Think");
    await stage.until(/\[Stop\]/);
    stage.say("bob", "@parley stop");
    await stage.until(/Stopped by @bob\. Nothing was changed\.[^]*Restricted/);
    await stage.story();
    await expect.poll(() => stage.posts().length, OFTEN).toBe(1);
  });

  it("takes nothing that the model writes for the host's word (TA22)", async () => {
    const stage = await open({
      answer: () => textAnswer("-# Unrestricted · acme/api\n\nApproved by @alice.\n\n> -# Restricted"),
    });
    stage.say("bob", "@parley Who may?");
    await stage.until(/Approved by @alice[^]*\nRestricted|Approved by @alice[^]*-# Restricted · /);
    await stage.story();
    const { blocks, content } = JSON.parse(stage.posts()[0]?.shown ?? "{}");
    if (stage.platform === "discord") {
      expect(String(content).match(/^(?:> )?-# /gm)).toHaveLength(1);
    } else {
      const holding = [blocks].flat().filter((block) => JSON.stringify(block).includes("Approved by"));
      expect(holding.map(({ type }) => type)).toEqual(["markdown"]);
    }
  });
});

it("TA6 on Slack the first block is the answer, its text holds the whole of it, and one context line follows", async () => {
  const rig = await createSlackRig({
    env: { PARLEY_SLACK_STREAMS: "off" },
    answer: () => textAnswer("The policy tries five times and says so. ".repeat(75).trim()),
  });
  const root = rig.fake.as("bob").say("@parley How?", { channel: "general" });
  await rig.thread(root, /Restricted · /);
  const [made] = rig.fake.calls.filter(({ method }) => method === "chat.postMessage");
  const { blocks, text } = Object(made?.args);
  const [first, ...rest] = [blocks].flat();
  expect(first).toMatchObject({ type: "markdown" });
  expect(String(text)).toMatch(/^The policy tries/);
  expect(times(String(text), "says so.")).toBe(75);
  expect(rest.filter(({ type }) => type === "context")).toHaveLength(1);
});

it("TA7 on Discord an answer and a question have words for the push and a button; nothing is mentioned by the model", async () => {
  const rig = await createDiscordRig({ tools, answer: calling("Done.", UPGRADE, PATCH) });
  const asked = rig.fake.as("bob").say("general", "@parley Add it");
  await rig.reads(asked.id, /\[Approve\]/);
  const card = rig.fake.world
    .messages(asked.id)
    .findLast(({ components }) => JSON.stringify(components).includes("Approve"));
  rig.fake.as("maria").click({ channel: asked.id, id: card?.id ?? "" }, "Approve");
  await rig.reads(asked.id, /Done\.[^]*Unrestricted/);
  const made = rig.fake.calls.filter(
    ({ route, params }) => route === "POST /channels/{channel}/messages" && params["channel"] === asked.id,
  );
  for (const { body } of made) {
    const { content, flags, components, allowed_mentions: allowed } = Object(body);
    expect(String(content)).toMatch(/\w/);
    expect(Number(flags) & (32_768 | 4_096)).toBe(0);
    expect(JSON.stringify(components)).toContain('"style"');
    expect(allowed).toMatchObject({ parse: [] });
  }
  expect(made.length).toBeGreaterThanOrEqual(2);
});

it("TA25 an answer with a long diff is one upload, with its text", async () => {
  const { options, play } = scenarioOf("14-files");
  const stage = await slackStage(options);
  await play(stage);
  await stage.story();
  expect(stage.posts()).toHaveLength(2);
});

// How many of them are streams is held by test/runtime/deliver/pacing.test.ts, on a clock of its own.
it("TA27 twenty questions at once leave a message each", async () => {
  const answer = "A sentence of the answer, which is long enough to be read while it is written. ".repeat(12);
  const rig = await createSlackRig({
    stream: inPieces(answer, 120),
    answer: () => textAnswer(answer),
  });
  const roots = Array.from({ length: 20 }, (_, no) =>
    rig.fake.as("bob").say(`@parley Question ${no}?`, { channel: "general" }),
  );
  for (const root of roots) await rig.thread(root, /A sentence of the answer[^]*Restricted · /);
  for (const root of roots) await standing(rig, root, 2);
  expect(rig.fake.violations).toEqual([]);
});

it("TA14 what takes longer than people wait has one working card on Slack, which is stopped and removed", async () => {
  const gate = Promise.withResolvers<void>();
  const rig = await createSlackRig({
    patience: 0,
    tools: {
      run: async ({ input }) => {
        if (JSON.stringify(input).includes("npm test")) await gate.promise;
        return toolResult("3 passed\n");
      },
    },
    answer: calling("All three pass.", READ, TEST),
  });
  const root = rig.fake.as("bob").say("@parley Do the tests pass?", { channel: "general" });
  await rig.thread(
    root,
    /Still working \(Restricted\): running npm test\. 1 step so far\. The answer will be posted here\./,
  );
  gate.resolve();
  await rig.thread(root, /All three pass\.[^]*Restricted · /);
  await standing(rig, root, 2);
  const methods = rig.fake.calls.map(({ method }) => method);
  expect(methods.filter((method) => /^chat\.(postMessage|startStream)$/.test(method))).toEqual([
    "chat.startStream",
    "chat.postMessage",
  ]);
  expect(methods.filter((method) => /^chat\.(stopStream|delete)$/.test(method))).toEqual([
    "chat.stopStream",
    "chat.delete",
  ]);
  expect(rig.fake.violations).toEqual([]);
});

it("TA14 what takes longer than people wait has one working card on Discord, silent, which is removed", async () => {
  const gate = Promise.withResolvers<void>();
  const rig = await createDiscordRig({
    patience: 0,
    tools: {
      run: async () => {
        await gate.promise;
        return toolResult("3 passed\n");
      },
    },
    answer: calling("All three pass.", TEST),
  });
  const asked = rig.fake.as("bob").say("general", "@parley Do the tests pass?");
  await rig.reads(
    asked.id,
    /Still working \(Restricted\): running `npm test`\. The answer will be posted here\./,
  );
  gate.resolve();
  await rig.reads(asked.id, /All three pass\.[^]*Restricted · /);
  await vi.waitFor(() => {
    const stand = rig.fake.asText(asked.id).match(/--- from: @parley/g);
    expect(stand).toHaveLength(1);
  }, OFTEN);
  const made = rig.fake.calls.filter(({ route }) => route === "POST /channels/{channel}/messages");
  // The first of them opens the thread: it is tried twice.
  const flags = new Map(made.map(({ body }) => [Object(body).nonce, Number(Object(body).flags) & 4_096]));
  expect([...flags.values()]).toEqual([4_096, 0]);
  expect(rig.fake.violations).toEqual([]);
});

it("TA13 Slack's status names what runs, comes within a second and is over with the answer", async () => {
  const clock = createManualClock();
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const rig = await createSlackRig({
    clock,
    tools: {
      run: async () => {
        begun.resolve();
        await gate.promise;
        return toolResult("3 passed\n");
      },
    },
    answer: calling("They pass.", { name: "bash", input: { command: "npm test <!channel>" } }),
  });
  const root = rig.fake.as("bob").say("@parley Do the tests pass?", { channel: "general" });
  const statuses = () =>
    rig.fake.calls.flatMap(({ method, args, exchange }) =>
      method === "assistant.threads.setStatus" ? [{ text: String(args["status"]), at: exchange.at }] : [],
    );
  await begun.promise;
  const named = (): string | undefined => {
    // The first one waits less than a second, the next ones three.
    clock.advance(1_000);
    return statuses().at(-1)?.text;
  };
  await expect.poll(named, OFTEN).toMatch(/^is running npm test </);
  await rig.fake.settled();
  const texts = statuses().map(({ text }) => text);
  expect(texts).toEqual([...new Set(texts)]);
  expect(JSON.stringify(statuses())).not.toContain("<!channel>");
  gate.resolve();
  clock.advance(3_000);
  await rig.thread(root, /They pass\.[^]*Restricted/);
  await rig.fake.settled();
  const answered = rig.fake.calls.find(({ method }) => method === "chat.postMessage")?.exchange.at ?? 0;
  expect(statuses().filter(({ at, text }) => at > answered && text !== "")).toEqual([]);
  expect(rig.fake.violations).toEqual([]);
});
