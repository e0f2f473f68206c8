/**
 * Storage that all hosts share in addition to the database: a directory or a bucket for pictures, files and changed checkouts.
 */

import { statSync } from "node:fs";
import type { Objects } from "../../../ports/store.ts";
import type { S3Settings } from "../objects/bucket.ts";
import { omitUndefined } from "../../../text/omit-undefined.ts";
import { exposedIn, OPEN } from "../../../settings/exposed.ts";
import { secretIn } from "./secret-file.ts";
import type { AmazonSettings, CoreSettings } from "../../../feature.ts";
import type { ClusterSettings } from "./settings.ts";

export type SharedStorage =
  /** Each host keeps its files locally. */
  | { readonly kind: "none" }
  | { readonly kind: "directory"; readonly path: string }
  | { readonly kind: "bucket"; readonly settings: S3Settings }
  /** A sentence for the operator. */
  | { readonly kind: "failed"; readonly problem: string };

export const readShared = (settings: ClusterSettings, amazon: AmazonSettings): SharedStorage => {
  const { PARLEY_SHARED_STORAGE: shared } = settings;
  if (shared === undefined || shared === "none") return { kind: "none" };
  if (shared.startsWith(BUCKET)) return bucketOf(shared.slice(BUCKET.length), settings, amazon);
  const problem = problemOf(shared);
  return problem === null ? { kind: "directory", path: shared } : { kind: "failed", problem };
};

/** Null if each host keeps its files locally; a sentence for the operator if the storage cannot be used. */
export const openShared = async (
  settings: ClusterSettings,
  { data, amazon }: Pick<CoreSettings, "data" | "amazon">,
): Promise<Objects | string | null> => {
  const shared = readShared(settings, amazon);
  switch (shared.kind) {
    case "none":
      return null;
    case "failed":
      return shared.problem;
    case "directory":
      return (await import("../../../store/base/folder.ts")).createFolder(shared.path);
    case "bucket": {
      const { createS3 } = await import("../objects/s3.ts");
      const { checkStore } = await import("../objects/check-store.ts");
      const objects = createS3(shared.settings, data);
      const why = await checkStore(objects, settings.PARLEY_HOST_NAME);
      return why === null ? objects : `PARLEY_SHARED_STORAGE: ${why}`;
    }
  }
};

const BUCKET = "s3://";

/** Amazon's oldest region, which many other stores use as their default. */
const REGION = "us-east-1";

const bucketOf = (named: string, settings: ClusterSettings, amazon: AmazonSettings): SharedStorage => {
  const [bucket = "", ...parts] = named.split("/").filter((part) => part !== "");
  const keys = keysOf(settings, amazon);
  if (typeof keys === "string") return { kind: "failed", problem: keys };
  const endpoint = URL.parse(settings.PARLEY_SHARED_ENDPOINT ?? "");
  return {
    kind: "bucket",
    settings: {
      bucket,
      prefix: parts.map((part) => `${part}/`).join(""),
      endpoint: endpoint === null ? null : `${endpoint.origin}${endpoint.pathname}`,
      region: settings.PARLEY_SHARED_REGION ?? amazon.region ?? REGION,
      keys,
    },
  };
};

/** Parley's keys take precedence over the usual Amazon variables. A string describes a problem. */
const keysOf = (settings: ClusterSettings, amazon: AmazonSettings): S3Settings["keys"] | string => {
  const {
    PARLEY_SHARED_ACCESS_KEY: own,
    PARLEY_SHARED_SECRET_KEY: written,
    PARLEY_SHARED_SECRET_KEY_FILE: file,
  } = settings;
  const { accessKeyId, secretAccessKey, sessionToken } = amazon;
  if (written !== undefined && file !== undefined)
    return "PARLEY_SHARED_SECRET_KEY_FILE: conflicts with PARLEY_SHARED_SECRET_KEY: remove one of the two";
  const read = file === undefined ? null : secretIn("PARLEY_SHARED_SECRET_KEY_FILE", file);
  if (read?.kind === "failed") return read.problem;
  const secret = read?.secret ?? written;
  if ((own === undefined) !== (secret === undefined))
    return `PARLEY_SHARED_${own === undefined ? "ACCESS" : "SECRET"}_KEY: is missing: an access key needs the matching secret key`;
  if (own !== undefined && secret !== undefined) return { accessKeyId: own, secretAccessKey: secret };
  return accessKeyId === undefined || secretAccessKey === undefined
    ? "PARLEY_SHARED_STORAGE: the bucket has no keys; set PARLEY_SHARED_ACCESS_KEY and PARLEY_SHARED_SECRET_KEY"
    : { accessKeyId, secretAccessKey, ...omitUndefined({ sessionToken }) };
};

/** A missing directory is not created: an empty directory in place of an unmounted one would look like a loss. */
const problemOf = (directory: string): string | null => {
  const exposed = exposedIn(directory);
  if (exposed !== null) return `PARLEY_SHARED_STORAGE: ${directory} is in ${exposed}, ${OPEN}`;
  try {
    if (statSync(directory).isDirectory()) return null;
  } catch {
    // Reported below.
  }
  return `PARLEY_SHARED_STORAGE: ${directory} is not a directory; mount the directory, or create it once for all hosts`;
};
