/**
 * An answer read while it is written (TA1): one message, made once there is more of it than may still be a remark, whose words
 * at any moment begin the answer that stands in the end.
 */

import { describe, expect, it, vi } from "vitest";
import { textAnswer, toolAnswer, toolResult } from "../runtime/world.ts";
import { createRig as createDiscordRig } from "./discord/rig.ts";
import { type HostOptions, inPieces, OFTEN } from "./rig.ts";
import { createRig as createSlackRig } from "./slack/rig.ts";

/** 2,000 characters, as Discord counts them 3,000: prose with citations, a list, code and a table. */
const ANSWER = [
  "The retry policy stands in `src/retry.ts:5`, and what it waits in src/wait.ts:12-14. ",
  "It tries **five times** and doubles the wait each time; see [the page](https://example.com/x) for why. ".repeat(
    6,
  ),
  "\n\n- one: `npm test` runs it\n- two: nothing else does\n\n```ts\nexport const tries = 5;\n```\n\n",
  "| try | wait |\n|---|---|\n| 1 | 200 ms |\n| 2 | 400 ms |\n\n",
  "What happens behind the last try is told in `src/last.ts:7`: it gives up and says so to whoever asked. ".repeat(
    6,
  ),
].join("");

const streamed = inPieces(ANSWER, Math.ceil(ANSWER.length / 50), 20);

/** A model that writes `remark` with the call of a tool, and answers in the end. */
const remarking = (remark: string, call: Called, end: string): Remarking => {
  let isTold = false;
  return {
    stream: async (text) => {
      if (isTold) return;
      isTold = true;
      await inPieces(remark, 12, 2)(text);
    },
    answer: (_messages, no) => {
      const calls = toolAnswer(call);
      if (no > 1 || calls.kind !== "answered") return textAnswer(end);
      return { ...calls, blocks: [{ kind: "text", text: remark }, ...calls.blocks] };
    },
  };
};

type Called = { readonly name: string; readonly input: unknown };

type Remarking = Required<Pick<HostOptions, "stream" | "answer">>;

/** Without what stands below the answer, and as far as blanks do not show. */
const wordsOf = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

const beginEachOther = (shown: readonly string[]): void => {
  for (const [index, text] of shown.slice(1).entries()) {
    const before = wordsOf(shown[index] ?? "");
    expect(wordsOf(text).slice(0, before.length)).toBe(before);
  }
};

const slackText = (args: unknown): string =>
  [Object(args).blocks]
    .flat()
    .filter((block) => block?.type === "markdown")
    .map((block) => String(block.text))
    .join("\n");

/** Calls that change the thread, by their methods. */
const writesOf = ({ fake }: Awaited<ReturnType<typeof createSlackRig>>): readonly string[] =>
  fake.calls.map(({ method }) => method).filter((method) => method.startsWith("chat."));

const STREAM = ["chat.startStream", "chat.appendStream", "chat.stopStream"];

describe("an answer on Slack, where it is edited", () => {
  it("is one message that grows by its last words, and is found whole in the end", async () => {
    const rig = await createSlackRig({
      env: { PARLEY_SLACK_STREAMS: "off" },
      stream: streamed,
      answer: () => textAnswer(ANSWER),
    });
    const root = rig.fake.as("bob").say("@parley How does it retry?", { channel: "general" });
    const text = await rig.thread(root, /to whoever asked\.\s+Restricted/);
    const calls = rig.fake.calls.filter(({ method }) => /^chat\.(postMessage|update)$/.test(method));
    expect(calls.map(({ method }) => method)).toEqual([
      "chat.postMessage",
      ...calls.slice(1).map(() => "chat.update"),
    ]);
    expect(calls.length).toBeGreaterThan(2);
    beginEachOther(calls.map(({ args }) => slackText(args)));
    expect(text.match(/--- from: parley/g)).toHaveLength(1);
    expect(rig.fake.calls.some(({ method }) => method === "chat.delete")).toBe(false);
    expect(rig.fake.violations).toEqual([]);
  });
});

const asking = async ({
  said = "@parley How does it retry?",
  ...options
}: Parameters<typeof createSlackRig>[0] & { readonly said?: string } = {}) => {
  const rig = await createSlackRig({ stream: streamed, answer: () => textAnswer(ANSWER), ...options });
  const root = rig.fake.as("bob").say(said, { channel: "general" });
  return { rig, root, ours: () => rig.fake.world.thread(root.channel, root.ts).slice(1) };
};

