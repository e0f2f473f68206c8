/**
 * Composition: the ports' real implementations, put together once. Nothing here decides anything; everything it
 * starts ends with `close`.
 */

import { createBot, type RunningBot } from "./runtime/bot.ts";
import { atMost, DRAIN } from "./runtime/drain.ts";
import { createSlots, type CountedSlots } from "./runtime/slots.ts";
import { createIndexer } from "./runtime/indexer.ts";
import { startRetention } from "./runtime/retention.ts";
import type { Confinement } from "./core/words.ts";
import type { ConversationId } from "./core/id.ts";
import type { Blobs, Change, Clock, Log, Model, Repo } from "./runtime/ports.ts";
import type { Doors } from "./runtime/ports-doors.ts";
import type { WritableForges } from "./runtime/ports-desk.ts";
import type { Pictures } from "./runtime/ports-pictures.ts";
import type { ChatStore } from "./runtime/ports-chat.ts";
import type { Limits } from "./runtime/ports-surface.ts";
import type { Sandbox } from "../sandbox/types.ts";
import type { ConsoleDeps } from "../adapters/console/deps.ts";
import type { Gateway } from "../adapters/gateway/app.ts";
import { quoteUntrusted } from "../adapters/text.ts";
import type { Config } from "./config.ts";
import { prepareDataDirectory } from "./data-directory.ts";
import { findDefaultRepo } from "./default-repo.ts";
import { openSandbox } from "./open-sandbox.ts";
import { createHostStatus } from "./host-status.ts";
import { randomId } from "./random-id.ts";
import { routeThreads } from "./route-threads.ts";
import type { NewThreads } from "./runtime/ports-threads.ts";
import type { Modes } from "./runtime/ports-tools.ts";
import { createDiscord, discordIsOff } from "./discord.ts";
import { openForges } from "./forges.ts";
import { openMoney } from "./money.ts";
import { secretsOf } from "./secrets-of.ts";
import { createOperator } from "./operator-channel.ts";
import type { Budgets } from "./runtime/money/budgets.ts";
import { channelsOf } from "./channels.ts";
import { createSlack, slackIsOff } from "./slack.ts";
import { agentSystemPrompt, systemPrompt } from "./system-prompt.ts";
import { systemClock } from "./system-clock.ts";
import { consoleOperator } from "./console-operator.ts";
import { openGateway } from "./gateway.ts";
import { consoleToken } from "./console-token.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { createLog } from "./log.ts";
import { chooseModel } from "./choose-model.ts";
import { version } from "./version.ts";

export type Started =
  | { readonly kind: "started"; readonly host: Host }
  /** Every problem that keeps the host from starting, one sentence each. */
  | { readonly kind: "failed"; readonly problems: readonly string[] };

export interface Host {
  readonly url: string;
  readonly sandbox: Sandbox;
  readonly model: { readonly name: string; readonly notice: string | null };
  readonly repo: Repo | null;
  /** For people, each with what is missing where it is off. */
  readonly surfaces: { readonly slack: string; readonly discord: string };
  /** Settles, with the reason, when a surface has failed for good and a supervisor should start anew. */
  readonly failed: Promise<string>;
  /** Drains and ends everything, within the shares of `DRAIN` as far as nothing hangs (design.md 4). */
  close(): Promise<void>;
}

/**
 * `startedIn`: the directory that is the default repository where `PARLEY_REPO` names none. `slackLimits`: for a
 * workspace that allows another pace than Slack's published one.
 */
