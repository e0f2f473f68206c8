/** Doctor's lines about stored and declared secrets, and about services that repositories declare. Names only. */

import type { DoctorCore } from "../../feature.ts";
import { findingAbout, type Finding } from "../../ports/finding.ts";
import { declaredReader, type DeclaredTests } from "./declared-rows.ts";
import { missingSecrets } from "./missing-secrets.ts";
import { secretRepos } from "./repository.ts";
import { type TestSecretRow, testSecretReader } from "./rows.ts";
import { openTestSecret } from "./secrets.ts";
import { packagesOf, type ServicePrograms, servicesFor } from "./services.ts";

const SECRETS = findingAbout("secrets for tests");
const SERVICES = findingAbout("services for tests");

export function* testSecretFindings(
  { stored, findSealKey, repos, log }: DoctorCore,
  programs?: ServicePrograms,
): Generator<Finding> {
  const found = stored(({ rows, chat }) => ({
    secrets: testSecretReader(rows, log).all(),
    declared: declaredReader(rows, log)(),
    used: secretRepos(chat, repos),
  }));
  if (found === null) return;
  const { secrets, declared, used } = found;
  if (secrets.length > 0) yield keyFinding(secrets, findSealKey());
  const unused = secrets.filter(({ repo }) => !used.includes(repo));
  if (unused.length > 0)
    yield SECRETS.warning(
      `no channel works on the repository of ${namesText(unused)}`,
      "Remove them in the console, under Channels, unless threads of earlier channels still need them.",
    );
  const missing = missingSecrets(declared, secrets);
  if (missing.length > 0)
    yield SECRETS.warning(
      `declared but not stored: ${namesText(missing)}`,
      "An approver stores a secret with /parley secrets set NAME.",
    );
  yield* serviceFindings(declared, programs);
}

const keyFinding = (rows: readonly TestSecretRow[], key: ReturnType<DoctorCore["findSealKey"]>): Finding => {
  const opened = key.kind === "key" ? rows.filter((row) => openTestSecret(key, row).kind === "opened") : [];
  const repos = new Set(rows.map(({ repo }) => repo)).size;
  const found = `${rows.length} stored for ${repos} repositories`;
  return opened.length === rows.length
    ? SECRETS.ok(found)
    : SECRETS.error(
        `${found}, of which this host can open ${opened.length}`,
        "Restore PARLEY_SEAL_KEY or the file seal-key, or set the secrets again.",
      );
};

function* serviceFindings(
  declared: readonly DeclaredTests[],
  programs?: ServicePrograms,
): Generator<Finding> {
  for (const name of new Set(declared.flatMap(({ services }) => services))) {
    const by = declared.filter(({ services }) => services.includes(name)).map(({ repo }) => repo);
    yield servicesFor([name], programs).kind === "missing"
      ? SERVICES.warning(
          `${by.join(", ")} declares ${name}, which is not installed`,
          `Install ${packagesOf(name)}.`,
        )
      : SERVICES.ok(`${name} is installed`);
  }
}

const namesText = (named: readonly { readonly repo: string; readonly name: string }[]): string =>
  named.map(({ repo, name }) => `${name} (${repo})`).join(", ");
