import { noModel } from "../../chat.ts";
import type { Config } from "../../settings/config.ts";
import { readOwnersFile } from "../../settings/owners-file.ts";
import { error, type Finding, judged, ok, warning } from "../../../ports/finding.ts";
import type { NamedChannels, PlaceChecks, PlatformFacts } from "../../../ports/platform-entry.ts";
import { readStored } from "../shared/with-stored.ts";
import { approversOf } from "../../../runtime/chat/people/rights.ts";

export async function* platformFindings(config: Config): AsyncGenerator<Finding> {
  for (const platform of config.platforms) {
    const { name } = platform;
    const state = platform.configure(config);
    if (state.kind === "unset") {
      yield ok(name, `off (${state.why})`);
      continue;
    }
    const off = state.kind === "incomplete" ? state.why : noModel(config);
    if (off !== null) yield error(name, `off: ${off}`, `See docs/${name}.md.`);
    yield* state.findings({
      told: config.features.flatMap(({ tellsIn }) => tellsIn).filter(({ surface }) => surface === name),
      reviewChannels: reviewChannels(config.PARLEY_DATA, name),
      places: (checks, channels, remedy) => placeFindings(name, config, checks, channels, remedy),
    });
    yield* lackFindings(platform, config);
  }
}

async function* placeFindings<Purpose>(
  surface: string,
  { PARLEY_APPROVERS: approvers, PARLEY_CODEOWNERS: file }: Config,
  checks: PlaceChecks<Purpose>,
  channels: readonly NamedChannels<Purpose>[],
  remedy: string,
): AsyncGenerator<Finding> {
  for (const [setting, ids, purpose] of channels) {
    for (const id of ids.filter((one) => one !== undefined)) {
      const { usable, found } = await checks.channel(id, purpose);
      yield judged(
        usable,
        `${surface} channels`,
        `${setting}: ${found}`,
        `${remedy}, or correct the id.`,
        error,
      );
    }
  }
  const lists = [
    ["approvers", "this entry names no approver", "PARLEY_APPROVERS", approvers],
    ["owners", "this entry names no owner", "the table of PARLEY_CODEOWNERS", ownerIds(file)],
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

const reviewChannels = (directory: string, surface: string): readonly string[] => {
  const places = readStored(directory, ({ chat }) =>
    chat
      .channels()
      .flatMap((one) => (one.surface === surface ? (chat.channel(surface, one.place)?.review ?? []) : [])),
  );
  return [...new Set(places)];
};

function* lackFindings(
  { name, title, approverForms }: PlatformFacts,
  { PARLEY_REPOS: repos, PARLEY_APPROVERS: approvers }: Config,
): Generator<Finding> {
  if (repos.length === 0) {
    yield warning(
      `${name} repositories`,
      "PARLEY_REPOS is empty, so no repository can be chosen for a channel",
      "Set PARLEY_REPOS, for instance to your-org/*.",
    );
  }
  if (approversOf(name, approvers).length === 0) {
    yield warning(
      `${name} approvers`,
      `PARLEY_APPROVERS lists no approver on ${title}, so no change can be approved there`,
      `Add ${approverForms} to PARLEY_APPROVERS.`,
    );
  }
}

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
