/** The bot over its real tools, workspaces and model. */

import { quoteUntrusted } from "../../adapters/text/text.ts";
import type { Sandbox } from "../../sandbox/types.ts";
import type { ConversationId } from "../machine/id.ts";
import type { Confinement } from "../machine/words.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Change } from "../ports/bot.ts";
import type { WritableForges } from "../ports/desk.ts";
import type { Doors } from "../ports/forge.ts";
import type { Clock, Log } from "../ports/host.ts";
import type { Model, ModelNames } from "../ports/model.ts";
import type { Pictures } from "../ports/pictures.ts";
import type { Requests } from "../ports/questions.ts";
import type { Blobs } from "../ports/store.ts";
import type { NewThreads } from "../ports/threads.ts";
import type { Modes } from "../ports/tools.ts";
import type { Rests } from "../ports/workspaces.ts";
import type { McpCalls } from "../tools/mcp/calls.ts";
import { createBot, type RunningBot } from "../runtime/bot/bot.ts";
import type { CountedSlots } from "../runtime/live/slots.ts";
import { certificatesFor } from "./certificates.ts";
import { offerOf } from "./covers.ts";
import { randomId } from "./random-id.ts";
import type { Config } from "./settings/config.ts";
import { systemClock } from "./system-clock.ts";
import { agentSystemPrompt, systemPrompt } from "./system-prompt.ts";

interface BotParts {
  readonly sandbox: Sandbox;
  readonly pictures: Pictures;
  readonly blobs: Blobs;
  readonly log: Log;
  readonly secrets: readonly string[];
  readonly model: { readonly name: string; readonly model: Model };
  readonly models: ModelNames;
  readonly store: Parameters<typeof createBot>[0]["store"];
  readonly watch: (id: ConversationId, change: Change) => void;
  readonly modes: Modes;
  readonly metrics: Metrics;
  readonly mcp?: McpCalls;
  readonly forges: WritableForges;
  readonly doors: Doors;
  readonly slots: { readonly model: CountedSlots; readonly tools: CountedSlots };
  readonly threads: NewThreads;
  readonly requests?: Requests;
}

interface Assembled {
  readonly bot: RunningBot;
  readonly rests: Rests;
}

export const assembleBot = async (config: Config, parts: BotParts): Promise<Assembled> => {
  const [{ createTools }, { createWorkspaces }] = await Promise.all([
    import("../tools/registry.ts"),
    import("../workspace/workspaces.ts"),
  ]);
  const { pictures, blobs, log, secrets, model, models, store, modes, forges, doors, watch, threads } = parts;
  const sandbox = parts.metrics.sandbox(parts.sandbox);
  const clock: Clock = systemClock;
  const certificates = certificatesFor(config.PARLEY_DATA, process.env["NODE_EXTRA_CA_CERTS"]);
  const workspaces = createWorkspaces({
    directory: config.PARLEY_DATA,
    sandbox,
    clock,
    log,
    doors,
    ...(certificates === null ? {} : { certificates }),
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
    // The bot is made below; no tool runs before.
    sessions: { setSessionMode: (...given) => bot.setSessionMode(...given) },
    forges,
    outgoing: {
      changes: workspaces.changes,
      identity: { name: config.PARLEY_GIT_NAME, email: config.PARLEY_GIT_EMAIL },
    },
    quote: quoteUntrusted,
    ...(parts.mcp === undefined ? {} : { mcp: parts.mcp }),
    knowsModel: models.knows,
    ...(models.agents === undefined ? {} : { agentModel: models.agents }),
  });
  const bot: RunningBot = createBot({
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
    models,
    boot: randomId(),
    confinement: confinementOf(sandbox),
    offer: offerOf(config, sandbox),
    ...(parts.requests === undefined ? {} : { requests: parts.requests }),
    system: systemPrompt,
    agentSystem: agentSystemPrompt,
    modes,
    watch,
    threads,
    safeMode: config.PARLEY_SAFE_MODE,
    modelSlots: parts.slots.model,
    toolSlots: parts.slots.tools,
  });
  return { bot, rests: workspaces };
};

const confinementOf = (sandbox: Sandbox): Confinement =>
  sandbox.probe.restricted ? "enforced" : "unavailable";
