/**
 * What doctor says of a platform's part of the settings: whether each person, group and channel that they name is there,
 * and whether they name enough.
 */

import type { Config } from "../../host/settings/config.ts";
import { readOwnersFile } from "../../host/settings/owners-file.ts";
import type { Approver } from "../../ports/chat-platform.ts";
import { approversOf } from "../../runtime/chat/commands/rights.ts";
import { error, type Finding, judged, ok, warning } from "./finding.ts";
import { stored } from "./stored.ts";

type Surface = "slack" | "discord";

interface Check {
  readonly usable: boolean;
  readonly found: string;
}

interface ApproverCheck {
  approver(approver: Extract<Approver, { readonly id: string }>): Promise<Check>;
}

type Settings = Pick<Config, "PARLEY_APPROVERS" | "PARLEY_CODEOWNERS">;

export async function* approverFindings(
  surface: Surface,
  { PARLEY_APPROVERS: named, PARLEY_CODEOWNERS: file }: Settings,
  checks: ApproverCheck,
): AsyncGenerator<Finding> {
  const lists = [
    ["approvers", "nobody approves by this entry", "PARLEY_APPROVERS", named],
    ["owners", "nobody owns a file by this entry", "the table of PARLEY_CODEOWNERS", ownerIds(file)],
  ] as const;
  for (const [who, lost, where, ids] of lists) {
    for (const approver of approversOf(surface, ids)) {
      if (approver.kind === "admins" || approver.kind === "members") continue;
      const { usable, found } = await checks.approver(approver);
      yield judged(usable, `${surface} ${who}`, usable ? found : `${found}: ${lost}`, `Correct ${where}.`);
    }
  }
}

/** `named`: each setting with the ids that it names. `see`: what to do for a channel that the bot cannot use. */
export async function* channelFindings<P>(
  surface: Surface,
  named: readonly (readonly [setting: string, id: string, purpose: P])[],
  look: (id: string, purpose: P) => Promise<Check>,
  see: string,
): AsyncGenerator<Finding> {
  for (const [setting, id, purpose] of named) {
    const { usable, found } = await look(id, purpose);
    yield judged(usable, `${surface} channels`, `${setting}: ${found}`, `${see}, or correct the id.`, error);
  }
}

/** The channels in which answers are looked at before they are posted. */
export const reviewPlaces = (directory: string, surface: Surface): readonly string[] => {
  const places = stored(directory, ({ chat }) =>
    chat
      .channels()
      .flatMap((one) => (one.surface === surface ? (chat.channel(surface, one.place)?.review ?? []) : [])),
  );
  return [...new Set(places)];
};

const NAMES = { slack: "Slack", discord: "Discord" } as const;

/** `entries`: how PARLEY_APPROVERS names people there. */
export function* lackFindings(
  surface: Surface,
  { PARLEY_REPOS: repos, PARLEY_APPROVERS: approvers }: Pick<Config, "PARLEY_REPOS" | "PARLEY_APPROVERS">,
  entries: string,
): Generator<Finding> {
  if (repos.length === 0) {
    yield warning(
      `${surface} repositories`,
      "PARLEY_REPOS is empty, so no channel can be given a repository",
      "Set PARLEY_REPOS, for instance to your-org/*.",
    );
  }
  if (approversOf(surface, approvers).length === 0) {
    yield warning(
      `${surface} approvers`,
      `PARLEY_APPROVERS names nobody on ${NAMES[surface]}, so nobody there can approve`,
      `Add ${entries} to it.`,
    );
  }
}

/** Null where owners of files do not count. */
export const ownersFinding = (file: string | undefined): Finding | null => {
  if (file === undefined) return null;
  const read = readOwnersFile(file);
  return read.kind === "invalid"
    ? error("owners", read.problems.join("; "), "Correct the file that PARLEY_CODEOWNERS names.")
    : ok("owners", `${[...read.table.keys()].join(", ") || "nobody"} (${file})`);
};

const ownerIds = (file: string | undefined): readonly string[] => {
  const read = file === undefined ? null : readOwnersFile(file);
  return read?.kind === "table" ? [...new Set([...read.table.values()].flat())] : [];
};
