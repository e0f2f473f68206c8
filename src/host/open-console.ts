/** The console over the running bot, listening where the operator said. */

import type { Beside, ConsoleDeps } from "../../adapters/console/deps.ts";
import type { Gateway } from "../../adapters/gateway/app.ts";
import type { Sandbox } from "../../sandbox/types.ts";
import type { ChatStore } from "../ports/chat-rows.ts";
import type { ChatSurface } from "../ports/connection.ts";
import type { Repo } from "../ports/conversation.ts";
import type { KnowledgeBook } from "../ports/knowledge/knowledge.ts";
import { createChannelBook } from "../runtime/bot/channel-book.ts";
import { createChannelNames } from "../runtime/bot/channel-names.ts";
import { createRepos } from "../runtime/chat/commands/repos.ts";
import type { Budgets } from "../runtime/money/budgets.ts";
import { covers } from "./covers.ts";
import { besides } from "./hooks.ts";
import { randomId } from "./random-id.ts";
import type { Config } from "./settings/config.ts";
import { consoleOperator } from "./settings/console-operator.ts";
import { version } from "./settings/version.ts";
import { systemClock } from "./system-clock.ts";

interface ConsoleParts
  extends Pick<
    ConsoleDeps,
    | "watches"
    | "digests"
    | "feedback"
    | "host"
    | "search"
    | "metrics"
    | "modes"
    | "models"
    | "bot"
    | "blobs"
    | "takePicture"
    | "log"
    | "model"
    | "token"
    | "servers"
  > {
  readonly knowledge: KnowledgeBook;
  readonly budgets: Budgets;
  readonly chat: ChatStore;
  readonly gateway: Gateway | null;
  readonly hooks: Beside | null;
  readonly surfaces: readonly Pick<ChatSurface, "name" | "off" | "standing" | "readName">[];
  readonly sandbox: Sandbox;
  readonly repo: Repo | null;
  /** Of several hosts: it surely still is one. */
  readonly isSure: () => boolean;
}

export const openConsole = async (config: Config, parts: ConsoleParts) => {
  const [{ createConsole }, { DEFAULT_LIMITS }] = await Promise.all([
    import("../../adapters/console/console.ts"),
    import("../../adapters/console/deps.ts"),
  ]);
  const { probe } = parts.sandbox;
  let status: "ok" | "draining" = "ok";
  const surface = createConsole({
    ...parts,
    channels: createChannelBook({
      chat: parts.chat,
      budgets: parts.budgets,
      modes: parts.modes.all,
      models: parts.models,
      servers: parts.servers,
      knowledge: parts.knowledge,
      repos: createRepos(config.PARLEY_REPOS),
      clock: systemClock,
    }),
    channelNames: createChannelNames({
      reads: (name) => parts.surfaces.find((one) => one.name === name)?.readName ?? null,
      clock: systemClock,
    }),
    randomId,
    operator: consoleOperator(config),
    version,
    language: config.PARLEY_LANGUAGE,
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
    beside: besides([parts.gateway, parts.hooks]),
    health: () => ({
      status,
      isSure: parts.isSure(),
      surfaces: {
        console: "on",
        gateway: parts.gateway === null ? "off" : "on",
        ...Object.fromEntries(parts.surfaces.map((one) => [one.name, one.standing()])),
      },
    }),
    whyOff: {
      ...Object.fromEntries(parts.surfaces.map(({ name, off }) => [name, off])),
      gateway: config.PARLEY_GATEWAY_TOKEN === undefined ? "PARLEY_GATEWAY_TOKEN is not set" : null,
    },
    limits: DEFAULT_LIMITS,
  });
  const listening = await surface.listen(config.PARLEY_HOST, config.PARLEY_PORT);
  const drain = (): void => {
    status = "draining";
  };
  return { ...listening, drain, close: () => surface.close() };
};
