/**
 * Composition: the ports' real implementations, put together once. Nothing here decides anything; everything it
 * starts ends with `close`.
 */

import type { Sandbox } from "../../sandbox/types.ts";
import type { ConversationId, Millis } from "../machine/id.ts";
import type { AlertFacts } from "../ports/alerts.ts";
import type { Change } from "../ports/bot.ts";
import type { ChatSurface } from "../ports/connection.ts";
import type { FeedbackRows } from "../ports/feedback.ts";
import type { Repo } from "../ports/conversation.ts";
import { LEADER_AWAY } from "../ports/ownership.ts";
import { atMost } from "../ports/host.ts";
import { lateCommits } from "../ports/commits.ts";
import { lateBudgets } from "../ports/money.ts";
import type { Limits } from "../ports/surface.ts";
import { DRAIN } from "../runtime/bot/drain.ts";
import { startIdleCheckouts } from "../runtime/bot/idle-checkouts.ts";
import { createIndexer } from "../runtime/bot/indexer.ts";
import { startRetention } from "../runtime/bot/retention.ts";
import { createTakePicture } from "../ports/pictures.ts";
import { createAway } from "../runtime/chat/away.ts";
import { createRepos } from "../runtime/channels/repos.ts";
import { ledRoutes, routeTo } from "../runtime/chat/route.ts";
import { createSlots } from "../runtime/live/slots.ts";
import { given } from "../text/given.ts";
import { assembleBot } from "./assemble-bot.ts";
import { openChat } from "./chat.ts";
import { chooseModel, modelNames } from "./choose-model.ts";
import { covers } from "./covers.ts";
import { createMaskFile } from "./file-mask.ts";
import { createHostStatus, diskOf } from "./host-status.ts";
import { lateBot } from "./late-bot.ts";
import { reachOf } from "./outward.ts";
import { openHttp } from "./open-http.ts";
import { prepare } from "./prepare.ts";
import { randomId } from "./process/random-id.ts";
import { reposAtForge } from "./repos-at-forge.ts";
import { createReadsAhead, listedRepos } from "./read-ahead.ts";
import { startShrinking } from "./process/shrink.ts";
import type { Config } from "./settings/config.ts";
import { consoleOperator } from "./settings/console-operator.ts";
import { version } from "./settings/version.ts";
import { findDefaultRepo } from "./settings/default-repo.ts";
import { systemClock } from "./system-clock.ts";
import { warnUnconfined } from "./open-sandbox.ts";

export type Started =
  | { readonly kind: "started"; readonly host: RunningHost }
  /** One of several hosts: it was asked to end while it stood by. */
  | { readonly kind: "left" }
  /** Every problem that keeps the host from starting, one sentence each. */
  | { readonly kind: "failed"; readonly problems: readonly string[] };

export interface RunningHost {
  readonly url: string;
  readonly sandbox: Sandbox;
  readonly model: { readonly name: string; readonly notice: string | null };
  readonly repo: Repo | null;
  /** For people, each with what is missing where it is off. */
  readonly surfaces: Readonly<Record<string, string>>;
  /** Settles, with the reason, when a surface has failed for good and a supervisor should start anew. */
  readonly failed: Promise<string>;
  /** Settles when the host is to hand over to another one. */
  readonly drained: Promise<unknown>;
  /** How long `close` takes at most, whatever hangs. */
  readonly endsWithin: Millis;
  /** Drains and ends everything, within the shares of `DRAIN` as far as nothing hangs (docs/design/ideas.md). */
  close(): Promise<void>;
}

/**
 * `startedIn`: the directory that is the default repository where `PARLEY_REPO` names none. `limits`: of
 * the chat platforms, where they are otherwise than published. `leaving`: ends a host that stands by.
 */
