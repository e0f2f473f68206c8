import type { PlatformForms } from "../../src/ports/platform-entry.ts";

export const SLACK_FORMS: PlatformForms = {
  approvers: [
    [/^(?:<@|@)?([UW][A-Z0-9]{2,20})(?:\|[^>]*)?>?$/, ""],
    [/^(?:<!subteam\^|group:|@)(S[A-Z0-9]{2,20})(?:\|[^>]*)?>?$/, "group:"],
  ],
  channel: /^(?:<?#|https:\/\/[\w.-]+\/archives\/)?([CG][A-Z0-9]{2,20})(?:\|[^>]*)?>?$/,
  examples: "U024BE7LH or group:S0614TZR7",
  group: "group",
  admins: "owners and admins",
  server: "workspace",
  threadName: "Slack threads have no names, so nothing changes in the thread.",
  noChannel:
    "Slack does not tell apps which channel a name means. Use the channel's id or its link (*View channel details*, *Copy link*), or mention me: `@parley review on #channel`.",
};
