/** Formats the host's texts in Slack's markup. Pure. */

import type { Say } from "../../../src/i18n/say.ts";
import type { Dialect } from "../../post/dialect.ts";
import { createRenderer } from "../../post/render.ts";
import { bold, code, escaped, fromMarkdown, linkTo, personOrCode, plain, time } from "./markup.ts";

export const slackDialect = (say: Say): Dialect => ({
  platform: "Slack",
  marks: {
    say,
    code: personOrCode,
    plain,
    thread: (id, link) => (link === undefined ? code(id) : linkTo(link, say("the new thread"))),
    link: (text, url) => linkTo(url, plain(text)),
  },
  code,
  bold,
  italic: (text) => `_${text}_`,
  markdown: fromMarkdown,
  linked: (text, link) => (link === null ? code(text) : `<${escaped(link)}|${escaped(text)}>`),
  time,
  buttonsFirst: false,
  marksButtons: false,
  isPublic: false,
  files: 15,
});

/** `approvers`: markup that names the approvers of a question, or the channel of their announcement. */
export const slackRenderer = (say: Say, approvers?: string): ReturnType<typeof createRenderer> =>
  createRenderer(slackDialect(say), approvers);