/** What a stream leaves where anything about it was in doubt: the answer, posted whole. */
const standsWhole = async ({ rig, root, ours }: Awaited<ReturnType<typeof asking>>): Promise<void> => {
  await rig.thread(root, /to whoever asked\.\s+Restricted/);
  await expect.poll(() => ours().map(({ stream }) => stream), OFTEN).toEqual([undefined]);
  const text = await rig.thread(root, /to whoever asked\.\s+Restricted/);
  expect(text.match(/The retry policy stands/g)).toHaveLength(1);
  expect(writesOf(rig)).toContain("chat.postMessage");
  expect(rig.fake.violations).toEqual([]);
};

describe("an answer on Slack, as a native stream", () => {
  it("becomes the answer at its stop, with its key and what stands below it", async () => {
    const { rig, root, ours } = await asking();
    await rig.thread(root, /to whoever asked\.\s+Restricted/);
    const writes = writesOf(rig);
    expect(writes[0]).toBe("chat.startStream");
    expect(writes.at(-1)).toBe("chat.stopStream");
    expect(writes.every((method) => STREAM.includes(method))).toBe(true);
    expect(ours()).toMatchObject([{ stream: "completed", metadata: { event_type: "parley_post" } }]);
    const next = await rig.restart();
    rig.fake.as("bob").say("@parley And why?", { channel: "general", thread: root.ts });
    await next.thread(root, /And why\?[^]*to whoever asked/);
    expect(next.fake.violations).toEqual([]);
    expect(ours()).toHaveLength(3);
  });

  it.each([
    [
      "an append that was not acknowledged",
      "chat.appendStream",
      { kind: "cut", applied: true, how: "reset" },
    ],
    ["a stop that did not arrive", "chat.stopStream", { kind: "cut", applied: false, how: "reset" }],
    [
      "an end that Slack made",
      "chat.appendStream",
      { kind: "error", error: "message_not_in_streaming_state" },
    ],
  ] as const)("after %s it is removed, and the answer posted whole", async (_, method, fault) => {
    const asked = asking();
    const { rig } = await asked;
    rig.fake.fault(fault, { times: 1, match: { method } });
    await standsWhole(await asked);
    expect(writesOf(rig)).toContain("chat.delete");
  });

  it("whose stop was not acknowledged is the answer all the same: it carries its key", async () => {
    const { rig, root, ours } = await asking();
    rig.fake.fault(
      { kind: "cut", applied: true, how: "reset" },
      { times: 1, match: { method: "chat.stopStream" } },
    );
    await rig.thread(root, /to whoever asked\.\s+Restricted/);
    await expect
      .poll(() => writesOf(rig).filter((method) => method === "chat.stopStream"), OFTEN)
      .toHaveLength(1);
    const next = await rig.restart();
    await next.fake.settled();
    expect(ours()).toMatchObject([{ stream: "completed" }]);
    expect(writesOf(rig)).not.toContain("chat.delete");
    expect(rig.fake.violations).toEqual([]);
  });

  it("whose beginning was not acknowledged is found and removed, and the answer posted whole", async () => {
    const asked = await asking();
    asked.rig.fake.fault(
      { kind: "cut", applied: true, how: "reset" },
      { times: 1, match: { method: "chat.startStream" } },
    );
    await standsWhole(asked);
  });

  it("that Slack refuses is edited instead, and none is tried for an hour", async () => {
    const asked = await asking();
    asked.rig.fake.fault(
      { kind: "error", error: "feature_not_enabled" },
      { match: { method: "chat.startStream" } },
    );
    await standsWhole(asked);
    expect(writesOf(asked.rig).filter((method) => method === "chat.startStream")).toHaveLength(1);
    expect(writesOf(asked.rig)).not.toContain("chat.delete");
  });

  it("of a process that ended meanwhile is removed by the next one, which says what happened", async () => {
    const gate = Promise.withResolvers<void>();
    const { rig, root, ours } = await asking({
      stream: async (text) => {
        text(ANSWER.slice(0, 900));
        await gate.promise;
      },
    });
    await expect.poll(() => ours().map(({ stream }) => stream), OFTEN).toEqual(["in_progress"]);
    const next = await rig.restart();
    await next.thread(root, /I was restarted/);
    await expect.poll(() => ours().map(({ stream }) => stream), OFTEN).toEqual([undefined]);
    expect(next.fake.violations).toEqual([]);
    gate.resolve();
  });

  it("shows an address that nobody else wrote as code", async () => {
    const plain = `${"It tries five times and waits in between, as the page says. ".repeat(12)}\nhttps://example.com/page\n\nto whoever asked.`;
    const { rig, root } = await asking({ stream: inPieces(plain, 60), answer: () => textAnswer(plain) });
    const text = await rig.thread(root, /to whoever asked\.\s+Restricted/);
    expect(text).toContain("`https://example.com/page`");
    expect(writesOf(rig)[0]).toBe("chat.startStream");
  });

  it("with an address that Slack would show a preview of is posted whole", async () => {
    const plain = `${"It tries five times and waits in between, as the page says. ".repeat(12)}\nhttps://example.com/page\n\nto whoever asked.`;
    const asked = await asking({
      stream: inPieces(plain, 60),
      answer: () => textAnswer(plain),
      said: "@parley How does it retry? https://example.com/page",
    });
    await asked.rig.thread(asked.root, /to whoever asked\.\s+Restricted/);
    await expect.poll(() => asked.ours().map(({ stream }) => stream), OFTEN).toEqual([undefined]);
  });

  it("is stopped before the rest of a long one is posted: a host that ends in between moves nothing", async () => {
    const long = `${"A sentence of the long answer that goes on for a while. ".repeat(230)}to whoever asked.`;
    const { rig, root } = await asking({
      stream: inPieces(long.slice(0, 900), 90),
      answer: () => textAnswer(long),
    });
    await rig.thread(root, /to whoever asked\.\s+Restricted/);
    const made = writesOf(rig).filter((method) => method !== "chat.appendStream");
    expect(made.slice(0, 3)).toEqual(["chat.startStream", "chat.stopStream", "chat.postMessage"]);
  });

  it("of more than a message is stopped where the next one goes on", async () => {
    const long = `${"A sentence of the long answer that goes on for a while. ".repeat(230)}to whoever asked.`;
    const { rig, root, ours } = await asking({
      stream: inPieces(long, 900),
      answer: () => textAnswer(long),
    });
    const text = await rig.thread(root, /to whoever asked\.\s+Restricted/);
    // The rest is a stream too, or is posted whole if the answer has ended.
    await expect
      .poll(() => ours().map(({ stream }) => stream ?? "completed"), OFTEN)
      .toEqual(["completed", "completed"]);
    expect(text.match(/A sentence of/g)).toHaveLength(230);
    expect(writesOf(rig)).not.toContain("chat.delete");
  });
});

