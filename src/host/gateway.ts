/** The gateway with its configuration: off unless it has a token. */

import type { Gateway } from "../../adapters/gateway/app.ts";
import type { Bot } from "../ports/bot.ts";
import type { Repo } from "../ports/conversation.ts";
import type { Log } from "../ports/host.ts";
import type { TakePicture } from "../ports/pictures.ts";
import type { Ledger } from "../ports/surface.ts";
import { randomId } from "./random-id.ts";
import type { Config } from "./settings/config.ts";
import { consoleOperator } from "./settings/console-operator.ts";

/** Names under which clients of the source systems know the model (D32). */
const ALIASES = ["parley", "slavik"] as const;
/** A picture of 20 MB in base64, and what a client sends along of the session's history. */
const BODY_BYTES = 48 * 1_048_576;

export const openGateway = async (
  config: Config,
  parts: {
    readonly bot: Bot;
    readonly ledger: Ledger;
    readonly takePicture: TakePicture;
    readonly log: Log;
    readonly repo: Repo | null;
    readonly model: string;
    readonly consoleToken: string;
    readonly covers: string;
  },
): Promise<Gateway | null> => {
  const token = config.PARLEY_GATEWAY_TOKEN;
  if (token === undefined) return null;
  const { createGateway } = await import("../../adapters/gateway/app.ts");
  return createGateway({
    bot: parts.bot,
    sessions: parts.ledger,
    takePicture: parts.takePicture,
    log: parts.log,
    randomId,
    token,
    approverToken: parts.consoleToken,
    client: { id: "gateway:client", mayDrive: true, mayApprove: false },
    approver: consoleOperator(config),
    models: [...new Set([...ALIASES, parts.model])],
    repo: parts.repo,
    covers: parts.covers,
    startedAt: Date.now(),
    bodyBytes: BODY_BYTES,
  });
};
