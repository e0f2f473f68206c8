/**
 * Composition: the ports' real implementations, put together once. Nothing here decides anything; everything it
 * starts ends with `close`.
 */

import type { Sandbox } from "../../sandbox/types.ts";
import type { ConversationId, Millis } from "../machine/id.ts";
import type { AlertFacts } from "../ports/alerts.ts";
import type { Change } from "../ports/bot.ts";
import type { ChatSurface } from "../ports/connection.ts";
import type { FeedbackRows } from "../ports/answers/feedback.ts";
import type { Repo } from "../ports/conversation.ts";
import { atMost } from "../ports/host.ts";
import type { Limits } from "../ports/surface.ts";
import { DRAIN, HANDOVER } from "../runtime/bot/drain.ts";
import { startIdleCheckouts } from "../runtime/bot/idle-checkouts.ts";
import { createLooks, type Looks } from "../runtime/answers/looks.ts";
import { createReuse } from "../runtime/answers/reuse.ts";
import { createIndexer } from "../runtime/bot/indexer.ts";
import { startRetention } from "../runtime/bot/retention.ts";
import { createTakePicture } from "../ports/pictures.ts";
import { routeTo } from "../runtime/chat/route.ts";
import { reviewedIn } from "../runtime/review/reviewed-in.ts";
import { createSlots } from "../runtime/live/slots.ts";
import { given } from "../text/given.ts";
import { assembleBot } from "./assemble-bot.ts";
import { openChat } from "./chat.ts";
import { createOperator, type Operator } from "./chat/operator-channel.ts";
import { chooseModel, modelNames } from "./choose-model.ts";
import { covers } from "./covers.ts";
import { createMaskFile } from "./file-mask.ts";
import { openHooks, reposAtForge } from "./hooks.ts";
import { openShare } from "./cluster/alone.ts";
import { createHostStatus } from "./host-status.ts";
import { reachOf } from "./outward.ts";
import { openMoney } from "./money.ts";
import { openBlobs } from "./open-blobs.ts";
import { openConsole } from "./open-console.ts";
import { prepare } from "./prepare.ts";
import { randomId } from "./random-id.ts";
import { createReadsAhead, listedRepos } from "./read-ahead.ts";
import { startShrinking } from "./process/shrink.ts";
import type { Config } from "./settings/config.ts";
import { consoleOperator } from "./settings/console-operator.ts";
import { version } from "./settings/version.ts";
import { findDefaultRepo } from "./settings/default-repo.ts";
import { systemClock } from "./system-clock.ts";
import { warnUnconfined } from "./open-sandbox.ts";
import { lateBot, openWatches } from "./watches.ts";

export type Started =
  | { readonly kind: "started"; readonly host: Host }
  /** One of several hosts: it was asked to end while it stood by. */
  | { readonly kind: "left" }
  /** Every problem that keeps the host from starting, one sentence each. */
  | { readonly kind: "failed"; readonly problems: readonly string[] };

