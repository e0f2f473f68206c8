/**
 * The same question, by another person: the old answer at once, with its age, its link and *Ask again from scratch*. Real are sandbox,
 * git, store, delivery and the platforms' own clients on wire-level servers; the model's words are not.
 */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../../sandbox/types.ts";
import { systemClock } from "../../../src/app/system-clock.ts";
import type { Answer } from "../../../src/ports/answers.ts";
import { createCitationTracker } from "../../../src/features/answers/citations/lines.ts";
import {
  createStalenessChecks,
  type AnswerRechecks,
} from "../../../src/features/answers/staleness-checks.ts";
import { createReuse } from "../../../src/features/answers/reuse.ts";
import { createRig as createDiscordRig, type DiscordRig } from "../../adapters/discord/rig.ts";
import { type HostOptions, told } from "../../adapters/rig.ts";
import { createRig as createSlackRig, type SlackRig } from "../../adapters/slack/rig.ts";
import { textAnswer } from "../../runtime/world.ts";
import { commit, createScene, type Scene, startSandbox } from "../../workspace/scene.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const FILE = "export const FIRST = 1;\nexport const ATTEMPTS = 3;\n";
const ANSWER = "Set `ATTEMPTS` in `src/retry.js:2`: uploads are tried three times.";
const ASKED = "How can I change how often uploads are tried?";
const LIKE = "is there a setting for how often an upload is tried";
const AGAIN = "Hi, how can i change how often uploads are tried";

type Rig = Pick<DiscordRig | SlackRig, "answers" | "bot">;

/** Who can read what was posted, as it is found out some seconds later. Answers what there is, the newest first. */
const place = async (
  { answers }: Rig,
  audience: "public" | "private" = "public",
): Promise<readonly Answer[]> => {
  for (const { conversation, message } of answers.answersPage(0, null, 10_000))
    await answers.setAudience({ conversation, message }, audience);
  return answers.answersPage(0, null, 10_000);
};

/** A repository that acme/api stands for, and a database whose answers are given again. */
const createSource = async (scene: Scene) => {
  const path = await scene.repository("api");
  const push = (text: string) => commit(path, { "src/retry.js": text });
  const base = await push(FILE);
  const repo = { kind: "path", location: path } as const;
  const { workspaces } = scene;
  let looks: AnswerRechecks | null = null;
  const options = {
    answer: (_, no) => textAnswer(no > 1 ? `Answer ${no}: ${ANSWER}` : ANSWER),
    citations: workspaces,
    workspaces: {
      ...workspaces,
      open: (conversation, hooks) => workspaces.open({ ...conversation, repo }, hooks),
    },
    reuse: (routes, opened) =>
      createReuse({
        ...opened,
        ...routes,
        threads: opened.ledger,
        holding: (id) => looks?.holding(id) ?? Promise.resolve(null),
        clock: systemClock,
        days: 90,
      }),
  } satisfies HostOptions;
  const tracker = createCitationTracker(workspaces.commits);
  const lookOn = ({ answers, bot }: Rig, surface: DiscordRig["discord"]): AnswerRechecks => {
    looks = createStalenessChecks({
      answers,
      lines: {
        tip: (_, __, signal) => {
          scene.clock.advance(1);
          return tracker.tip(repo, scene.clock.now(), signal);
        },
        compare: tracker.compare,
      },
      knowledge: { stands: () => [] },
      nameOf: () => "github.com/acme/api",
      readThread: (_, thread) => surface.readThread(thread),
      shown: bot.shown,
      clock: systemClock,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      days: 90,
    });
    return looks;
  };
  return { base, push, options, lookOn };
};

/** A public channel and a private one, of one repository; the model takes longer than the search for earlier answers. */
const inTwoChannels = () => {
  let sought: Promise<unknown> = Promise.resolve();
  return {
    answer: async (_, no) => {
      await sought;
      return textAnswer(`Answer ${no}: ${ANSWER}`);
    },
    reuse: (routes, opened) => {
      const reuse = createReuse({
        ...opened,
        ...routes,
        threads: opened.ledger,
        holding: (id) => Promise.resolve(opened.answers.answer(id)),
        clock: systemClock,
        days: 90,
      });
      return {
        ...reuse,
        similar: (...asked) => {
          const found = reuse.similar(...asked);
          sought = found;
          return found;
        },
      };
    },
    fake: { channels: [{ name: "general" }, { name: "secret", isPrivate: true }] },
    bound: ["CGENERAL", "GSECRET"],
  } satisfies HostOptions & Parameters<typeof createSlackRig>[0];
};

