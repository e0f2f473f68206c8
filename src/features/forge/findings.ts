/** Doctor findings for each entry of PARLEY_FORGES: whether the forge accepts the entry, its expiry, and missing rights. */

import type { CredentialInspection } from "./api/inspection.ts";
import type { InspectedEntry } from "./inspector.ts";
import type { OpenedForges } from "./open.ts";
import { DAY, type Millis } from "../../machine/id.ts";
import type { Repo } from "../../ports/conversation.ts";
import { findingAbout, type Finding, invalid } from "../../ports/finding.ts";

const FORGES = findingAbout("forges");
const PATIENCE = 30_000;
/** Milliseconds for all entries together. */
const WHOLE = 60_000;
/** A token that expires sooner gets a warning. */
const SOON: Millis = 14 * DAY;

/** `known`: repositories that may be used to test entries. */
export async function* forgeFindings(
  opened: OpenedForges,
  known: readonly Repo[],
  now: () => Millis = Date.now,
): AsyncGenerator<Finding> {
  if (opened.kind === "invalid") {
    yield* invalid("forges", opened.problems);
    return;
  }
  const entries = opened.inspector.entries(known);
  if (entries.length === 0)
    yield FORGES.ok("no credentials (PARLEY_FORGES); only public repositories can be read");
  const ending = AbortSignal.timeout(WHOLE);
  for (const entry of entries) {
    const signal = AbortSignal.any([ending, AbortSignal.timeout(PATIENCE)]);
    yield* inspected(entry, await entry.inspect(signal), now());
  }
}

function* inspected(
  { name, project }: InspectedEntry,
  inspection: CredentialInspection,
  now: Millis,
): Generator<Finding> {
  switch (inspection.kind) {
    case "refused":
      yield FORGES.error(`${name}: ${inspection.why}`, inspection.remedy);
      return;
    case "unreached":
      yield FORGES.error(`${name}: ${inspection.why}`, "Try again; check the entry's api and this network.");
      return;
    case "usable": {
      const { expires, lacking, untried } = inspection;
      const tried = project === null ? "" : `, tried on ${project}`;
      const until = expires === null ? "" : `, until ${new Date(expires).toISOString().slice(0, 10)}`;
      const open = untried === null ? "" : `; ${untried}`;
      if (lacking.length === 0) yield FORGES.ok(`${name}: works${tried}${until}${open}`);
      else {
        const rights = lacking.map(({ right, what }) => `${right} (${what})`).join(", ");
        yield FORGES.warning(
          `${name}: works${tried}${until}, and lacks ${rights}${open}`,
          "Grant these rights on the forge, or accept that the functions in brackets do not work.",
        );
      }
      if (expires !== null && expires - now < SOON) {
        const days = Math.max(0, Math.floor((expires - now) / DAY));
        yield FORGES.warning(
          `${name}: expires in ${days} days`,
          "Renew the credential, and put the new one into the file that PARLEY_FORGES names.",
        );
      }
    }
  }
}
