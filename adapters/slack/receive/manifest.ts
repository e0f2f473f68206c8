/**
 * The app's manifest: scopes, events, the command, the shortcuts, the agent. People paste it, and doctor compares
 * the list of scopes with the token's. Pure.
 */

import { SHOW_STEPS } from "../write/steps-modal.ts";
import { ASK_FORM } from "./modals.ts";

/** Scopes, each with the feature that needs it. */
export const SCOPES: Readonly<Record<string, string>> = {
  "app_mentions:read": "mentions",
  "assistant:write": "suggested prompts and the status line",
  "channels:history": "replies and earlier messages in public channels",
  "channels:join": "incident channels that a watch names",
  "channels:read": "who can read a public channel",
  "chat:write": "answers",
  commands: "/parley and the shortcut",
  "files:read": "pictures and files that people attach",
  "files:write": "diffs and long output as files",
  "groups:history": "replies and earlier messages in private channels",
  "groups:read": "who can read a private channel",
  "im:history": "direct messages",
  "im:read": "direct messages",
  "im:write": "direct messages",
  "mpim:history": "group direct messages",
  "mpim:read": "group direct messages",
  "reactions:read": "the :x: reaction, which stops a turn, and emoji of watches",
  "usergroups:read": "user groups in PARLEY_APPROVERS",
  "users:read": "who may ask and who may approve",
};

export const EVENTS: readonly string[] = [
  "agent_session_stopped",
  "app_context_changed",
  "app_home_opened",
  "app_mention",
  "channel_created",
  "channel_id_changed",
  "channel_rename",
  "channel_unarchive",
  "group_rename",
  "group_unarchive",
  "member_joined_channel",
  "message.channels",
  "message.groups",
  "message.im",
  "message.mpim",
  "reaction_added",
  "reaction_removed",
  "user_change",
];

/** `requestUrl`: address for all payloads in HTTP mode; null for Socket Mode. */
export const slackManifest = (requestUrl: string | null) => {
  const url = requestUrl === null ? {} : { request_url: requestUrl };
  return {
    display_information: {
      name: "Parley",
      description: "A coding agent in your threads. It reads until somebody clicks Approve.",
      background_color: "#1f2a44",
    },
    features: {
      // Slack refuses `assistant_view` in new apps, and no app can change back to it.
      agent_view: {
        agent_description: "Answers questions about a repository, and changes it after somebody approved.",
        suggested_prompts: [
          { title: "What can you do?", message: "help" },
          { title: "Find something", message: "Where in the repository is the configuration read?" },
          { title: "Explain a failure", message: "Explain this stack trace and where it comes from:" },
        ],
      },
      app_home: {
        home_tab_enabled: true,
        messages_tab_enabled: true,
        messages_tab_read_only_enabled: false,
      },
      bot_user: { display_name: "parley", always_online: true },
      shortcuts: [
        {
          type: "message",
          name: "Ask Parley about this",
          callback_id: ASK_FORM,
          description: "Ask about a message, with its thread and what it links to.",
        },
        {
          type: "message",
          name: "Show Parley's steps",
          callback_id: SHOW_STEPS,
          description: "See what Parley ran for its answer, and what came of it.",
        },
      ],
      slash_commands: [
        {
          command: "/parley",
          description: "Ask Parley, or see and choose what it works on.",
          usage_hint:
            "ask QUESTION | repo [owner/name] | status | pending | approvers | budget | tools | instructions | help",
          should_escape: true,
          ...(requestUrl === null ? {} : { url: requestUrl }),
        },
      ],
    },
    oauth_config: { scopes: { bot: Object.keys(SCOPES) } },
    settings: {
      event_subscriptions: { ...url, bot_events: EVENTS },
      interactivity: { is_enabled: true, ...url },
      org_deploy_enabled: false,
      socket_mode_enabled: requestUrl === null,
      token_rotation_enabled: false,
    },
  };
};

export const missingScopes = (granted: readonly string[]): readonly string[] =>
  Object.keys(SCOPES).filter((scope) => !granted.includes(scope));
