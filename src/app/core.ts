/** The core of a host, made before the features, surfaces and bot, which all use its parts. */

import type { ConversationId, Millis } from "../machine/id.ts";
import type { AlertFacts } from "../ports/alerts.ts";
import type { Bot, ConversationChange } from "../ports/bot.ts";
import { lateCommits } from "../ports/commits.ts";
import type { ChatSurface } from "../ports/connection.ts";
import type { FeedbackRows } from "../ports/feedback.ts";
import { lateBudgets } from "../ports/money.ts";
import { createTakePicture } from "../ports/pictures.ts";
import { createAway } from "../runtime/chat/away.ts";
import { createRepos } from "../runtime/channels/repos.ts";
import { ledRoutes, routeTo } from "../runtime/chat/route.ts";
import { omitUndefined } from "../text/omit-undefined.ts";
import type { AssembledBot } from "./assemble-bot.ts";
import { chooseModel, modelNames } from "./choose-model.ts";
import { formsOf } from "./chat/platforms.ts";
import { unrestrictedText } from "./unrestricted-text.ts";
import type { CoreAlone, OpenFeatures } from "./features/open.ts";
import { createMaskFile } from "./file-mask.ts";
import { diskOf } from "./host-status.ts";
import { lateBot } from "./late-bot.ts";
import { warnUnconfined } from "./open-sandbox.ts";
import { reachOf } from "./outward.ts";
import type { PreparedHost } from "./prepare.ts";
import { randomId } from "./process/random-id.ts";
import { createReadsAhead } from "./read-ahead.ts";
import { reposAtForge } from "./repos-at-forge.ts";
import type { Config } from "./settings/config.ts";
import { filesSeenIn } from "../workspace/disk/layout.ts";
import { consoleOperator } from "./settings/console-operator.ts";
import { concealWith, sealKeyOf } from "./settings/seal-key.ts";
import { findDefaultRepo } from "./settings/default-repo.ts";
import { version } from "./settings/version.ts";
import { systemClock } from "./system-clock.ts";

export interface MadeLater {
  features: OpenFeatures;
  surfaces: readonly ChatSurface[];
  assembled: AssembledBot;
  bot: Bot;
}

export type HostCore = Awaited<ReturnType<typeof createCore>>;