export const start = async (config: Config, startedIn: string, slackLimits?: Limits): Promise<Started> => {
  const data = prepareDataDirectory(config.PARLEY_DATA);
  const { readCatalogue } = await import("./modes/catalogue.ts");
  const catalogue = readCatalogue(config.PARLEY_MODES ?? null);
  const forging = openForges(config.PARLEY_FORGES ?? null);
  if (data.kind === "failed" || catalogue.kind === "invalid" || forging.kind === "invalid") {
    const problems = [
      ...(data.kind === "failed" ? [data.message] : []),
      ...(catalogue.kind === "invalid" ? catalogue.problems : []),
      ...(forging.kind === "invalid" ? forging.problems : []),
    ];
    return { kind: "failed", problems };
  }
  const sandboxed = await openSandbox(config);
  if (sandboxed.kind === "failed") return { kind: "failed", problems: [sandboxed.problem] };
  const { sandbox } = sandboxed;
  const failed = async (problem: string): Promise<Started> => {
    await sandbox.close();
    return { kind: "failed", problems: [problem] };
  };
  const token = consoleToken(config);
  if (token.kind === "failed") return failed(token.message);
  const secrets = [...secretsOf(config, token.token), ...forging.secrets];
  const log = createLog(config.PARLEY_LOG_LEVEL, secrets);
  const { openStore } = await import("./store/sqlite.ts");
  const opened = openStore(config.PARLEY_DATA, log);
  if (opened.kind === "failed") return failed(opened.message);
  const { createBlobs } = await import("./store/blobs.ts");
  const blobs = createBlobs(config.PARLEY_DATA, log);
  const { createPictures } = await import("./tools/pictures/pictures.ts");
  const pictures = createPictures(sandbox);
  const chosen = await chooseModel(config, { blobs, log, clock: systemClock });
  const money = openMoney(config, chosen, { purse: opened.purse, clock: systemClock, log });
  if (!sandbox.probe.restricted) warnUnconfined(log, sandbox);
  const { createMetrics } = await import("./metrics/metrics.ts");
  const metrics = createMetrics({ clock: systemClock, waiting: opened.store.waiting });
  const { budgets } = money;
  const parts = {
    ...opened,
    budgets,
    blobs,
    pictures,
    log,
    clock: systemClock,
    modes: catalogue.modes,
    metrics,
  };
  const slack = await createSlack(config, { ...parts, covers: covers(sandbox), limits: slackLimits });
  const discord = await createDiscord(config, parts);
  const operator = createOperator(config, {
    ...parts,
    rows: opened.alerts,
    surfaces: () => ({ slack, discord }),
  });
  const slots = {
    model: createSlots(config.PARLEY_MODEL_CALLS),
    tools: createSlots(config.PARLEY_TOOL_PROCESSES),
  };
  const indexer = createIndexer({ search: opened.search, clock: systemClock, log });
  const bot = await assemble(config, {
    sandbox,
    pictures,
    blobs,
    log,
    secrets,
    metrics,
    model: { name: chosen.name, model: operator.model(money.model) },
    store: opened.store,
    watch: (id, change) => {
      metrics.heard(id, change);
      indexer.heard();
      slack?.heard(id, change);
      discord?.heard(id, change);
    },
    modes: catalogue.modes,
    forges: forging.forges,
    doors: forging.doors,
    slots,
    threads: routeThreads({ slack: slack?.threads ?? null, discord: discord?.threads ?? null }),
  });
  await bot.recover();
  indexer.heard();
  const retention = startRetention({ ...parts, bot, days: config.PARLEY_RETENTION_DAYS ?? null });
  const repo = findDefaultRepo(config.PARLEY_REPO, startedIn);
  const gateway = await openGateway(config, {
    bot,
    ledger: opened.ledger,
    log,
    repo,
    model: chosen.name,
    consoleToken: token.token,
  });
  const listening = await openConsole(config, {
    metrics,
    host: createHostStatus({
      startedAt: systemClock.now(),
      directory: config.PARLEY_DATA,
      store: opened.store,
      figures: opened.figures,
      alerts: operator.open,
      slots,
    }),
    search: { find: opened.search.find, catchUp: indexer.catchUp },
    slack: () => (slack === null ? "off" : slack.standing()),
    discord: () => (discord === null ? "off" : discord.standing()),
    gateway,
    budgets,
    chat: opened.chat,
    bot,
    modes: catalogue.modes,
    blobs,
    pictures,
    log,
    sandbox,
    model: chosen,
    token: token.token,
    repo,
  });
  const close = async (): Promise<void> => {
    listening.drain();
    await atMost(
      systemClock,
      DRAIN.leave,
      Promise.all([operator.close(), slack?.leave(), discord?.leave(), retention.close()]),
    );
    await bot.close();
    await Promise.all([slack?.close(), discord?.close()]);
    await listening.close();
    await sandbox.close();
    await indexer.close();
    await opened.store.close();
    metrics.close();
  };
  if (listening.kind === "failed") {
    await close();
    return { kind: "failed", problems: [listening.message] };
  }
  await Promise.all([slack?.start(bot), discord?.start(bot)]);
  await operator.start(sandbox.probe.tier);
  const surfaces = {
    slack: slack?.standing() ?? `off (${slackIsOff(config)})`,
    discord: discord?.standing() ?? `off (${discordIsOff(config)})`,
  };
  return {
    kind: "started",
    host: {
      url: listening.url,
      sandbox,
      model: chosen,
      repo,
      surfaces,
      failed: slack?.failed ?? never,
      close,
    },
  };
};

const never = new Promise<string>(() => undefined);

interface Parts {
  readonly sandbox: Sandbox;
  readonly pictures: Pictures;
  readonly blobs: Blobs;
  readonly log: Log;
  readonly secrets: readonly string[];
  readonly model: { readonly name: string; readonly model: Model };
  readonly store: Parameters<typeof createBot>[0]["store"];
  readonly watch: (id: ConversationId, change: Change) => void;
  readonly modes: Modes;
  readonly metrics: Metrics;
  readonly forges: WritableForges;
  readonly doors: Doors;
  readonly slots: { readonly model: CountedSlots; readonly tools: CountedSlots };
  readonly threads: NewThreads;
}

