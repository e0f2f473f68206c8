import type { CoreSettings } from "../../../feature.ts";
import { secretIn } from "./secret-file.ts";
import { omitUndefined } from "../../../text/omit-undefined.ts";
import type { FleetSettings } from "../database/link.ts";
import type { ClusterSettings } from "./settings.ts";

type Read =
  | { readonly kind: "settings"; readonly settings: FleetSettings }
  /** A sentence for the operator. */
  | { readonly kind: "failed"; readonly problem: string };

/** Null if this host is alone. */
export const fleetSettings = (
  settings: ClusterSettings,
  { version }: Pick<CoreSettings, "version">,
): Read | null => {
  const { PARLEY_DATABASE: database, PARLEY_DATABASE_PASSWORD_FILE: file, PARLEY_DATABASE_CA: ca } = settings;
  if (database === undefined) return null;
  const read = file === undefined ? null : secretIn("PARLEY_DATABASE_PASSWORD_FILE", file);
  if (read?.kind === "failed") return read;
  const password = read?.secret ?? settings.PARLEY_DATABASE_PASSWORD;
  return {
    kind: "settings",
    settings: {
      database,
      name: settings.PARLEY_HOST_NAME,
      version,
      ...omitUndefined({ password, ca }),
    },
  };
};
