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
    "A thread that I opened is renamed too (Discord allows two renames in ten minutes). A thread that a person created keeps its name.",
  noChannel: "Your entry is not the name of a channel. Choose a channel with `#`, or use its id or its link.",
};
