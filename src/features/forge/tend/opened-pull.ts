/** Finds the pull request that a button names, for *Merge* and *Look after this pull request*. */

import type { PersonId } from "../../../machine/id.ts";
import type { Bot } from "../../../ports/bot.ts";
import type { Label } from "../../../i18n/say.ts";
import { writeOf } from "../../../thread/wording.ts";

interface OpenedPull {
  readonly name: string;
  readonly number: number;
  /** Authors of the messages before its latest push. */
  readonly requesters: readonly PersonId[];
}

/** The pull request that the conversation opened; null if a button names another one. */
export const openedPull = (
  posts: NonNullable<Awaited<ReturnType<Bot["read"]>>>["posts"],
  value: string,
): OpenedPull | null => {
  let opened: Pick<OpenedPull, "name" | "number"> | null = null;
  let requesters: readonly PersonId[] = [];
  const people: PersonId[] = [];
  for (const { post } of posts) {
    const { body } = post;
    if (body.kind === "user") people.push(body.speaker.id);
    if (body.kind !== "question" || body.ask === undefined || body.decision === null) continue;
    const { ask, asker, decision, wrote } = body;
    if (writeOf(ask, decision.choice) !== "open_pull_request" || wrote?.kind !== "done") continue;
    const number = Number(/\/(?:pull|merge_requests)\/(\d{1,9})$/.exec(wrote.url ?? "")?.[1]);
    if (wrote.name !== value || Number.isNaN(number)) continue;
    if (asker !== undefined) people.push(asker);
    opened ??= { name: wrote.name, number };
    requesters = [...people];
  }
  return opened === null ? null : { ...opened, requesters };
};

/** Milliseconds for the forge's answers to a click. */
export const FORGE_TIME = 20_000;

export const NOT_OPENED: Label = "This conversation did not open the pull request.";
export const NO_CREDENTIAL: Label = "I have no credential that may write to the repository.";
