/** How Slack's markup spells what the host says. Pure. */

import type { Dialect, Host } from "../../post/dialect.ts";
import { createRenderer } from "../../post/render.ts";
import { code, escaped, linkTo, personOrCode, plain, time } from "./markup.ts";

export const slackDialect: Dialect = {
  platform: "Slack",
  marks: {
    code: personOrCode,
    plain,
    thread: (id, link) => (link === undefined ? code(id) : linkTo(link, "the new thread")),
    link: (text, url) => linkTo(url, plain(text)),
  },
  code,
  bold: (text) => `*${text}*`,
  italic: (text) => `_${text}_`,
  // Bold with one star.
  markdown: (text) => text.replaceAll("**", "*"),
  linked: (text, link) => (link === null ? code(text) : `<${escaped(link)}|${escaped(text)}>`),
  time,
  buttonsFirst: false,
  marksButtons: false,
  isPublic: false,
  files: 15,
};

export const createSlackRenderer = (host: Host): ReturnType<typeof createRenderer> =>
  createRenderer(slackDialect, host);