export const start = async (
  config: Config,
  startedIn: string,
  limits: Partial<Limits> = {},
  leaving: AbortSignal = new AbortController().signal,
): Promise<Started> => {
  const preparation = await prepare(config, leaving);
  if (preparation.kind !== "prepared") return preparation;
  const {
    modes,
    fromFiles,
    owners,
    models: usable,
    sandbox,
    token,
    secrets,
    log,
    opened,
    membership,
    features: observing,
  } = preparation.prepared;
  const { ownership: share, handover, travels } = membership;
  const blobs =
    membership.blobs ?? (await import("../store/tables/blobs.ts")).createBlobs(config.PARLEY_DATA, log);
  const { createPictures } = await import("../tools/pictures/pictures.ts");
  const pictures = createPictures(sandbox);
  const takePicture = createTakePicture({ pictures, blobs });
  const chosen = await chooseModel(config, usable, { blobs, log, clock: systemClock });
  const models = modelNames(config, chosen);
  // What leaves the host of it: the rest holds keys.
  const told = { name: chosen.name, notice: chosen.notice };
  const among = { host: membership.name, leads: share.leads, members: membership.members };
  if (!sandbox.probe.restricted) warnUnconfined(log, sandbox);
  let surfaces: readonly ChatSurface[] = [];
  const observer = membership.observe(observing.observer);
  const routes = ledRoutes(
    routeTo(() => surfaces),
    share.led,
  );
  const feedback: FeedbackRows = {
    ...opened.feedback,
    solve: async (...given) => {
      const done = await opened.feedback.solve(...given);
      features.knowledge.threadsChanged();
      return done;
    },
  };
  const ahead = createReadsAhead(opened.chat);
  const parts = {
    ...opened,
    chat: ahead.chat,
    feedback,
    budgets: lateBudgets(() => features.budgets),
    blobs,
    pictures,
    maskFile: createMaskFile(),
    log,
    clock: systemClock,
    modes,
    ...given({ owners }),
    models,
    observer,
    toolLooks: (tool: string) => assembled.toolLooks(tool),
    fault: (surface: string, conversation: ConversationId) =>
      features.alerts.set(`fault ${surface}`, { kind: "fault", surface, conversation }),
    alert: (key: string, facts: AlertFacts | null) => features.alerts.set(key, facts),
  };
  /** Made below, and asked once they are. */
  const later = { randomId, surfaces: () => surfaces, bot: lateBot(() => bot) };
  /** What those who lead do with what happens in conversations, whichever host has them. */
  const shown = (id: ConversationId, change: Change): void => {
    if (!share.leads()) return;
    for (const one of surfaces) one.heard(id, change);
    features.led(id, change);
  };
  const repo = findDefaultRepo(config.PARLEY_REPO, startedIn);
  const figures = {
    waiting: opened.store.waiting,
    parked: () => assembled.rests.parked(),
    hosts: membership.hosts,
    knowledge: () => features.knowledge.figures(),
    lateOn: () => Object.fromEntries(surfaces.map((one) => [one.name, one.late().length])),
  };
  const away = createAway(systemClock.now, () =>
    Object.fromEntries(surfaces.filter(({ off }) => off === null).map((one) => [one.name, one.standing()])),
  );
  const features = await observing.open({
    ...parts,
    ...later,
    ...among,
    version,
    repo,
    takePicture,
    archives: fromFiles.forge.archives,
    sandbox,
    data: config.PARLEY_DATA,
    reach: reachOf(config),
    secrets,
    model: chosen.name,
    operator: consoleOperator(config),
    operatorToken: token,
    covers: covers(sandbox),
    figures,
    ...routes,
    commits: lateCommits(() => assembled.commits),
    answerChanged: (id) => local.shown(id),
    // A thread may have been marked before it was known who can read it.
    answerPlaced: ({ conversation }) => {
      if (opened.feedback.solvedBy(conversation) !== null) knowledge.threadsChanged();
    },
    repos: createRepos(config.PARLEY_REPOS),
    reposAtForge,
    led: share.led,
    away,
    free: async () => (await diskOf(config.PARLEY_DATA))?.free ?? null,
  });
  const { knowledge } = features;
  surfaces = await openChat(config, {
    ...parts,
    commands: features.commands,
    clicks: features.clicks,
    attends: features.attends,
    appPosts: features.appPosts,
    renewed: features.renew,
    isAlone: membership.name === null,
    taking: (surface, take) => share.led(surface, take, (by) => by("take", take, LEADER_AWAY)),
    limits,
  });
  const shownSurfaces = surfaces.map((one) => ({ ...one, standing: () => share.standing(one) }));
  const slots = {
    model: createSlots(config.PARLEY_MODEL_CALLS),
    tools: createSlots(config.PARLEY_TOOL_PROCESSES),
  };
  const indexer = createIndexer({ search: opened.search, clock: systemClock, log });
  const assembled = await assembleBot(config, {
    ...parts,
    knowledge,
    sandbox,
    secrets,
    model: { ...chosen, model: features.alerts.model(features.wrapModel(chosen)) },
    watch: (id, change) => {
      shown(id, change);
      share.happened(id, change);
      // Of text in flight nothing is stored, counted or found.
      if (change.kind === "live") return;
      observer.heard(id, change);
      indexer.heard();
      features.heard(id, change);
    },
    forgotten: features.renew,
    ...given({ mine: share.mine }),
    travels,
    forge: fromFiles.forge,
    ofFeatures: (kit) => [...fromFiles.tools(kit), ...features.tools],
    doors: features.alerts.doors(fromFiles.forge.doors),
    slots,
    reviewedIn: features.reviewedIn,
    ...routes,
    ...given({ reuse: features.reuse }),
  });
  const local = assembled.bot;
  const bot = share.route(local);
  const { rests } = assembled;
  await local.recover();
  indexer.heard();
  const idleCheckouts = startIdleCheckouts({
    ...parts,
    rests,
    drafts: assembled.drafts,
    mirrors: assembled.mirrors,
    days: config.PARLEY_IDLE_CHECKOUT_DAYS,
    draftDays: config.PARLEY_DRAFT_DAYS,
  });
  const ending = new AbortController();
  if (travels !== null) void rests.adopt(ending.signal);
  const endShrinking = startShrinking({
    clock: systemClock,
    isAsking: () => slots.model.load().inUse > 0,
  });
  const listening = await openHttp(config, {
    ...parts,
    status: createHostStatus({
      ...figures,
      startedAt: systemClock.now(),
      directory: config.PARLEY_DATA,
      store: opened.store,
      figures: opened.figures,
      alerts: features.alerts.open,
      late: () => surfaces.flatMap((one) => one.late()),
      slots,
    }),
    search: { find: opened.search.find, catchUp: indexer.catchUp },
    surfaces: shownSurfaces,
    away,
    features,
    bot,
    sandbox,
    model: told,
    token,
  });
  const chores: { close(): Promise<unknown> }[] = [];
  const lead = async (): Promise<void> => {
    chores.push(startRetention({ ...parts, bot, days: config.PARLEY_RETENTION_DAYS ?? Infinity }));
    await Promise.all(surfaces.map((one) => one.start(bot)));
    if (ending.signal.aborted) return;
    chores.push(features.start());
  };
  const close = async (): Promise<void> => {
    endShrinking();
    listening.drain();
    ending.abort();
    const left = Promise.all([
      ahead.close(),
      features.leave(),
      ...surfaces.map((one) => one.leave()),
      ...chores.map((one) => one.close()),
      idleCheckouts.close(),
      ...(handover === 0 ? [features.alerts.close()] : []),
    ]);
    await atMost(systemClock, DRAIN.leave, left);
    if (handover > 0) {
      // Others take what comes from now on, and the turns that go on may end here.
      await atMost(systemClock, handover, local.rest());
      await atMost(systemClock, DRAIN.leave, features.alerts.close());
    }
    await bot.close();
    await Promise.all(surfaces.map((one) => one.close()));
    await listening.close();
    await features.close();
    await sandbox.close();
    await indexer.close();
    await Promise.all([opened.store.close(), observer.close()]);
    await membership.leave();
  };
  if (listening.kind === "failed") {
    await close();
    return { kind: "failed", problems: [listening.message] };
  }
  await share.start({
    lead,
    changed: (tables) => {
      indexer.heard();
      features.changed(tables);
    },
    heard: shown,
  });
  ahead.start(listedRepos(config.PARLEY_REPOS), assembled.readAhead);
  if (!share.leads()) for (const one of surfaces) one.listen();
  await features.alerts.started(sandbox.probe.tier);
  return {
    kind: "started",
    host: {
      url: listening.url,
      sandbox,
      model: told,
      repo,
      surfaces: Object.fromEntries(
        shownSurfaces.map(({ name, off, standing }) => [name, off === null ? standing() : `off (${off})`]),
      ),
      failed: Promise.race(surfaces.map(({ failed }) => failed)),
      endsWithin: DRAIN.whole + handover,
      drained: membership.drained,
      close,
    },
  };
};
