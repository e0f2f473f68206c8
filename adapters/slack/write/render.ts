import type { Say } from "../../../src/i18n/say.ts";
import type { Dialect } from "../../post/dialect.ts";
import { createRenderer } from "../../post/render.ts";
import {
  bold,
  slackCode,
  escapeMarkup,
  fromMarkdown,
  linkTo,
  personOrCode,
  slackPlain,
  time,
} from "./markup.ts";

export const slackDialect = (say: Say): Dialect => ({
  platform: "Slack",
  marks: {
    say,
    code: personOrCode,
    plain: slackPlain,
    thread: (id, link) => (link === undefined ? slackCode(id) : linkTo(link, say("the new thread"))),
    link: (text, url) => linkTo(url, slackPlain(text)),
  },
  code: slackCode,
  bold,
  italic: (text) => `_${text}_`,
  markdown: fromMarkdown,
  linked: (text, link) => (link === null ? slackCode(text) : `<${escapeMarkup(link)}|${escapeMarkup(text)}>`),
  time,
  buttonsFirst: false,
  marksButtons: false,
  isPublic: false,
  files: 15,
});

/** `approvers`: markup that names the approvers of a question, or the channel of their announcement. */
export const slackRenderer = (say: Say, approvers?: string): ReturnType<typeof createRenderer> =>
  createRenderer(slackDialect(say), approvers);
