import { publicAddress } from "../../adapters/http/public-address.ts";
import type { GateDeps } from "../../adapters/http/gate.ts";
import type { Sandbox } from "../../sandbox/types.ts";
import type { ChatSurface } from "../ports/connection.ts";
import type { ConsoleHost, Health } from "../ports/console.ts";
import type { Observer } from "../ports/observer.ts";
import type { OpenFeatures } from "./features/open.ts";
import { formsOf } from "./chat/platforms.ts";
import { forgetRequest } from "./forget-person.ts";
import type { Config } from "./settings/config.ts";
import { consoleOperator } from "./settings/console-operator.ts";
import { version } from "./settings/version.ts";

interface HttpParts
  extends Pick<GateDeps, "log">,
    Pick<ConsoleHost, "blobs" | "bot" | "budgets" | "feedback" | "model" | "status" | "toolLooks"> {
  readonly observer: Pick<Observer, "answered" | "streaming">;
  readonly features: OpenFeatures;
  readonly surfaces: readonly Pick<ChatSurface, "name" | "off" | "standing">[];
  readonly away: () => Health["away"];
  readonly sandbox: Pick<Sandbox, "probe">;
  readonly token: string;
}

export const openHttp = async (config: Config, parts: HttpParts) => {
  const { bot, features, surfaces } = parts;
  const { createListener } = await import("../../adapters/http/listener.ts");
  let isDraining = false;
  const { tier, abi, refusal, egress, residual } = parts.sandbox.probe;
  const sandbox = { tier, abi, notice: refusal, network: egress, residual };
  const published = publicAddress(config.PARLEY_PUBLIC_URL ?? "");
  const operator = consoleOperator(config);
  const health = (): Health => ({
    away: parts.away(),
    status: isDraining ? "draining" : "ok",
    surfaces: {
      ...Object.fromEntries(
        Object.entries(features.surfaces).map(([name, off]) => [name, off === null ? "on" : "off"]),
      ),
      ...Object.fromEntries(surfaces.map((one) => [one.name, one.standing()])),
    },
  });
  const web = await features.web({
    ...parts,
    ...features,
    base: published?.base ?? "",
    formsOf,
    language: config.PARLEY_LANGUAGE,
    sandbox,
    health,
    whyOff: { ...Object.fromEntries(surfaces.map(({ name, off }) => [name, off])), ...features.surfaces },
  });
  const listener = createListener({
    ...parts,
    requests: [forgetRequest(() => ({ bot, operator })), ...features.requests],
    besides: await features.besides(bot),
    web,
    operator,
    version,
    sandbox,
    hosts: config.PARLEY_PROXY_HOSTS,
    published,
    proxies: config.PARLEY_PROXY_ADDRESSES,
    health,
  });
  const listening = await listener.listen(config.PARLEY_HOST, config.PARLEY_PORT);
  const drain = (): void => {
    isDraining = true;
  };
  return { ...listening, drain, close: () => listener.close() };
};
