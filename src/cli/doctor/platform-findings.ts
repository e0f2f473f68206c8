/**
 * What doctor says of a platform's part of the settings: whether each person, group and channel that they name is there,
 * and whether they name enough.
 */

import { channelOf } from "../../host/chat/operator-channel.ts";
import type { Config } from "../../host/settings/config.ts";
import { readOwnersFile } from "../../host/settings/owners-file.ts";
import type { Approver } from "../../ports/chat-platform.ts";
import { approversOf } from "../../runtime/chat/commands/rights.ts";
import { error, type Finding, judged, ok, warning } from "./finding.ts";
import { readStored } from "../with-stored.ts";

type Surface = "slack" | "discord";

interface Check {
  readonly usable: boolean;
  readonly found: string;
  /** Why questions notify none of them, and what to do about it. */
  readonly unnotified?: { readonly why: string; readonly remedy: string };
}

interface Checks<P> {
  channel(id: string, purpose: P): Promise<Check>;
  approver(approver: Extract<Approver, { readonly id: string }>): Promise<Check>;
}

/** The ids of channels that a setting names, and what they are for. */
export type Channels<P> = readonly [setting: string, ids: readonly (string | undefined)[], purpose: P];

/** `see`: what to do for a channel that the bot cannot use. */
export async function* placeFindings<P>(
  surface: Surface,
  { PARLEY_APPROVERS: approvers, PARLEY_CODEOWNERS: file }: Config,
  checks: Checks<P>,
  channels: readonly Channels<P>[],
  see: string,
): AsyncGenerator<Finding> {
  for (const [setting, ids, purpose] of channels) {
    for (const id of ids.filter((one) => one !== undefined)) {
      const { usable, found } = await checks.channel(id, purpose);
      yield judged(
        usable,
        `${surface} channels`,
        `${setting}: ${found}`,
        `${see}, or correct the id.`,
        error,
      );
    }
  }
  const lists = [
    ["approvers", "nobody approves by this entry", "PARLEY_APPROVERS", approvers],
    ["owners", "nobody owns a file by this entry", "the table of PARLEY_CODEOWNERS", ownerIds(file)],
  ] as const;
  for (const [who, lost, where, ids] of lists) {
    for (const approver of approversOf(surface, ids)) {
      if (approver.kind === "admins" || approver.kind === "members") continue;
      const { usable, found, unnotified } = await checks.approver(approver);
      yield judged(usable, `${surface} ${who}`, usable ? found : `${found}: ${lost}`, `Correct ${where}.`);
      if (unnotified !== undefined)
        yield warning(`${surface} ${who}`, `${found}: ${unnotified.why}`, unnotified.remedy);
    }
  }
}

/** The channel of PARLEY_OPERATOR_CHANNEL, where it is on that platform. */
export const operatorPlaces = (config: Config, surface: Surface): readonly string[] => {
  const [name, place] = channelOf(config);
  return name === surface && place !== null ? [place] : [];
};

/** The channels in which answers are looked at before they are posted. */
export const reviewPlaces = (directory: string, surface: Surface): readonly string[] => {
  const places = readStored(directory, ({ chat }) =>
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

/** Nothing where owners of files do not count. */
export function* ownersFindings(file: string | undefined): Generator<Finding> {
  if (file === undefined) return;
  const read = readOwnersFile(file);
  yield read.kind === "invalid"
    ? error("owners", read.problems.join("; "), "Correct the file that PARLEY_CODEOWNERS names.")
    : ok("owners", `${[...read.table.keys()].join(", ") || "nobody"} (${file})`);
}

const ownerIds = (file: string | undefined): readonly string[] => {
  const read = file === undefined ? null : readOwnersFile(file);
  return read?.kind === "table" ? [...new Set([...read.table.values()].flat())] : [];
};
