/** How the host's own lines write what is not prose, in Discord's Markdown. Pure. */

import type { Repo } from "../../../src/ports/conversation.ts";
import type { Marks } from "../../../src/thread/wording.ts";
import { shownCode, shownWords } from "../../text/text.ts";

/** A code span that no content can leave. */
export const code = (text: string): string => `\`${shownCode(text.replaceAll("`", " "))}\``;

/** Nothing in it is Markdown, a mention or a link that opens by itself. */
export const plain = (text: string): string =>
  shownWords(text)
    .replaceAll(/([\\`*_[\]<>#|~!@])/g, "\\$1")
    .replaceAll(/(?<=https?):\/\//g, "\\://");

/** A repository as people name it: the host and the protocol of the usual forge go without saying. */
export const repoText = ({ location, ref }: Repo): string =>
  `${location.replace(/^https:\/\/(github\.com\/)?/, "").replace(/\.git$/, "")}${ref === undefined ? "" : `@${ref}`}`;

const PERSON = /^discord:(\d+)$/;

/** People of Discord are shown by their names: `allowed_mentions` keeps the mention from calling them. */
const named = (id: string): string => {
  const [, user] = PERSON.exec(id) ?? [];
  return user === undefined ? code(id) : `<@${user}>`;
};

export const MARKS: Marks = {
  code: named,
  plain,
  thread: (id, link) => (link === undefined ? code(id) : `[the new thread](${link})`),
  link: (text, url) => `[${plain(text)}](<${url}>)`,
};
