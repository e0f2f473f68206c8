/** Doctor's line about stored secrets: whether this host can open them. */

import type { DoctorCore } from "../../feature.ts";
import { findingAbout, type Finding } from "../../ports/finding.ts";
import { testSecretReader } from "./rows.ts";
import { openTestSecret } from "./secrets.ts";

const SECRETS = findingAbout("secrets for tests");

export function* testSecretFindings({ stored, findSealKey, log }: DoctorCore): Generator<Finding> {
  const rows = stored(({ rows: found }) => testSecretReader(found, log).all()) ?? [];
  if (rows.length === 0) return;
  const key = findSealKey();
  const opened = key.kind === "key" ? rows.filter((row) => openTestSecret(key, row).kind === "opened") : [];
  const repos = new Set(rows.map(({ repo }) => repo)).size;
  const found = `${rows.length} stored for ${repos} repositories`;
  yield opened.length === rows.length
    ? SECRETS.ok(found)
    : SECRETS.error(
        `${found}, of which this host can open ${opened.length}`,
        "Restore PARLEY_SEAL_KEY or the file seal-key, or set the secrets again.",
      );
}
