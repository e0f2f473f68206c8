/** The channels of a platform in which answers are looked at before they are posted, as the database has them. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../host/settings/config.ts";
import { openStoreForReading } from "../../store/sqlite.ts";

/** None where there is no database yet, or none that can be read, which another line says. */
export const reviewPlaces = (
  { PARLEY_DATA: directory }: Pick<Config, "PARLEY_DATA">,
  surface: string,
): readonly string[] => {
  if (!existsSync(join(directory, "parley.sqlite"))) return [];
  const opened = openStoreForReading(directory);
  if (opened.kind === "failed") return [];
  const { chat, store } = opened;
  const places = chat
    .channels()
    .flatMap((one) => (one.surface === surface ? (chat.channel(surface, one.place)?.review ?? []) : []));
  store.close();
  return [...new Set(places)];
};
