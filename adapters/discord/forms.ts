/** Forms in which people write Discord ids. */

import type { PlatformForms } from "../../src/ports/platform-entry.ts";

export const DISCORD_FORMS: PlatformForms = {
  approvers: [
    [/^(?:<@!?|@)?(\d{15,25})>?$/, ""],
    [/^(?:<@&|@&|role:)(\d{15,25})>?$/, "role:"],
  ],
  channel: /^(?:<?#|https:\/\/(?:\w+\.)?discord\.com\/channels\/\d+\/)?(\d{15,25})>?$/,
  examples: "80351110224678912 or role:165511591545143296",
  group: "role",
  admins: "members who manage this server",
  server: "server",
  threadName:
    "A thread that I opened takes the name too (at most twice in ten minutes, as Discord has it); one that a person made keeps its own.",
  noChannel: "That names no channel. Choose it with `#`, or use its id or its link.",
};
