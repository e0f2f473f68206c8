/** Connects Discord for `parley setup`: the token, the intent, the invitation, and the channels that the bot can use. */

import type { Finding } from "../../src/ports/finding.ts";
import { warning } from "../../src/ports/finding.ts";
import type {
  CheckedInput,
  PlatformSetup,
  SetupChannel,
  SetupContext,
} from "../../src/ports/platform-setup.ts";
import { createDiscordCalls, type DiscordCalls } from "./api/calls.ts";
import { inviteUrl, spaced } from "./read/manifest.ts";
import { type Application, checkToken, hasIntents, PORTAL, switchIntentsOn } from "./setup/application.ts";
import { type JoinedServer, joinedServers, usableChannels } from "./setup/servers.ts";

export const discordSetup: PlatformSetup = async (context) => {
  const { asker, options } = context;
  if (options.update) {
    return {
      kind: "stopped",
      why: "Discord has nothing to update: run `parley setup discord` without --update",
    };
  }
  const callsFor = (token: string): DiscordCalls => {
    const apiUrl = context.setting("DISCORD_API_URL");
    return createDiscordCalls({
      token,
      timeout: context.limits.request,
      ...(apiUrl === null ? {} : { apiUrl }),
    });
  };
  const { token, application } = await askToken(context, callsFor);
  const calls = callsFor(token);
  const trouble = await ensureIntents(context, calls, application);
  if (trouble !== null) {
    calls.close();
    return { kind: "stopped", why: trouble };
  }
  asker.print("Invite the bot to a server: open this link, choose the server, Continue, Authorize:");
  asker.print(inviteUrl(application.id));
  const findings: Finding[] = [];
  const home = context.setting("PARLEY_DISCORD_GUILD");
  return {
    kind: "ready",
    result: {
      settings: { DISCORD_TOKEN: token },
      approvers: "discord:manage-guild",
      channels: async () => {
        try {
          return await channelsOf(context, calls, application, home, findings);
        } finally {
          calls.close();
        }
      },
      firstQuestion: `In Discord, in that channel: "@${application.name} where is the configuration read?"`,
      findings,
    },
  };
};

interface TokenFacts {
  readonly token: string;
  readonly application: Application;
}

const askToken = (
  { asker, setting }: SetupContext,
  callsFor: (token: string) => DiscordCalls,
): Promise<TokenFacts> => {
  const known = setting("DISCORD_TOKEN");
  if (known === null) {
    asker.print(
      `Make an application at ${PORTAL} (New Application), then Bot, Reset Token, and copy the token.`,
    );
  }
  const check = async (answer: string): Promise<CheckedInput<TokenFacts>> => {
    const checked = await checkToken(answer, callsFor);
    if (checked.kind === "refused") return checked;
    const { value } = checked;
    return { kind: "valid", value, note: `The token works: application ${value.application.name}.` };
  };
  return asker.ask({
    name: "DISCORD_TOKEN",
    text: "Bot token",
    secret: true,
    ...(known === null ? {} : { fallback: known }),
    check,
  });
};

/** Returns the person's next step; null once the application has every intent. */
const ensureIntents = async (
  { asker, limits }: SetupContext,
  calls: DiscordCalls,
  application: Application,
): Promise<string | null> => {
  const switched = await switchIntentsOn(calls, application);
  if (switched.kind === "on") {
    if (switched.isNew) asker.print(`Switched on: ${switched.names.join(", ")}.`);
    return null;
  }
  const page = `${PORTAL}/${application.id}/bot`;
  const why = `Switch on ${switched.missing.join(" and ")} at ${page}, or ask Discord for it there if the application is verified (${switched.why})`;
  if (!asker.isInteractive) return why;
  const isOn = await asker.wait(`${why}.`, limits.server, async () =>
    (await hasIntents(calls)) ? true : null,
  );
  return isOn === null ? why : null;
};

const channelsOf = async (
  { asker, limits }: SetupContext,
  calls: DiscordCalls,
  application: Application,
  home: string | null,
  findings: Finding[],
): Promise<readonly SetupChannel[] | string> => {
  const invite = inviteUrl(application.id);
  let seen: readonly JoinedServer[] = [];
  let told = "";
  const whole = await asker.wait("Waiting until the bot is in a server…", limits.server, async () => {
    const read = await joinedServers(calls, home);
    if (read === null) return null;
    seen = read;
    const good = read.filter(({ missing }) => missing.length === 0);
    if (good.length > 0) return good;
    const text = read.map(lackText).join("; ");
    if (text !== told && text !== "")
      asker.print(`${text}. Open the invitation again, or change the bot's role: ${invite}`);
    told = text;
    return null;
  });
  if (whole === null) {
    return seen.length === 0
      ? `The bot is in no server yet: open ${invite}, then write \`/parley repo\` in a channel`
      : `${seen.map(lackText).join("; ")}: open ${invite} again, then write \`/parley repo\` in a channel`;
  }
  for (const server of seen.filter(({ missing }) => missing.length > 0)) {
    findings.push(warning("discord permissions", lackText(server), `Invite the bot there again: ${invite}`));
  }
  const channels = await usableChannels(calls, application.bot, whole);
  return channels.length > 0
    ? channels
    : "The bot can use no channel of its servers: let its role see one and write there, then write `/parley repo` in it";
};

const lackText = ({ name, missing }: JoinedServer): string =>
  `In ${name} the bot lacks ${missing.map(spaced).join(", ")}`;
