/**
 * What the rigs of chat surfaces have in common: a host on a database in memory, whose model and tools answer as the test
 * says, and which ends with the test.
 */

import { alone } from "../runtime/alone.ts";
import { onTestFinished } from "vitest";
import { type ChatParts, connectionDeps, openChat } from "../../src/app/chat.ts";
import { commandsWith } from "../../src/app/commands.ts";
import { SINGLE_HOST, LEADER_AWAY, type Ownership } from "../../src/ports/ownership.ts";
import { randomId } from "../../src/app/process/random-id.ts";
import { type Config, readConfig } from "../../src/app/settings/config.ts";
import { concealWith } from "../../src/app/settings/seal-key.ts";
import { readOwnersFile } from "../../src/app/settings/owners-file.ts";
import { systemClock } from "../../src/app/system-clock.ts";
import { openFeaturesOf, type RigFeatures } from "./open-features.ts";
import { lateBot } from "../../src/app/late-bot.ts";
import type { ConversationId } from "../../src/machine/id.ts";
import type { UnrestrictedOffer } from "../../src/machine/vocabulary.ts";
import type { AnswerReuse } from "../../src/ports/reuse.ts";
import type { AlertFacts } from "../../src/ports/alerts.ts";
import type { FeedbackReader } from "../../src/ports/feedback.ts";
import type { ChatSurface, ReceivePayload } from "../../src/ports/connection.ts";
import type { ConnectionDeps } from "../../src/runtime/chat/connection.ts";
import type { Bot, ConversationChange } from "../../src/ports/bot.ts";
import type { RepositoryBinding, Repo } from "../../src/ports/conversation.ts";
import type { Core } from "../../src/feature.ts";
import type { Log } from "../../src/ports/host.ts";
import type { Model, ModelOutcome } from "../../src/ports/model.ts";
import { lateBudgets } from "../../src/ports/money.ts";
import type { Pictures } from "../../src/ports/pictures.ts";
import type { Blobs, Store } from "../../src/ports/store.ts";
import type { NewThreads } from "../../src/ports/threads.ts";
import type { Drafts } from "../../src/ports/drafts.ts";
import { UNOBSERVED } from "../../src/ports/observer.ts";
import type { Tools } from "../../src/ports/tools.ts";
import type { Citations, Workspaces } from "../../src/ports/workspaces.ts";
import { createBot, type RunningBot } from "../../src/runtime/bot/bot.ts";
import { createRepos } from "../../src/runtime/channels/repos.ts";
import { ledRoutes, routeTo } from "../../src/runtime/chat/route.ts";
import { createSlots } from "../../src/runtime/live/slots.ts";
import type { StorePorts } from "../../src/store/write/grouped.ts";
import type { PromptMessage } from "../../src/thread/prompt.ts";
import { finalAnswer } from "../../src/thread/turn-post.ts";
import { createChangeModeTool } from "../../src/tools/change-mode.ts";
import { fortyLines } from "../cited.ts";
import { maskHere } from "../mask-here.ts";
import { plainWorkspaces } from "../plain-workspaces.ts";
import { testModes } from "../runtime/modes.ts";
import { textAnswer, toolResult } from "../runtime/world.ts";
import { looks, originOf } from "../looks.ts";

/** Options of a wait for another part of the process. */
export const OFTEN = { interval: 20 };

/** What the channels of the rigs work on. */
export const REPO: Repo = { kind: "url", location: "https://github.com/acme/api.git" };

/** Answers of which somebody thinks something. */
export const judged = ({ bot, feedback }: { readonly bot: Bot; readonly feedback: FeedbackReader }) => {
  const answers = bot.list(100, null).flatMap(({ conversation: { id } }) =>
    bot.posts(id, 0).flatMap(({ post: { body } }) => {
      const message = body.kind === "turn" ? finalAnswer(body) : null;
      return message === null ? [] : [{ conversation: id, message }];
    }),
  );
  return feedback.received(answers).filter(({ up, down, solved }) => up + down > 0 || solved !== null);
};

