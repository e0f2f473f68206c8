/** What the database of several hosts needs of the settings; loaded only where one is set. */

import { readFileSync } from "node:fs";
import type { FleetSettings } from "../../store/replica/link.ts";
import type { Config } from "../settings/config.ts";
import { version } from "../settings/version.ts";

type Read =
  | { readonly kind: "settings"; readonly settings: FleetSettings; readonly secrets: readonly string[] }
  /** A sentence for the operator. */
  | { readonly kind: "failed"; readonly problem: string };

/** Null where this host is alone. */
export const fleetSettings = (config: Config): Read | null => {
  const { PARLEY_DATABASE: database, PARLEY_DATABASE_PASSWORD_FILE: file, PARLEY_DATABASE_CA: ca } = config;
  if (database === undefined) return null;
  const read = file === undefined ? (config.PARLEY_DATABASE_PASSWORD ?? null) : passwordIn(file);
  if (typeof read === "object" && read !== null) return read;
  const written = URL.parse(database)?.password ?? "";
  return {
    kind: "settings",
    settings: {
      database,
      name: config.PARLEY_HOST_NAME,
      version,
      ...(read === null ? {} : { password: read }),
      ...(ca === undefined ? {} : { ca }),
    },
    secrets: [read ?? "", written, decodeURIComponent(written)].filter((secret) => secret !== ""),
  };
};

const passwordIn = (file: string): string | Extract<Read, { readonly kind: "failed" }> => {
  try {
    const password = readFileSync(file, "utf8").trim();
    return password === ""
      ? { kind: "failed", problem: `PARLEY_DATABASE_PASSWORD_FILE: ${file} is empty` }
      : password;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { kind: "failed", problem: `PARLEY_DATABASE_PASSWORD_FILE cannot be read: ${why}` };
  }
};
