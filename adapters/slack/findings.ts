/** Doctor's checks of Slack: the tokens, the scopes, and the channels and people in the settings. */

import type { webApi } from "@slack/bolt";
import * as z from "zod";
import type { Approver } from "../../src/ports/chat-platform.ts";
import { error, type Finding, ok } from "../../src/ports/finding.ts";
import type { NamedChannels, PlaceCheck, PlaceChecks, SharedChecks } from "../../src/ports/platform-entry.ts";
import { omitUndefined } from "../../src/text/omit-undefined.ts";
import type { SlackSettings } from "./adapter.ts";
import { type IdentifyResult, identify } from "./receive/identify.ts";
import { EVENTS, missingScopes, SCOPES } from "./receive/manifest.ts";
import { tokenRefusalOf, type TokenTrouble } from "./api/token-trouble.ts";
import { readSlackChannel } from "./read/channels.ts";
import { createSlackPeople, type HomeOrganization, slackUnreadOf } from "./read/people.ts";
import { createSlackClient } from "./api/client.ts";

interface CheckedSettings extends Pick<SlackSettings, "token" | "apiUrl" | "approvalsChannel" | "channels"> {
  readonly appToken: string | undefined;
}

export async function* slackFindings(
  settings: CheckedSettings,
  shared: SharedChecks,
): AsyncGenerator<Finding> {
  const { token, appToken, apiUrl } = settings;
  const client = createSlackClient(token, omitUndefined({ apiUrl }));
  const identified = await identify(client);
  yield* botFindings(identified);
  if (appToken !== undefined) yield await appFinding(appToken, apiUrl);
  if (identified.kind !== "identity") return;
  yield eventsFinding;
  yield* shared.places(
    createChecks(client, identified.self),
    channelsOf(settings, shared),
    "Invite the bot to the channel (/invite @parley)",
  );
}

function* botFindings(identified: IdentifyResult): Generator<Finding> {
  if (identified.kind !== "identity") {
    const hint = "Try again; check SLACK_API_URL and the network.";
    yield troubleFinding("slack bot token", identified, hint);
    return;
  }
  yield ok("slack bot token", `@${identified.self.name} in workspace ${identified.self.team}`);
  const missing = missingScopes(identified.scopes);
  yield missing.length === 0
    ? ok("slack scopes", "all scopes of the manifest are granted")
    : error(
        "slack scopes",
        `missing: ${missing.map((scope) => `${scope} (${SCOPES[scope]})`).join(", ")}`,
        "Add the scopes under OAuth & Permissions (or paste the output of `npm run manifest -- slack` into App Manifest), and install the app again.",
      );
}

/** Slack has no method that lists the event subscriptions of an app. */
const eventsFinding = ok(
  "slack events",
  `cannot be read with these tokens; compare Event Subscriptions in the app's settings with ${EVENTS.join(", ")}`,
);

const channelsOf = (
  { approvalsChannel, channels }: CheckedSettings,
  shared: SharedChecks,
): readonly NamedChannels<null>[] => [
  ["PARLEY_APPROVALS_CHANNEL", [approvalsChannel], null],
  ...shared.told.map(({ setting, place }) => [setting, [place], null] as const),
  ["PARLEY_SLACK_CHANNELS", channels ?? [], null],
  ["/parley review", shared.reviewChannels, null],
];

/** Requests the address of a socket without using it. */
const appFinding = async (appToken: string, apiUrl: string | undefined): Promise<Finding> => {
  const client = createSlackClient(appToken, omitUndefined({ apiUrl }));
  try {
    await client.apps.connections.open();
    return ok("slack app token", "Socket Mode can be opened");
  } catch (failure) {
    return troubleFinding("slack app token", tokenRefusalOf(failure), "Try again in a moment.");
  }
};

const troubleFinding = (what: string, trouble: TokenTrouble, hint: string): Finding =>
  trouble.kind === "refused"
    ? error(what, trouble.why, trouble.remedy)
    : error(what, `Slack does not answer: ${trouble.why}`, hint);

const createChecks = (client: webApi.WebClient, home: HomeOrganization): PlaceChecks<null> => {
  const people = createSlackPeople(client, home);

  const person = async (id: string): Promise<PlaceCheck> => {
    const read = await people.person(id, []);
    if (read.kind === "unread") return failed(id, read.why);
    const { name, standing } = read.person;
    return standing === "member"
      ? { usable: true, found: `${name} (${id})` }
      : { usable: false, found: `${name} (${id}) is ${STANDINGS[standing]}` };
  };

  const group = async (id: string): Promise<PlaceCheck> => {
    try {
      const { users } = groupAnswer.parse(await client.usergroups.users.list({ usergroup: id }));
      return users.length === 0
        ? { usable: false, found: `the group ${id} has no members` }
        : { usable: true, found: `the group ${id} (${users.length} members)` };
    } catch (failure) {
      return failed(id, slackUnreadOf(failure).why);
    }
  };

  return {
    approver: (approver: Extract<Approver, { readonly id: string }>) =>
      approver.kind === "group" ? group(approver.id) : person(approver.id),
    channel: async (id) => {
      try {
        const channel = await readSlackChannel(client, id);
        const name = channel.name === undefined ? id : `#${channel.name} (${id})`;
        if (channel.is_archived) return { usable: false, found: `${name} is archived` };
        return channel.is_member || channel.is_im
          ? { usable: true, found: name }
          : { usable: false, found: `the bot is not in ${name}` };
      } catch (failure) {
        return failed(id, slackUnreadOf(failure).why);
      }
    },
  };
};

const failed = (id: string, why: string): PlaceCheck => ({ usable: false, found: `${id}: ${why}` });

const STANDINGS = {
  bot: "a bot",
  deactivated: "deactivated",
  external: "a member of another workspace",
  guest: "a guest",
} as const;

const groupAnswer = z.object({ users: z.array(z.string()) });