/** `startedIn`: the directory that is the default repository if `PARLEY_REPO` names none. */
export const createCore = async (config: Config, prepared: PreparedHost, startedIn: string) => {
  const { modes, fromFiles, owners, sandbox, token, secrets, learnSecret, log, opened, membership } =
    prepared;
  const { ownership } = membership;
  const later = createLater();
  const surfaces = (): readonly ChatSurface[] => later.made.surfaces ?? [];
  const alerts = (): OpenFeatures["alerts"] => later.get("features").alerts;
  const blobs =
    membership.blobs ?? (await import("../store/tables/blobs.ts")).createBlobs(config.PARLEY_DATA, log);
  const { createPictures } = await import("../tools/pictures/pictures.ts");
  const pictures = createPictures(sandbox);
  const model = await chooseModel(config, prepared.models, { blobs, log, clock: systemClock });
  if (!sandbox.probe.restricted) warnUnconfined(log, sandbox);
  const ahead = createReadsAhead(opened.chat);
  const feedback: FeedbackRows = {
    ...opened.feedback,
    solve: async (...given) => {
      const done = await opened.feedback.solve(...given);
      later.get("features").knowledge.threadsChanged();
      return done;
    },
  };
  const sealKey = sealKeyOf(config, membership.name !== null);
  const parts = {
    ...opened,
    ...ledRoutes(routeTo(surfaces), ownership.led),
    chat: ahead.chat,
    feedback,
    budgets: lateBudgets(() => later.get("features").budgets),
    blobs,
    pictures,
    files: {
      bytes: config.PARLEY_FILE_MIB * 2 ** 20,
      directory: filesSeenIn(sandbox, config.PARLEY_DATA),
      attached: opened.store.attached,
    },
    maskFile: createMaskFile(),
    conceal: concealWith(sealKey, learnSecret),
    log,
    clock: systemClock,
    modes,
    ...omitUndefined({ owners }),
    models: modelNames(config, model),
    observer: membership.observe(prepared.features.observer),
    toolLooks: (tool: string) => later.get("assembled").toolLooks(tool),
    fault: (surface: string, conversation: ConversationId) =>
      alerts().set(`fault ${surface}`, { kind: "fault", surface, conversation }),
    alert: (key: string, facts: AlertFacts | null) => alerts().set(key, facts),
  };
  const figures = {
    waiting: opened.store.waiting,
    parked: () => later.get("assembled").rests.parked(),
    hosts: membership.hosts,
    knowledge: () => later.get("features").knowledge.figures(),
    lateOn: () => Object.fromEntries(surfaces().map((one) => [one.name, one.late().length])),
  };
  const away = createAway(systemClock.now, () =>
    Object.fromEntries(
      surfaces()
        .filter(({ off }) => off === null)
        .map((one) => [one.name, one.standing()]),
    ),
  );
  const repo = findDefaultRepo(config.PARLEY_REPO, startedIn);
  const ofFeatures: CoreAlone = {
    ...parts,
    randomId,
    surfaces,
    bot: lateBot(() => later.get("bot")),
    host: membership.name,
    leads: ownership.leads,
    members: membership.members,
    led: ownership.led,
    version,
    repo,
    takePicture: createTakePicture({ pictures, blobs }),
    archives: fromFiles.forge.archives,
    readForgePage: fromFiles.forge.readPage,
    sandbox,
    data: config.PARLEY_DATA,
    reach: reachOf(config),
    secrets,
    sealKey,
    learnSecret,
    model: model.name,
    operator: consoleOperator(config),
    operatorToken: token,
    covers: unrestrictedText(sandbox),
    formsOf,
    figures,
    commits: lateCommits(() => later.get("assembled").commits),
    drafts: {
      tree: (...given) => later.get("assembled").drafts.tree(...given),
      test: (...given) => later.get("assembled").drafts.test(...given),
    },
    answerChanged: (id) => later.get("assembled").bot.shown(id),
    // A thread may have been marked as solved before its readers were known.
    answerPlaced: ({ conversation }) => {
      if (opened.feedback.solvedBy(conversation) !== null) later.get("features").knowledge.threadsChanged();
    },
    repos: createRepos(config.PARLEY_REPOS),
    reposAtForge,
    away,
    free: async () => (await diskOf(config.PARLEY_DATA))?.free ?? null,
  };
  return {
    parts,
    ofFeatures,
    model,
    ahead,
    figures,
    away,
    repo,
    made: later.set,
    /** 0 on a host that does not lead: only the leader delivers to threads and knows their pace. */
    unseenFor: (id: ConversationId): Millis =>
      ownership.leads() ? Math.max(0, ...surfaces().map((one) => one.unseenFor(id))) : 0,
    /** Passes changes in conversations of any host to the parts that only the leader runs. */
    shown: (id: ConversationId, change: ConversationChange): void => {
      if (!ownership.leads()) return;
      for (const one of surfaces()) one.heard(id, change);
      later.get("features").led(id, change);
    },
  };
};

const createLater = () => {
  const made: Partial<MadeLater> = {};
  return {
    made,
    get: <Name extends keyof MadeLater>(name: Name): MadeLater[Name] => {
      const part: MadeLater[Name] | undefined = made[name];
      if (part === undefined) throw new Error(`the ${name} of this host are not made yet`);
      return part;
    },
    set: <Name extends keyof MadeLater>(name: Name, part: MadeLater[Name]): MadeLater[Name] => {
      made[name] = part;
      return part;
    },
  };
};
