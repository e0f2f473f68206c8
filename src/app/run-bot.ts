import { startIdleCheckouts } from "../runtime/bot/idle-checkouts.ts";
import { createSlots } from "../runtime/live/slots.ts";
import { omitUndefined } from "../text/omit-undefined.ts";
import { assembleBot } from "./assemble-bot.ts";
import type { HostCore } from "./core.ts";
import type { OpenFeatures } from "./features/open.ts";
import type { PreparedHost } from "./prepare.ts";
import { startShrinking } from "./process/shrink.ts";
import type { Config } from "./settings/config.ts";
import { systemClock } from "./system-clock.ts";

export type RunningParts = Awaited<ReturnType<typeof runBot>>;

/** Resolves once interrupted turns have resumed. */
export const runBot = async (
  config: Config,
  prepared: PreparedHost,
  core: HostCore,
  features: OpenFeatures,
) => {
  const { sandbox, secrets, fromFiles, membership } = prepared;
  const { ownership, travels } = membership;
  const { parts } = core;
  const slots = {
    model: createSlots(config.PARLEY_MODEL_CALLS),
    tools: createSlots(config.PARLEY_TOOL_PROCESSES),
  };
  const assembled = core.made(
    "assembled",
    await assembleBot(config, {
      ...parts,
      knowledge: features.knowledge,
      sandbox,
      secrets,
      model: { ...core.model, model: features.alerts.model(features.wrapModel(core.model)) },
      watch: (id, change) => {
        core.shown(id, change);
        ownership.happened(id, change);
        // Text that is still streaming is not stored, counted or indexed.
        if (change.kind === "live") return;
        parts.observer.heard(id, change);
        features.heard(id, change);
      },
      unseenFor: core.unseenFor,
      forgotten: features.renew,
      ...omitUndefined({ mine: ownership.mine }),
      travels,
      tests: features.tests,
      forge: fromFiles.forge,
      ofFeatures: (kit) => [...fromFiles.tools(kit), ...features.tools],
      doors: features.alerts.doors(fromFiles.forge.doors),
      slots,
      reviewedIn: features.reviewedIn,
      ...omitUndefined({ reuse: features.reuse, memory: features.memory }),
    }),
  );
  const { bot: local, rests, drafts, mirrors } = assembled;
  const bot = core.made("bot", ownership.route(local));
  await local.recover();
  const idleCheckouts = startIdleCheckouts({
    ...parts,
    rests,
    drafts,
    mirrors,
    days: config.PARLEY_IDLE_CHECKOUT_DAYS,
    draftDays: config.PARLEY_DRAFT_DAYS,
  });
  const ending = new AbortController();
  if (travels !== null) void rests.adopt(ending.signal);
  const endShrinking = startShrinking({
    clock: systemClock,
    isAsking: () => slots.model.load().inUse > 0,
  });
  return {
    bot,
    local,
    slots,
    readAhead: assembled.readAhead,
    ending: ending.signal,
    leave: (): Promise<unknown> => {
      endShrinking();
      ending.abort();
      return idleCheckouts.close();
    },
  };
};
