/** Signatures of writes: the requester, the approver, and the conversation. Pure. */

import type { Speaker } from "../../../machine/vocabulary.ts";
import { ownerOf } from "../../../ports/conversation.ts";
import type { WriteMarker } from "../ports/forge-writer.ts";
import type { ApprovedWrite, ToolRun } from "../../../ports/tools.ts";
import { oneLine } from "../../../text/one-line.ts";

type Person = Pick<Speaker, "id" | "name">;

/** Appends a line that names the requester, the approver and the conversation. */
export const signed = (text: string, { asker, approved }: ApprovedWrite, { conversation }: ToolRun): string =>
  `${text.trimEnd()}\n\n---\n*Written by Parley${asker === null ? "" : ` for ${inMarkdown(asker)}`}, approved by ${inMarkdown(approved.by)} (conversation ${ownerOf(conversation.id)}).*`;

export const commitMessage = (
  title: string,
  { asker, approved }: ApprovedWrite,
  { conversation }: ToolRun,
): string =>
  [
    oneLine(title),
    "",
    ...(asker === null ? [] : [`Requested-by: ${inTrailer(asker)}`]),
    `Approved-by: ${inTrailer(approved.by)}`,
    `Parley-Conversation: ${ownerOf(conversation.id)}`,
    "",
  ].join("\n");

export const writeMarkerOf = ({ key, since, again }: ApprovedWrite): WriteMarker => ({
  key: key.slice(0, 32),
  since,
  again,
});

const MAX_NAME = 60;

/** Shortens a person's name, and removes characters that would mention users or format text on the forge. */
const nameOf = ({ id, name }: Person): string => {
  const shown = Array.from((name ?? "").replaceAll(/[^\p{L}\p{N} ._'-]+/gu, " "));
  return oneLine(shown.slice(0, MAX_NAME).join("")) || id;
};

const inMarkdown = (person: Person): string =>
  `${nameOf(person).replaceAll(/([_'.-])/g, "\\$1")} (\`${person.id}\`)`;

const inTrailer = (person: Person): string => `${nameOf(person)} <${person.id}>`;