describe("a question that was answered before", () => {
  it("is answered at once on Discord, asked anew by whoever wants it, and no longer once its lines have changed", async () => {
    await using scene = await createScene(sandbox);
    const { base, push, options, lookOn } = await createSource(scene);
    const rig = await createDiscordRig(options);
    const looks = lookOn(rig, rig.discord);
    const ask = (person: string, text: string) => rig.fake.as(person).say("general", `@parley ${text}`).id;
    const first = ask("alice", ASKED);
    await rig.reads(first, /tried three times/);
    await place(rig);

    const second = ask("maria", AGAIN);
    const read = await rig.reads(second, /This question was answered[^]*\[Ask again from scratch\]/);
    expect(read).toMatch(/tried three times/);
    expect(read).toMatch(/This question was answered just now in \[another thread\]/);
    expect(rig.asked).toHaveLength(1);
    const shown = JSON.stringify(rig.fake.world.messages(second));
    expect(shown).toContain(`/${first}`);
    expect(shown).toContain(`/blob/${base}/src/retry.js?plain=1#L2`);
    const [copy] = await place(rig);
    expect(copy).toMatchObject({ standing: "holds", base: { commit: base } });

    const by = await push(FILE.replace("= 3", "= 5"));
    await looks.pushed("github.com/acme/api");
    for (const thread of [first, second])
      await rig.reads(thread, new RegExp(`src/retry\\.js:2.* changed in .*${by.slice(0, 7)}`));
    const third = ask("alice", AGAIN);
    await rig.reads(third, /Answer 2: /);

    const at = rig.fake.world
      .messages(second)
      .find((one) => JSON.stringify(one.components).includes("Ask again from scratch"));
    rig.fake.as("maria").click({ channel: second, id: at?.id ?? "" }, "Ask again from scratch");
    await rig.reads(second, /Answer 3: /);
    expect(told(rig.asked[2])).toContain("wants an answer of its own");
    expect(rig.fake.asText(second)).not.toContain("[Ask again from scratch]");
    expect(rig.fake.violations).toEqual([]);
    await looks.close();
  });

  it("is answered at once on Slack, and never from or in a private channel, nor where it asks for work", async () => {
    const rig = await createSlackRig(inTwoChannels());
    const ask = (person: string, text: string, channel = "general") =>
      rig.fake.as(person).say(`@parley ${text}`, { channel });
    await rig.thread(ask("bob", ASKED, "secret"), /Answer 1: /);
    await place(rig, "private");
    await rig.thread(ask("bob", ASKED), /Answer 2: /);
    await place(rig);
    await rig.thread(
      ask("alice", AGAIN),
      /Answer 2: [^]*This question was answered[^]*Ask again from scratch/,
    );
    expect(rig.asked).toHaveLength(2);
    await rig.thread(ask("alice", AGAIN, "secret"), /Answer 3: /);
    await rig.thread(ask("alice", "Change how often uploads are tried."), /Answer 4: /);
    expect(rig.fake.violations).toEqual([]);
  });
});

describe("a question like one that was answered before", () => {
  it("is asked of the model, with a link to the earlier answer, and with none from or in a private channel", async () => {
    const rig = await createSlackRig(inTwoChannels());
    const ask = (text: string, channel = "general") => rig.fake.as("bob").say(`@parley ${text}`, { channel });
    await rig.thread(ask(ASKED, "secret"), /Answer 1: [^]*tricted/);
    await place(rig, "private");
    const first = ask(ASKED);
    expect(await rig.thread(first, /Answer 2: [^]*tricted/)).not.toContain("Asked before");
    await place(rig);
    const read = await rig.thread(ask(LIKE), /Answer 3: [^]*Asked before: /);
    const [, link = ""] = /Asked before: <([^|>]*)\|just now>(?! *,)/.exec(read) ?? [];
    expect(link).toContain(first.ts.replace(".", ""));
    expect(await rig.thread(ask(LIKE, "secret"), /Answer 4: [^]*tricted/)).not.toContain("Asked before");
    expect(await rig.thread(ask("Where does the queue live?"), /Answer 5: [^]*tricted/)).not.toContain(
      "Asked before",
    );
    expect(rig.fake.violations).toEqual([]);
  });
});