export interface Host {
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
    forging,
    owners,
    models: usable,
    sandbox,
    token,
    secrets,
    log,
    opened,
    member,
    shared,
    features: observing,
  } = preparation.prepared;
  const active = member === null ? null : (await import("./cluster/active.ts")).activate(member);
  const share = await openShare(member, {
    opened,
    heard: (...one) => shown(...one),
    clock: systemClock,
    log,
  });
  const blobs = await openBlobs(config, shared, log);
  const { createPictures } = await import("../tools/pictures/pictures.ts");
  const pictures = createPictures(sandbox);
  const takePicture = createTakePicture({ pictures, blobs });
  const chosen = await chooseModel(config, usable, { blobs, log, clock: systemClock });
  const models = modelNames(config, chosen);
  // What leaves the host of it: the rest holds keys.
  const told = { name: chosen.name, notice: chosen.notice };
  const among = { host: member?.name ?? null, leads: share.leads };
  const money = openMoney(config, chosen, { ...opened, ...among, clock: systemClock, log });
  if (!sandbox.probe.restricted) warnUnconfined(log, sandbox);
  let looks: Looks | null = null;
  let surfaces: readonly ChatSurface[] = [];
  const observer = active?.ports(observing.observer) ?? observing.observer;
  const routes = share.routes(routeTo(() => surfaces));
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
    budgets: money.budgets,
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
    fault: (surface: string, conversation: ConversationId) => operator.fault(surface, conversation),
    alert: (key: string, facts: AlertFacts | null) => operator.set(key, facts),
  };
  /** Made below, and asked once they are. */
  const later = { randomId, surfaces: () => surfaces, bot: lateBot(() => bot) };
  /** What those who lead do with what happens in conversations, whichever host has them. */
  const shown = (id: ConversationId, change: Change): void => {
    if (!share.leads()) return;
    for (const one of surfaces) one.heard(id, change);
    looks?.heard(change);
    watching.heard(id, change);
  };
  const watching = openWatches({ ...parts, ...later, repos: config.PARLEY_REPOS });
  const watches = share.watches(watching);
  const repo = findDefaultRepo(config.PARLEY_REPO, startedIn);
  const figures = {
    waiting: opened.store.waiting,
    parked: () => assembled.rests.parked(),
    hosts: async () => (await member?.hosts()) ?? [],
    knowledge: () => features.knowledge.figures(),
    lateOn: () => Object.fromEntries(surfaces.map((one) => [one.name, one.late().length])),
  };
  const features = await observing.open({
    ...parts,
    ...later,
    ...routes,
    version,
    repo,
    takePicture,
    archives: forging.archives,
    pagesRead: () => {
      if (share.leads()) void looks?.read();
    },
    notes: opened.alerts,
    sandbox,
    data: config.PARLEY_DATA,
    reach: reachOf(config),
    secrets,
    model: chosen.name,
    operator: consoleOperator(config),
    operatorToken: token,
    covers: covers(sandbox),
    figures,
  });
  const { knowledge } = features;
  surfaces = await openChat(config, {
    ...parts,
    commands: features.commands,
    clicks: features.clicks,
    watches: watches.book,
    watcher: watches.watcher,
    taking: share.taking,
    limits,
  });
  const operator: Operator = createOperator(config, { ...parts, ...later, ...among, rows: opened.alerts });
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
    model: { ...chosen, model: operator.model(money.model) },
    watch: (id, change) => {
      shown(id, change);
      share.happened(id, change);
      // Of text in flight nothing is stored, counted or found.
      if (change.kind === "live") return;
      observer.heard(id, change);
      indexer.heard();
      features.heard(id, change);
    },
    forgotten: () => watching.renew(),
    ...given({ mine: share.mine }),
    ofFeatures: features.tools,
    ...(member === null ? {} : { travels: { epoch: member.lease.epoch, shared } }),
    forges: forging.forges,
    doors: operator.doors(forging.doors),
    slots,
    reviewedIn: reviewedIn(opened.ledger, opened.chat),
    ...routes,
    ...(config.PARLEY_REUSE_DAYS === 0
      ? {}
      : {
          reuse: createReuse({
            ...opened,
            ...routes,
            threads: opened.ledger,
            holding: (id) => looks?.holding(id) ?? Promise.resolve(null),
            clock: systemClock,
            days: config.PARLEY_REUSE_DAYS,
          }),
        }),
  });
  const local = assembled.bot;
  const bot = share.route(local);
  const { rests } = assembled;
  looks = createLooks({
    ...parts,
    lines: assembled.lines,
    knowledge,
    nameOf: (repo) => reposAtForge(repo)[0] ?? null,
    readThread: routes.readThread,
    shown: local.shown,
    // A thread may have been marked before anybody knew who can read it.
    placed: ({ conversation }) => {
      if (opened.feedback.solvedBy(conversation) !== null) knowledge.threadsChanged();
    },
    days: config.PARLEY_STALE_DAYS,
  });
  const { pushed } = looks;
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
  if (member !== null) void rests.adopt(ending.signal);
  const endShrinking = startShrinking({
    clock: systemClock,
    isAsking: () => slots.model.load().inUse > 0,
  });
  const hooks = await openHooks(config, {
    watcher: watches.watcher,
    reposOf: ({ surface, place }) => reposAtForge(opened.chat.binding(surface, place)?.repo ?? null),
    ...(config.PARLEY_STALE_DAYS === 0 ? {} : { pushed: (name: string) => void pushed(name) }),
    clock: systemClock,
    log,
  });
  const listening = await openConsole(config, {
    ...parts,
    host: createHostStatus({
      ...figures,
      startedAt: systemClock.now(),
      directory: config.PARLEY_DATA,
      store: opened.store,
      figures: opened.figures,
      alerts: operator.open,
      late: () => surfaces.flatMap((one) => one.late()),
      slots,
    }),
    search: { find: opened.search.find, catchUp: indexer.catchUp },
    surfaces: shownSurfaces,
    away: operator.away,
    requests: features.requests,
    boards: features.boards,
    features: features.surfaces,
    servers: features.servers,
    knowledge,
    routes: features.routes,
    besides: [...(await features.besides(bot)), ...(hooks === null ? [] : [hooks])],
    watches: watches.book,
    bot,
    takePicture,
    sandbox,
    model: told,
    token,
    repo,
  });
  const chores: { close(): Promise<unknown> }[] = [];
  const lead = async (): Promise<void> => {
    chores.push(
      startRetention({ ...parts, bot, days: config.PARLEY_RETENTION_DAYS ?? Infinity }),
      features.start(),
    );
    await Promise.all(surfaces.map((one) => one.start(bot)));
    watching.start();
    looks?.start();
  };
  const close = async (): Promise<void> => {
    endShrinking();
    listening.drain();
    ending.abort();
    const left = Promise.all([
      ahead.close(),
      watching.close(),
      features.leave(),
      looks?.close(),
      ...surfaces.map((one) => one.leave()),
      ...chores.map((one) => one.close()),
      idleCheckouts.close(),
      ...(member === null ? [operator.close()] : []),
    ]);
    await atMost(systemClock, DRAIN.leave, left);
    if (member !== null) {
      // Others take what comes from now on, and the turns that go on may end here.
      await atMost(systemClock, HANDOVER, local.rest());
      await atMost(systemClock, DRAIN.leave, operator.close());
    }
    await bot.close();
    await Promise.all(surfaces.map((one) => one.close()));
    await listening.close();
    await features.close();
    await sandbox.close();
    await indexer.close();
    await Promise.all([opened.store.close(), observer.close()]);
    await member?.leave();
  };
  if (listening.kind === "failed") {
    await close();
    return { kind: "failed", problems: [listening.message] };
  }
  await share.start({
    lead,
    changed: (changed) => {
      indexer.heard();
      features.changed(new Set(changed.map(({ table }) => table)));
      if (changed.some(({ table }) => table === "watches")) watching.renew();
    },
  });
  ahead.start(listedRepos(config.PARLEY_REPOS), assembled.readAhead);
  if (!share.leads()) for (const one of surfaces) one.listen();
  await operator.start(sandbox.probe.tier);
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
      endsWithin: member === null ? DRAIN.whole : DRAIN.whole + HANDOVER,
      drained: active?.drained ?? new Promise(() => undefined),
      close,
    },
  };
};