const assemble = async (config: Config, parts: Parts): Promise<RunningBot> => {
  const [{ createTools }, { createWorkspaces }, { modelFacts }] = await Promise.all([
    import("./tools/registry.ts"),
    import("./workspace/workspaces.ts"),
    import("./model/catalogue.ts"),
  ]);
  const { pictures, blobs, log, secrets, model, store, modes, forges, doors, watch, threads } = parts;
  const sandbox = parts.metrics.sandbox(parts.sandbox);
  const clock: Clock = systemClock;
  const workspaces = createWorkspaces({
    directory: config.PARLEY_DATA,
    sandbox,
    clock,
    log,
    doors,
    setUp: config.PARLEY_SETUP
      ? { timeout: config.PARLEY_SETUP_MINUTES * 60_000, maxBytes: config.PARLEY_SETUP_MIB * 2 ** 20 }
      : null,
  });
  const tools = await createTools({
    sandbox,
    places: workspaces,
    pictures,
    blobs,
    secrets,
    log,
    modes,
    forges,
    outgoing: {
      changes: workspaces.changes,
      identity: { name: config.PARLEY_GIT_NAME, email: config.PARLEY_GIT_EMAIL },
    },
    quote: quoteUntrusted,
    knowsModel: (name) => name === model.name || (model.name !== "demo" && modelFacts(name).known),
  });
  return createBot({
    store,
    blobs,
    clock,
    log,
    randomId,
    tools: parts.metrics.tools(tools),
    workspaces,
    citations: workspaces,
    carries: workspaces,
    discards: workspaces,
    model: parts.metrics.model(model.model),
    modelName: model.name,
    boot: randomId(),
    confinement: confinementOf(sandbox),
    system: systemPrompt,
    agentSystem: agentSystemPrompt,
    modes,
    watch,
    threads,
    safeMode: config.PARLEY_SAFE_MODE,
    modelSlots: parts.slots.model,
    toolSlots: parts.slots.tools,
  });
};

const confinementOf = (sandbox: Sandbox): Confinement =>
  sandbox.probe.restricted ? "enforced" : "unavailable";

interface ConsoleParts {
  readonly host: ConsoleDeps["host"];
  readonly search: ConsoleDeps["search"];
  readonly budgets: Budgets;
  readonly chat: ChatStore;
  readonly metrics: Metrics;
  readonly gateway: Gateway | null;
  readonly modes: Modes;
  readonly slack: () => string;
  readonly discord: () => string;
  readonly bot: RunningBot;
  readonly blobs: Blobs;
  readonly pictures: Pictures;
  readonly log: Log;
  readonly sandbox: Sandbox;
  readonly model: { readonly name: string; readonly notice: string | null };
  readonly token: string;
  readonly repo: Repo | null;
}

const openConsole = async (config: Config, parts: ConsoleParts) => {
  const [{ createConsole }, { DEFAULT_LIMITS }] = await Promise.all([
    import("../adapters/console/console.ts"),
    import("../adapters/console/deps.ts"),
  ]);
  const { probe } = parts.sandbox;
  let status: "ok" | "draining" = "ok";
  const surface = createConsole({
    bot: parts.bot,
    budgets: parts.budgets,
    channels: channelsOf(config, parts),
    blobs: parts.blobs,
    pictures: parts.pictures,
    log: parts.log,
    randomId,
    token: parts.token,
    operator: consoleOperator(config),
    version,
    model: parts.model,
    modes: parts.modes,
    sandbox: {
      tier: probe.tier,
      abi: probe.abi,
      notice: probe.refusal,
      network: probe.egress,
      residual: probe.residual,
      covers: covers(parts.sandbox),
    },
    defaultRepo: parts.repo,
    hosts: config.PARLEY_PROXY_HOSTS,
    beside: parts.gateway,
    health: () => ({
      status,
      surfaces: {
        console: "on",
        gateway: parts.gateway === null ? "off" : "on",
        slack: parts.slack(),
        discord: parts.discord(),
      },
    }),
    metrics: parts.metrics,
    host: parts.host,
    search: parts.search,
    limits: DEFAULT_LIMITS,
  });
  const listening = await surface.listen(config.PARLEY_HOST, config.PARLEY_PORT);
  const drain = (): void => {
    status = "draining";
  };
  return { ...listening, drain, close: () => surface.close() };
};

const covers = ({ probe }: Sandbox): string => {
  const network = probe.egress === "none" ? ", without a network" : " and reach the network";
  return probe.restricted
    ? `Tools may write in this conversation's own checkout${network}. They still cannot read the host's secrets or other conversations.`
    : `Tools may write${network}. This host's kernel does not confine them.`;
};

/** BASH-009: said in the log as well as in every conversation. */
const warnUnconfined = (log: Log, { probe }: Sandbox): void =>
  log.warn("Restricted mode is not available; conversations are Unrestricted", {
    tier: probe.tier,
    why: probe.refusal,
  });
