/** The console over the running bot, listening where the operator said. */

import type { ConsoleDeps, Health } from "../../adapters/console/deps.ts";
import type { Sandbox } from "../../sandbox/types.ts";
import type { Beside } from "../ports/beside.ts";
import type { ChatSurface } from "../ports/connection.ts";
import type { Repo } from "../ports/conversation.ts";
import type { Modes } from "../ports/tools.ts";
import { createChannelBook } from "../runtime/channels/channel-book.ts";
import { createChannelNames } from "../runtime/channels/channel-names.ts";
import { createRepos } from "../runtime/channels/repos.ts";
import { formsOf } from "./chat/platforms.ts";
import { covers } from "./covers.ts";
import { randomId } from "./process/random-id.ts";
import type { Config } from "./settings/config.ts";
import { consoleOperator } from "./settings/console-operator.ts";
import { version } from "./settings/version.ts";
import { systemClock } from "./system-clock.ts";

/** What stands around the console in this host. */
interface Around
  extends Omit<Parameters<typeof createChannelBook>[0], "modes" | "repos" | "formsOf" | "clock"> {
  readonly modes: Modes;
  readonly besides: readonly Beside[];
  /** Features that people see as surfaces: the reason why one is off, or null. */
  readonly features: Readonly<Record<string, string | null>>;
  readonly surfaces: readonly Pick<ChatSurface, "name" | "off" | "standing" | "readName">[];
  readonly away: () => Health["away"];
  readonly sandbox: Sandbox;
  readonly repo: Repo | null;
}

type ConsoleParts = Around & Omit<ConsoleDeps, keyof ReturnType<typeof madeOf>>;

export const openConsole = async (config: Config, parts: ConsoleParts) => {
  const { createConsole } = await import("../../adapters/console/console.ts");
  let isDraining = false;
  const surface = createConsole({ ...parts, ...madeOf(config, parts, () => isDraining) });
  const listening = await surface.listen(config.PARLEY_HOST, config.PARLEY_PORT);
  const drain = (): void => {
    isDraining = true;
  };
  return { ...listening, drain, close: () => surface.close() };
};

const madeOf = (config: Config, parts: Around, isDraining: () => boolean) => {
  const { probe } = parts.sandbox;
  return {
    channels: createChannelBook({
      ...parts,
      modes: parts.modes.all,
      repos: createRepos(config.PARLEY_REPOS),
      formsOf,
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
    publicUrl: config.PARLEY_PUBLIC_URL ?? null,
    proxies: config.PARLEY_PROXY_ADDRESSES,
    health: (): Health => ({
      away: parts.away(),
      status: isDraining() ? "draining" : "ok",
      surfaces: {
        console: "on",
        ...Object.fromEntries(
          Object.entries(parts.features).map(([name, off]) => [name, off === null ? "on" : "off"]),
        ),
        ...Object.fromEntries(parts.surfaces.map((one) => [one.name, one.standing()])),
      },
    }),
    whyOff: {
      ...Object.fromEntries(parts.surfaces.map(({ name, off }) => [name, off])),
      ...parts.features,
    },
  };
};
