/** What the database of several hosts needs of the settings; loaded only where one is set. */

import type { FleetSettings } from "../../store/cluster/link.ts";
import type { Config } from "../settings/config.ts";
import { secretIn } from "../settings/secret-file.ts";
import { version } from "../settings/version.ts";
import { given } from "../../text/given.ts";

type Read =
  | { readonly kind: "settings"; readonly settings: FleetSettings }
  /** A sentence for the operator. */
  | { readonly kind: "failed"; readonly problem: string };

/** Null where this host is alone. */
export const fleetSettings = (config: Config): Read | null => {
  const { PARLEY_DATABASE: database, PARLEY_DATABASE_PASSWORD_FILE: file, PARLEY_DATABASE_CA: ca } = config;
  if (database === undefined) return null;
  const read = file === undefined ? null : secretIn("PARLEY_DATABASE_PASSWORD_FILE", file);
  if (read?.kind === "failed") return read;
  const password = read?.secret ?? config.PARLEY_DATABASE_PASSWORD;
  return {
    kind: "settings",
    settings: {
      database,
      name: config.PARLEY_HOST_NAME,
      version,
      ...given({ password, ca }),
    },
  };
};
