/** Composes a host from core, features, surfaces, bot and HTTP server. This file decides nothing. */

import { omitUndefined } from "../text/omit-undefined.ts";
import type { Sandbox } from "../../sandbox/types.ts";
import type { Millis } from "../machine/id.ts";
import type { Repo } from "../ports/conversation.ts";
import { LEADER_AWAY } from "../ports/ownership.ts";
import type { Limits } from "../ports/surface.ts";
import { DRAIN } from "../runtime/bot/drain.ts";
import { startRetention } from "../runtime/bot/retention.ts";
import { openChat } from "./chat.ts";
import { type ClosingHost, closeHost } from "./close-host.ts";
import { createCore } from "./core.ts";
import { createHostStatus } from "./host-status.ts";
import { openHttp } from "./open-http.ts";
import { prepare } from "./prepare.ts";
import { listedRepos } from "./read-ahead.ts";
import { runBot } from "./run-bot.ts";
import type { Config } from "./settings/config.ts";
import { systemClock } from "./system-clock.ts";

export type StartResult =
  | { readonly kind: "started"; readonly host: RunningHost }
  /** The host was asked to end while it was in standby. */
  | { readonly kind: "left" }
  /** Sentences for the operator. */
  | { readonly kind: "failed"; readonly problems: readonly string[] };

export interface RunningHost {
  readonly url: string;
  readonly sandbox: Sandbox;
  readonly model: { readonly name: string; readonly notice: string | null };
  readonly repo: Repo | null;
  /** Status text of each surface, for display. The text names the missing setting if the surface is off. */
  readonly surfaces: Readonly<Record<string, string>>;
  /** Resolves with the reason when a surface has failed permanently and a supervisor should restart Parley. */
  readonly failed: Promise<string>;
  /** Resolves when the host is to hand over to another host. */
  readonly drained: Promise<unknown>;
  /** Longest duration of `close`, even if a part hangs. */
  readonly endsWithin: Millis;
  close(): Promise<void>;
}

/** `startedIn`: the default repository if `PARLEY_REPO` names none. `leaving`: ends a host in standby. */
export const start = async (
  config: Config,
  startedIn: string,
  limits: Partial<Limits> = {},
  leaving: AbortSignal = new AbortController().signal,
): Promise<StartResult> => {
  const preparation = await prepare(config, leaving);
  if (preparation.kind !== "prepared") return preparation;
  const { prepared } = preparation;
  const { sandbox, opened, membership } = prepared;
  const { ownership } = membership;
  const core = await createCore(config, prepared, startedIn);
  const { parts, repo } = core;
  const features = core.made("features", await prepared.features.open(core.ofFeatures));
  const surfaces = core.made(
    "surfaces",
    await openChat(config, {
      ...parts,
      commands: features.commands,
      clicks: features.clicks,
      attends: features.attends,
      ...omitUndefined({ memory: features.memory }),
      appPosts: features.appPosts,
      readLinks: features.readLinks,
      renewed: features.renew,
      isAlone: membership.name === null,
      taking: (surface, take) => ownership.led(surface, take, (by) => by("take", take, LEADER_AWAY)),
      limits,
    }),
  );
  const running = await runBot(config, prepared, core, features);
  const { bot } = running;
  const shownSurfaces = surfaces.map((one) => ({ ...one, standing: () => ownership.standing(one) }));
  // Only these two fields leave the host, because other fields of the model contain keys.
  const model = { name: core.model.name, notice: core.model.notice };
  const http = await openHttp(config, {
    ...parts,
    status: createHostStatus({
      ...core.figures,
      startedAt: systemClock.now(),
      directory: config.PARLEY_DATA,
      store: opened.store,
      figures: opened.figures,
      alerts: features.alerts.open,
      late: () => surfaces.flatMap((one) => one.late()),
      slots: running.slots,
    }),
    surfaces: shownSurfaces,
    away: core.away,
    features,
    bot,
    sandbox,
    model,
    token: prepared.token,
  });
  const led: ClosingHost["led"][number][] = [];
  const close = (): Promise<void> => closeHost({ prepared, core, features, surfaces, running, http, led });
  if (http.kind === "failed") {
    await close();
    return { kind: "failed", problems: [http.message] };
  }
  await ownership.start({
    lead: async () => {
      led.push(startRetention({ ...parts, bot, days: config.PARLEY_RETENTION_DAYS ?? Infinity }));
      await Promise.all(surfaces.map((one) => one.start(bot)));
      if (!running.ending.aborted) led.push(features.start());
    },
    changed: features.changed,
    heard: core.shown,
  });
  core.ahead.start(listedRepos(config.PARLEY_REPOS), running.readAhead);
  if (!ownership.leads()) for (const one of surfaces) one.listen();
  features.alerts.started(sandbox.probe.tier);
  return {
    kind: "started",
    host: {
      url: http.url,
      sandbox,
      model,
      repo,
      surfaces: Object.fromEntries(
        shownSurfaces.map(({ name, off, standing }) => [name, off === null ? standing() : `off (${off})`]),
      ),
      failed: Promise.race(surfaces.map(({ failed }) => failed)),
      endsWithin: DRAIN.whole + membership.handover,
      drained: membership.drained,
      close,
    },
  };
};
