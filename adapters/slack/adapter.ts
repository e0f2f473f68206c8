/** The Slack adapter put together. */

import type { InboxRow } from "../../src/ports/chat.ts";
import type { ChatAdapter, ChatHost, ChatRoom } from "../../src/ports/connection.ts";
import { pause } from "../../src/ports/host.ts";
import type { PlatformPorts } from "../../src/ports/platform-entry.ts";
import { given } from "../../src/text/given.ts";
import { connectSlack, type Mode } from "./receive/connect.ts";
import { createEntry } from "./receive/entry.ts";
import { createHandle } from "./receive/handle.ts";
import { identify } from "./receive/identify.ts";
import type { Identity } from "./receive/identity.ts";
import { createIntake } from "./receive/intake.ts";
import { createBacklog } from "./receive/backlog.ts";
import { createTokenWatch } from "./receive/token-watch.ts";
import { createSlackPlatform } from "./platform.ts";
import { createReadName } from "./read/channel-name.ts";
import { createReadThread } from "./read/channels.ts";
import { createNaming } from "./read/names.ts";
import { createPeople } from "./read/people.ts";
import { announcedBy } from "./write/announce.ts";
import { approversText, toldInText } from "./write/markup.ts";
import { createOpener } from "./write/open.ts";
import { slackRenderer } from "./write/render.ts";
import { createRespond } from "./write/respond.ts";
import { createStreamGate, type StreamPlaces } from "./write/stream-gate.ts";
import { createSlackClient, createSlackSurface, slackLimits } from "./write/surface.ts";
import { createAlert } from "./write/alert.ts";
import { createCards } from "./write/cards.ts";

export interface SlackSettings {
  readonly token: string;
  readonly apiUrl: string | undefined;
  readonly mode: Mode;
  /** No other host has connections of the same app. */
  readonly isAlone: boolean;
  /** Whether an outgoing proxy is set for the process. */
  readonly isProxied: boolean;
  /** Null: every channel that the bot is in. */
  readonly channels: readonly string[] | null;
  /** Where answers and progress are native streams. */
  readonly streams: StreamPlaces;
  /** Where questions are told to those who approve. */
  readonly approvalsChannel: string | undefined;
}

type SlackPorts = Pick<PlatformPorts, "clock" | "log" | "approvers" | "taking" | "limits">;

export const createSlackAdapter = (settings: SlackSettings, ports: SlackPorts): ChatAdapter => {
  const {
    token,
    apiUrl,
    mode,
    isAlone,
    isProxied,
    channels,
    streams: places,
    approvalsChannel: place,
  } = settings;
  const { clock, log, approvers } = ports;
  const intake = createIntake(ports.taking);
  const limits = { ...slackLimits, ...ports.limits };
  let known: Identity | null = null;

  const watch = createTokenWatch({
    clock,
    log,
    identify: () => identify(client),
    recovered: () => entry.recovered(),
  });
  const client = createSlackClient(token, {
    refused: watch.met,
    wait: (delay) => pause(clock, delay),
    ...given({ apiUrl }),
  });

  const attend = (host: ChatHost, self: Identity): ChatRoom => {
    known = self;
    const people = createPeople(client, self);
    const naming = createNaming(client, people, log);
    const platform = createSlackPlatform({ client, self, clock, log, token, apiUrl, people, naming });
    const room = host.attend((own) => {
      const chat = own.talk(`@${self.name}`, platform);
      const respond = createRespond(apiUrl, log);
      const say = own.say;
      const handle = createHandle({
        client,
        self,
        chat,
        held: own.held,
        moved: own.moved,
        commands: own.commands,
        platform,
        naming,
        log,
        respond,
        say,
      });
      return {
        /** What people wrote waits for the token, and what met its refusal halfway is done again. */
        handle: async (row: InboxRow, last: boolean) => {
          if (!(await watch.usable())) return "later";
          const handled = await handle(row, last);
          return watch.trouble() === null ? handled : "later";
        },
        backlog: createBacklog(client, { self, ...own }),
        approvals: place === undefined ? null : { place, platform, content: announcedBy(approvers) },
      };
    });
    intake.attend(room, self, naming.renamed);
    return room;
  };

  const entry = createEntry({
    clock,
    log,
    identify: () => identify(client),
    token: watch,
    attend,
    connect: (changed) =>
      connectSlack({ mode, apiUrl, isAlone, isProxied, take: intake.take, clock, log, changed }),
  });
  const gate = createStreamGate({ places, self: () => known, clock, log });
  return {
    rules: { drivers: "members", requests: null, places: channels },
    surface: createSlackSurface(client, { limits, native: { gate, clock } }),
    renderer: (say) =>
      slackRenderer(say, place === undefined ? approversText(approvers, say) : toldInText(place, say)),
    opener: createOpener(client),
    tell: createAlert(client),
    cards: createCards(client),
    readName: createReadName(client),
    readThread: createReadThread(client),
    line: entry.line,
  };
};