/** Longer than a sentence that is shown at once, and shorter than what is certain to belong to the answer. */
const REMARK =
  "First I look at how it is done today, in the files and in all the tests that use them. Then I say. ";
const LOOK = { name: "bash", input: { command: "ls" } };

/** Another look, with the remark before it. */
const lookAgain = () => {
  const calls = toolAnswer({ ...LOOK });
  return calls.kind === "answered"
    ? { ...calls, blocks: [{ kind: "text" as const, text: REMARK }, ...calls.blocks] }
    : calls;
};

/** A model that waits behind its remark, and a tool that waits, each until the test opens it. */
const remarkingSlowly = (remark: string) => {
  const [said, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { stream, answer } = remarking(remark, LOOK, "So it is.");
  return {
    openModel: said.resolve,
    openTool: done.resolve,
    options: {
      tools: { run: () => done.promise.then(() => toolResult("done")) },
      answer,
      stream: async (text: (piece: string) => void) => {
        await stream(text);
        await said.promise;
      },
    },
  };
};

describe("the first sentence of a turn on Slack", () => {
  it.each(["all", "off"])(
    "is shown before the model has ended, stays while the tool runs, and gives way to the answer by an edit (streams: %s)",
    async (streams) => {
      const { options, openModel, openTool } = remarkingSlowly(REMARK);
      const { rig, root, ours } = await asking({ ...options, env: { PARLEY_SLACK_STREAMS: streams } });
      await rig.thread(root, /First I look at how/);
      const [first] = ours();
      openModel();
      await rig.thread(root, /First I look at how[^]*Then I say\./);
      openTool();
      const text = await rig.thread(root, /So it is\.\s+Restricted/);
      expect(text).not.toContain("First I look");
      expect(ours().map(({ ts }) => ts)).toEqual([first?.ts]);
      expect(writesOf(rig)).not.toContain("chat.delete");
      expect(rig.fake.violations).toEqual([]);
    },
  );

  it("is not shown if it is short: it may be the status of a tool", async () => {
    const { options, openModel, openTool } = remarkingSlowly("First I look at it. Then I say. ");
    const { rig, root, ours } = await asking(options);
    openModel();
    openTool();
    await rig.thread(root, /So it is\.\s+Restricted/);
    expect(ours()).toHaveLength(1);
    expect(writesOf(rig).filter((method) => method !== "chat.update")).toHaveLength(1);
  });

  it("is not shown after a tool of the turn: only the answer is", async () => {
    const { options, openModel, openTool } = remarkingSlowly("");
    let isAnswer = false;
    const { rig, root } = await asking({
      ...options,
      stream: async (text) => {
        if (isAnswer) await inPieces(REMARK, 12, 2)(text);
        isAnswer = true;
      },
      answer: (messages, no, ...rest) =>
        no > 2 ? textAnswer("So it is.") : no > 1 ? lookAgain() : options.answer(messages, no, ...rest),
    });
    openModel();
    openTool();
    await rig.thread(root, /So it is\.[^]*Restricted/);
    expect(rig.fake.calls.some(({ args }) => JSON.stringify(args).includes("First I look"))).toBe(false);
  });
});

const discordText = (body: unknown): string =>
  [
    Object(body).content ?? "",
    ...[Object(body).components ?? []].flat().map((one) => one.content ?? ""),
  ].join("\n");

describe("an answer on Discord", () => {
  it("is one message that grows by its last words, and is found whole in the end", async () => {
    const rig = await createDiscordRig({ stream: streamed, answer: () => textAnswer(ANSWER) });
    const asked = rig.fake.as("bob").say("general", "@parley How does it retry?");
    const text = await rig.reads(asked.id, /to whoever asked\.\s+-# Restricted/);
    const posts = rig.fake.calls.filter(({ route }) => route === "POST /channels/{channel}/messages");
    const edits = rig.fake.calls.filter(
      ({ route }) => route === "PATCH /channels/{channel}/messages/{message}",
    );
    // The first of them opens the thread.
    expect(new Set(posts.map(({ body }) => Object(body).nonce)).size).toBe(1);
    expect(edits.length).toBeGreaterThan(0);
    beginEachOther([...posts, ...edits].map(({ body }) => discordText(body).replace(/-# [^\n]*$/, "")));
    expect(text.match(/--- from: @parley/g)).toHaveLength(1);
    expect(rig.fake.violations).toEqual([]);
  });

  it("that turns out to be a remark before a tool stays in the message, and what follows goes on from it", async () => {
    const remark = "First I look at how it is done today, and then at who uses it. ".repeat(9).trim();
    const rig = await createDiscordRig({
      tools: { run: () => Promise.resolve(toolResult("done")) },
      ...remarking(remark, { name: "bash", input: { command: "ls" } }, "So it is."),
    });
    const asked = rig.fake.as("bob").say("general", "@parley How is it done?");
    const text = await rig.reads(asked.id, /So it is\.\s+-# Restricted/);
    expect(text.match(/--- from: @parley/g)).toHaveLength(1);
    expect(rig.fake.violations).toEqual([]);
  });

  it("gives its first sentence at once, which gives way to the answer by an edit after a tool", async () => {
    const { options, openModel, openTool } = remarkingSlowly(REMARK);
    const rig = await createDiscordRig(options);
    const asked = rig.fake.as("bob").say("general", "@parley How is it done?");
    await rig.reads(asked.id, /First I look at how/);
    openModel();
    openTool();
    const text = await rig.reads(asked.id, /So it is\.\s+-# Restricted/);
    expect(text).not.toContain("First I look");
    expect(text.match(/--- from: @parley/g)).toHaveLength(1);
    expect(rig.fake.calls.some(({ route }) => route.startsWith("DELETE"))).toBe(false);
    expect(rig.fake.violations).toEqual([]);
  });

  it.each([9, 2])(
    "that turns out to belong to a question stands there if it is long, and nowhere else (%i sentences)",
    async (sentences) => {
      const plan = "I would change the file, run all of the tests and tell you at once what came of it then. "
        .repeat(sentences)
        .trim();
      const asks = { name: "request_mode_upgrade", input: { reason: "to change it" } };
      const rig = await createDiscordRig(remarking(plan, asks, "Then I leave it."));
      const asked = rig.fake.as("maria").say("general", "@parley Change it");
      await rig.reads(asked.id, /to change it[^]*\[Approve\] \[Deny\]/);
      await vi.waitFor(
        () => expect(rig.fake.asText(asked.id).match(/--- from: @parley/g)).toHaveLength(1),
        OFTEN,
      );
      expect(rig.fake.asText(asked.id).includes("> I would change")).toBe(sentences > 2);
      expect(rig.fake.violations).toEqual([]);
    },
  );
});
