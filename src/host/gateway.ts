/** The gateway with its configuration: off unless it has a token. */

import type { Gateway } from "../../adapters/gateway/app.ts";
import type { GatewayDeps } from "../../adapters/gateway/deps.ts";
import { systemClock } from "./system-clock.ts";
import { randomId } from "./random-id.ts";
import type { Config } from "./settings/config.ts";
import { consoleOperator } from "./settings/console-operator.ts";

/** Names under which clients of the source systems know the model (D32). */
const ALIASES = ["parley", "slavik"] as const;
/** A picture of 20 MB in base64, and what a client sends along of the session's history. */
const BODY_BYTES = 48 * 1_048_576;

interface GatewayParts
  extends Pick<
    GatewayDeps,
    "bot" | "sessions" | "takePicture" | "log" | "repo" | "approverToken" | "covers"
  > {
  /** The configured model's name. */
  readonly model: string;
}

export const openGateway = async (config: Config, parts: GatewayParts): Promise<Gateway | null> => {
  const token = config.PARLEY_GATEWAY_TOKEN;
  if (token === undefined) return null;
  const { createGateway } = await import("../../adapters/gateway/app.ts");
  return createGateway({
    ...parts,
    clock: systemClock,
    randomId,
    token,
    client: { id: "gateway:client", mayDrive: true, mayApprove: false },
    approver: consoleOperator(config),
    models: [...new Set([...ALIASES, parts.model])],
    startedAt: Date.now(),
    bodyBytes: BODY_BYTES,
  });
};