/** A model that writes `words` in pieces of `size` characters, each once the host has taken the one before it. */
export const inPieces =
  (words: string, size: number, pause = 10): NonNullable<HostOptions["stream"]> =>
  async (text) => {
    for (let at = 0; at < words.length; at += size) {
      text(words.slice(at, at + size));
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  };

export interface HostOptions {
  /** What channels that have a repository work on; unset: acme/api. */
  readonly repo?: RepositoryBinding;
  readonly env?: Readonly<Record<string, string>>;
  /** What the model answers; unset: `Answer N.` */
  readonly answer?: (
    messages: readonly PromptMessage[],
    no: number,
    signal: AbortSignal,
  ) => ModelOutcome | Promise<ModelOutcome>;
  /** What the model writes before it answers. */
  readonly stream?: (text: (delta: string) => void) => Promise<void>;
  readonly tools?: Partial<Tools>;
  /** Tools of features that run as in the product, by name. */
  readonly featureTools?: readonly string[];
  /** Names of the host's models, the usual one first; unset: there is one. */
  readonly models?: readonly string[];
  /** One of them, which answers by itself where another one fails. */
  readonly fallback?: string;
  /** One of them, which gives first answers. */
  readonly first?: string;
  readonly workspaces?: Workspaces;
  /** Unset: every file has forty lines. */
  readonly citations?: Citations;
  readonly drafts?: Pick<Drafts, "tree">;
  /** Unset: nothing is given again. */
  readonly reuse?: (routes: ReturnType<typeof routeTo>, opened: StorePorts) => AnswerReuse;
  /** Unset: nothing is kept. */
  readonly blobs?: Blobs;
  readonly confinement?: "enforced" | "unavailable";
  /** What Unrestricted gives; unset: everything. */
  readonly offer?: UnrestrictedOffer;
  readonly pictures?: Pictures["decode"];
  /** What the process can do about new threads before it ends. */
  readonly threads?: (threads: NewThreads) => NewThreads;
  readonly store?: (store: Store) => Store;
  /** How long a turn works before a message shows it; unset: as the platform has it. */
  readonly patience?: number;
  /** Unset: those of the product, without settings. */
  readonly features?: RigFeatures;
  /** Those whose files are read already. */
  readonly ready?: Parameters<typeof openFeaturesOf>[3];
  /** What the features reach outside of the host; unset: nothing. */
  readonly outside?: Partial<
    Pick<
      Core,
      "reach" | "readForgePage" | "drafts" | "sealKey" | "learnSecret" | "link" | "commits" | "owners"
    >
  >;
  /** Of one of several hosts; unset: it is alone. */
  readonly share?: Ownership;
}

export interface Host extends Pick<RigFeatures, "ports"> {
  readonly bot: RunningBot;
  readonly surface: ChatSurface;
  /** By key: null where it is over. */
  readonly alerted: ReadonlyMap<string, AlertFacts | null>;
  /** What the model was asked, each as the text of its messages. */
  readonly asked: readonly (readonly PromptMessage[])[];
  readonly logged: readonly string[];
  /** HTTP paths of the features beside the console. */
  besides(): ReturnType<RigFeatures["besides"]>;
  close(): Promise<void>;
}

/** A started host of which one surface is tried. `own`: what is not as `startHost` has it. */
export const startHost = async (
  name: string,
  opened: StorePorts,
  options: HostOptions,
  own: Partial<Pick<ChatParts, "chat" | "clock" | "limits">> & {
    readonly env: Readonly<Record<string, string>>;
    /** Of a platform that the composition does not know. */
    readonly surface?: (deps: Omit<ConnectionDeps, "forms">) => ChatSurface;
  },
): Promise<Host> => {
  const logged: string[] = [];
  const asked: (readonly PromptMessage[])[] = [];
  const config = configOf(own.env);
  const parts = {
    ...partsOf(logged, options),
    ...ownersOf(config),
    budgets: lateBudgets(() => features.budgets),
  };
  const covers = "Tools may write.";
  const { patience } = options;
  const limits = { ...own.limits, ...(patience === undefined ? {} : { patienceOf: () => patience }) };
  const alerted = new Map<string, AlertFacts | null>();
  const alert = (key: string, facts: AlertFacts | null): void => void alerted.set(key, facts);
  const shown = (id: ConversationId, change: ConversationChange): void => {
    if (!share.leads()) return;
    surface.heard(id, change);
    features.led(id, change);
  };
  const share = options.share ?? SINGLE_HOST;
  const features: RigFeatures =
    options.features ??
    (await openFeaturesOf(
      {
        ...opened,
        ...parts,
        ...own,
        repos: createRepos(config.PARLEY_REPOS),
        alert,
        surfaces: () => [surface],
        bot: lateBot(() => bot),
        answerChanged: (id) => bot.shown(id),
        led: share.led,
        leads: share.leads,
        ...options.outside,
      },
      undefined,
      undefined,
      options.ready,
    ));
  const model = modelOf(asked, options);
  // The wrapped model would ask the budgets of features; the bot here has none.
  features.wrapModel({ model, prices: () => PRICES, longest: () => 1_000 });
  const whole = {
    ...opened,
    ...parts,
    files: { bytes: 25 * 2 ** 20, directory: () => "/files", attached: opened.store.attached },
    commands: features.commands,
    clicks: features.clicks,
    attends: features.attends,
    appPosts: features.appPosts,
    readLinks: features.readLinks,
    renewed: features.renew,
    ...(features.memory && { memory: features.memory }),
    covers,
    toolLooks: looks,
    alert,
    conceal: concealWith(
      options.outside?.sealKey ?? (() => ({ kind: "unusable", why: "There is no key." })),
      options.outside?.learnSecret ?? (() => undefined),
    ),
    isAlone: options.share === undefined,
    taking: (platform: string, take: ReceivePayload) =>
      share.led(platform, take, (by) => by("take", take, LEADER_AWAY)),
    ...own,
    limits,
  };
  const surface: ChatSurface =
    own.surface?.({ ...connectionDeps(config, whole), commands: commandsWith(await features.commands()) }) ??
    (await openChat(config, whole)).find((one) => one.name === name) ??
    missing(name);
  if (surface.off !== null) throw new Error(`${name} is off`);
  const changeMode = createChangeModeTool({
    modes: testModes,
    sessions: { setSessionMode: (...given) => bot.setSessionMode(...given) },
    log: { error: () => undefined },
  });
  const ofFeatures = new Map(
    features.tools
      .filter(({ spec }) => options.featureTools?.includes(spec.name) === true)
      .map((tool) => [tool.spec.name, tool]),
  );
  const routes = ledRoutes(
    routeTo(() => [{ ...surface, threads: options.threads?.(surface.threads) ?? surface.threads }]),
    share.led,
  );
  const bot: RunningBot = createBot({
    ...alone,
    ...parts,
    store: options.store?.(opened.store) ?? opened.store,
    forgotten: features.renew,
    randomId,
    boot: randomId(),
    confinement: options.confinement ?? "enforced",
    system: "system",
    agentSystem: "agents",
    modelName: "test",
    safeMode: true,
    whenBusy: config.PARLEY_BUSY,
    model,
    tools: {
      ...TOOLS,
      run: (run, hooks) =>
        run.name === "agent_change_mode"
          ? changeMode.run(run.input, { ...run, ...hooks })
          : (ofFeatures.get(run.name)?.run(run.input, { ...run, ...hooks }) ?? TOOLS.run(run, hooks)),
      ...options.tools,
    },
    citations: options.citations ?? fortyLines,
    reviewedIn: features.reviewedIn,
    workspaces: options.workspaces ?? NOWHERE,
    ...(options.drafts && { drafts: options.drafts }),
    modelSlots: createSlots(8),
    toolSlots: createSlots(8),
    ...(share.mine && { mine: { ...share.mine, given: () => undefined } }),
    watch: (id, change) => {
      shown(id, change);
      share.happened(id, change);
      if (change.kind !== "live") features.heard(id, change);
    },
    ...(options.offer === undefined ? {} : { offer: options.offer }),
    ...routes,
    ...(options.reuse && { reuse: options.reuse(routes, opened) }),
    ...(features.memory && { memory: features.memory }),
  });
  const shared: Bot = share.route(bot);
  await bot.recover();
  const led: ReturnType<RigFeatures["start"]>[] = [];
  await share.start({
    lead: async () => {
      await surface.start(shared);
      led.push(features.start());
    },
    changed: features.changed,
    heard: shown,
  });
  if (!share.leads()) surface.listen();
  let closed = false;
  const close = async (): Promise<void> => {
    if (closed) return;
    closed = true;
    await features.leave();
    for (const work of led) await work.close();
    await features.leave();
    await surface.leave();
    await bot.close();
    await surface.close();
    await features.close();
  };
  onTestFinished(close);
  const besides = () => features.besides(bot);
  return { bot, surface, ports: features.ports, alerted, asked, logged, besides, close };
};

const PRICES = { input: 1, output: 1, cacheRead: 0, cacheWrite: 1 };

const missing = (name: string): never => {
  throw new Error(`there is no ${name}`);
};

/** Settings of a host without any, beside these. */
export const configOf = (env: Readonly<Record<string, string>>): Config => {
  const read = readConfig(
    { PARLEY_MODEL: "demo", PARLEY_REPOS: "acme/api,acme/web", ...env },
    "/nonexistent",
  );
  if (read.kind === "invalid") throw new Error(read.problems.join("\n"));
  return read.config;
};

/** Everything a request told the model, as one text. */
export const told = (messages: readonly PromptMessage[] | undefined): string =>
  (messages ?? [])
    .flatMap(({ content }) => content)
    .map((block) => (block.kind === "text" ? block.text : `[${block.kind}]`))
    .join("\n");

const partsOf = (
  logged: string[],
  {
    pictures: decode = anyPicture,
    models = ["test"],
    fallback,
    first,
    blobs,
  }: Pick<HostOptions, "pictures" | "models" | "fallback" | "first" | "blobs">,
) => ({
  observer: UNOBSERVED,
  clock: systemClock,
  log: logTo(logged),
  blobs: blobs ?? {
    put: () => Promise.resolve({ kind: "stored", hash: "h" } as const),
    get: () => Promise.resolve(null),
    remove: () => Promise.resolve({ kind: "done" }),
  },
  pictures: { decode },
  modes: testModes,
  models: {
    all: models,
    knows: (name: string) => models.includes(name),
    ...(fallback === undefined ? {} : { fallback }),
    ...(first === undefined ? {} : { first }),
  },
  maskFile: maskHere,
  fault: (surface: string, conversation: string) => void logged.push(`fault ${surface} ${conversation}`),
});

const ownersOf = ({ PARLEY_CODEOWNERS: file }: Config): Pick<ConnectionDeps, "owners"> => {
  const read = file === undefined ? null : readOwnersFile(file);
  if (read?.kind === "invalid") throw new Error(read.problems.join("\n"));
  return read === null ? {} : { owners: read.table };
};

const logTo = (logged: string[]): Log => {
  const note = (level: string) => (message: string, fields: object | undefined) =>
    void logged.push(`${level} ${message}${fields === undefined ? "" : ` ${JSON.stringify(fields)}`}`);
  return { info: note("info"), warn: note("warn"), error: note("error") };
};

const anyPicture: Pictures["decode"] = (_conversation, bytes) =>
  Promise.resolve({
    kind: "picture",
    bytes: Buffer.from(bytes),
    mediaType: "image/png",
    width: 1,
    height: 1,
  });

const modelOf = (asked: (readonly PromptMessage[])[], { answer, stream }: HostOptions): Model => ({
  window: () => 200_000,
  respond: async ({ messages }, { signal, onText }) => {
    asked.push(messages);
    await stream?.(onText);
    const answered =
      answer === undefined
        ? textAnswer(`Answer ${asked.length}.`)
        : await answer(messages, asked.length, signal);
    return signal.aborted ? { kind: "aborted" } : answered;
  },
});

const NOWHERE = plainWorkspaces(({ repo }) => ({
  commit: "abc1234567",
  ref: repo.ref ?? "main",
  cwd: "/work",
}));

const TOOLS: Tools = {
  specs: [],
  agentSpecs: [],
  intent: (name) => ({ intent: name === "request_mode_upgrade" ? "upgrade" : "tool" }),
  dangers: () => Promise.resolve([]),
  run: () => Promise.resolve(toolResult("done")),
  origin: originOf,
  look: looks,
  stopBackground: () => Promise.resolve(),
};
