/** Gives a channel its repository before the first start. */

import type { Repo } from "../../../ports/conversation.ts";
import { openStore } from "../../../store/sqlite.ts";
import type { Config } from "../../settings/config.ts";
import { systemClock } from "../../system-clock.ts";

/** Null if the binding is stored, otherwise why it is not. */
export const bindChannel = async (
  config: Config,
  surface: string,
  place: string,
  repo: Repo,
): Promise<string | null> => {
  if (config.features.some(({ values }) => values["PARLEY_DATABASE"] !== undefined))
    return "the hosts share a database";
  const opened = openStore(
    config.PARLEY_DATA,
    config.features.flatMap(({ tables }) => tables),
  );
  if (opened.kind === "failed") return opened.message;
  const done = await opened.chat.bind(surface, place, {
    repo,
    by: "console:operator",
    at: systemClock.now(),
  });
  await opened.store.close();
  return done.kind === "failed" ? done.message : null;
};
