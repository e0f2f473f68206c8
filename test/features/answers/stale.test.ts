/**
 * What becomes of a posted answer when somebody pushes: its lines are corrected, what changed is said in one line, nothing else is
 * posted. Real are sandbox, git, store, delivery and the platforms' own clients on wire-level servers; the model's words are not.
 */

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Sandbox } from "../../../sandbox/types.ts";
import { systemClock } from "../../../src/app/system-clock.ts";
import {
  type CitationTracker,
  createCitationTracker,
} from "../../../src/features/answers/citations/lines.ts";
import { createStalenessChecks } from "../../../src/features/answers/staleness-checks.ts";
import { createRig as createDiscordRig, type DiscordRig } from "../../adapters/discord/rig.ts";
import { OFTEN } from "../../adapters/rig.ts";
import { createRig as createSlackRig, type SlackRig } from "../../adapters/slack/rig.ts";
import { textAnswer } from "../../runtime/world.ts";
import { commit, createScene, type Scene, startSandbox } from "../../workspace/scene.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const FILE = "export const FIRST = 1;\nexport const ATTEMPTS = 3;\nexport const LAST = 9;\n";
const AT_FORGE = "github.com/acme/api";
const ANSWER = "Uploads are tried three times (`src/retry.js:2`).";

/** A repository that acme/api stands for. */
const createSource = async (scene: Scene) => {
  const path = await scene.repository("api");
  const push = (text: string) => commit(path, { "src/retry.js": text });
  const base = await push(FILE);
  const repo = { kind: "path", location: path } as const;
  const { workspaces } = scene;
  const options = {
    answer: () => textAnswer(ANSWER),
    citations: workspaces,
    workspaces: {
      ...workspaces,
      open: ((conversation, hooks) =>
        workspaces.open({ ...conversation, repo }, hooks)) satisfies typeof workspaces.open,
    },
  };
  const tracker = createCitationTracker(workspaces.commits);
  const lines: CitationTracker = {
    tip: (_, __, signal) => {
      scene.clock.advance(1);
      return tracker.tip(repo, scene.clock.now(), signal);
    },
    compare: tracker.compare,
  };
  return { base, push, options, lines };
};

/** Looks as the host has them, and what a push sets off; it settles once the look is over. */
const looksOn = (
  { answers, bot }: Pick<DiscordRig | SlackRig, "answers" | "bot">,
  surface: DiscordRig["discord"],
  { lines }: Pick<Awaited<ReturnType<typeof createSource>>, "lines">,
  shown = bot.shown,
) => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const looks = createStalenessChecks({
    answers,
    lines,
    knowledge: { stands: () => [] },
    nameOf: () => AT_FORGE,
    readThread: (_, thread) => surface.readThread(thread),
    shown,
    clock: systemClock,
    log,
    days: 90,
  });
  const told = (): Promise<void> => looks.pushed(AT_FORGE);
  return { looks, told };
};

describe("a push that changes cited lines", () => {
  it("corrects and marks the post on Discord, where it stands, and brings nothing back that was put away", async () => {
    await using scene = await createScene(sandbox);
    const source = await createSource(scene);
    const rig = await createDiscordRig(source.options);
    const { looks, told } = looksOn(rig, rig.discord, source);
    const ask = async () => {
      const root = rig.fake.as("alice").say("general", "How often are uploads tried, @parley?");
      await rig.reads(root.id, /src\/retry\.js:2[^]*tricted/);
      return root.id;
    };
    const [thread, deleted, archived] = [await ask(), await ask(), await ask()];
    const own = (id: string) =>
      rig.fake.world.messages(id).filter(({ author }) => author === rig.fake.world.userNamed("parley").id);
    const texts = (id: string) => JSON.stringify(own(id));
    const stood = own(thread).map(({ id }) => id);
    expect(texts(thread)).toContain(`/blob/${source.base}/src/retry.js?plain=1#L2`);
    rig.fake.admin.purge(
      deleted,
      own(deleted).map(({ id }) => id),
    );
    rig.fake.as("maria").archive(archived);
    const before = texts(archived);

    const moved = await source.push(`// Uploads\n${FILE}`);
    await told();
    await rig.reads(thread, /src\/retry\.js:3/);
    expect(texts(thread)).toContain(`/blob/${moved}/src/retry.js?plain=1#L3`);
    expect(rig.answers.answersPage(0, null, 10_000).map(({ standing }) => standing)).toEqual([
      "moved",
      "moved",
      "moved",
    ]);

    const by = await source.push(`// Uploads\n${FILE.replace("= 3", "= 5")}`);
    await source.push(`// Uploads\n${FILE.replace("= 3", "= 5")}// end\n`);
    await told();
    await rig.reads(thread, new RegExp(`src/retry\\.js:2.* changed in .*${by.slice(0, 7)}`));
    expect(texts(thread)).toContain(`https://github.com/acme/api/commit/${by}`);
    expect(own(thread).map(({ id }) => id)).toEqual(stood);
    expect(own(deleted)).toEqual([]);
    expect(texts(archived)).toBe(before);
    const [answer] = rig.answers.answersPage(0, null, 10_000);
    expect(answer?.standing).toBe("changed");
    expect(answer && (await looks.holding(answer))).toBeNull();
    expect(rig.fake.violations).toEqual([]);
    await looks.close();
  });

  it("corrects and marks the post on Slack, and a process that ends after the look leaves the post to the next one: the mark goes once the lines are as they were", async () => {
    await using scene = await createScene(sandbox);
    const source = await createSource(scene);
    const rig = await createSlackRig(source.options);
    const { told } = looksOn(rig, rig.slack, source);
    const root = rig.fake.as("bob").say("@parley how often are uploads tried?", { channel: "general" });
    await rig.thread(root, /src\/retry\.js:2[^]*tricted/);
    const count = (): number => rig.fake.world.thread(root.channel, root.ts).length;
    const stood = count();

    const by = await source.push(`// Uploads\n${FILE.replace("= 3", "= 5")}`);
    await told();
    await rig.thread(root, new RegExp(`changed in .*${by.slice(0, 7)}`));
    expect(JSON.stringify(rig.fake.world.thread(root.channel, root.ts))).toContain(`/commit/${by}`);
    await source.push(`// Uploads\n${FILE}`);
    await looksOn(rig, rig.slack, source, () => undefined).told();
    const next = await rig.restart();
    await vi.waitFor(async () => {
      expect(await next.thread(root, /src\/retry\.js:3/)).not.toContain("changed in");
    }, OFTEN);
    expect(count()).toBe(stood);
    const { looks } = looksOn(next, next.slack, source);
    const [answer] = next.answers.answersPage(0, null, 10_000);
    expect(answer && (await looks.holding(answer))).toMatchObject({ standing: "moved" });
    expect(rig.fake.violations).toEqual([]);
    await looks.close();
  });
});
