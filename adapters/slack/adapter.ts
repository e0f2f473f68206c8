import { controlsOf } from "../post/controls.ts";
import type { InboxRow } from "../../src/ports/chat.ts";
import type { ChatAdapter, ChatHost, ChatInbox } from "../../src/ports/connection.ts";
import { type Log, pause } from "../../src/ports/host.ts";
import type { PlatformPorts } from "../../src/ports/platform-entry.ts";
import { omitUndefined } from "../../src/text/omit-undefined.ts";
import { connectSlack, type ConnectionMode } from "./receive/connect.ts";
import { createEntry } from "./receive/entry.ts";
import { createHandleSlack, type SlackResponse } from "./receive/handle.ts";
import { createMentionTwins } from "./receive/mention-twins.ts";
import { createSlackHome, type SlackHome } from "./receive/home.ts";
import { identify } from "./receive/identify.ts";
import type { SlackIdentity } from "./read/identity.ts";
import { createEventReceiver } from "./receive/inbound.ts";
import { createSlackBacklog } from "./receive/backlog.ts";
import { createTokenWatch } from "./receive/token-watch.ts";
import { createSlackPlatform } from "./platform.ts";
import { createReadSlackName } from "./read/channel-name.ts";
import { createReadSlackThread } from "./read/channels.ts";
import { createHeardAudiences } from "./read/heard-audiences.ts";
import { createReadSlackPost } from "./read/post.ts";
import { createNaming } from "./read/names.ts";
import { createSlackPeople } from "./read/people.ts";
import { createRecentAuthors } from "./read/recent-authors.ts";
import { announcedBy } from "./write/announcement.ts";
import { slackApproversText, noticeChannelText } from "./write/markup.ts";
import { createSlackOpener } from "./write/open.ts";
import { slackRenderer } from "./write/render.ts";
import { createAgentSessions } from "./write/sessions.ts";
import { createStreamGate, type StreamPlaces } from "./write/stream-gate.ts";
import { createSlackSurface, slackLimits } from "./write/surface.ts";
import { createSlackAlert } from "./write/alert.ts";
import { createSlackCards } from "./write/cards.ts";
import { isSlackUrl } from "./read/download.ts";
import { buttonRow } from "./write/blocks.ts";
import { slackNoteBody } from "./write/notes.ts";
import { createSlackClient } from "./api/client.ts";

export interface SlackSettings {
  readonly token: string;
  readonly apiUrl: string | undefined;
  readonly mode: ConnectionMode;
  /** Whether an outgoing proxy is set for the process. */
  readonly isProxied: boolean;
  /** Channels to work in. Null allows every channel that the bot is in. */
  readonly channels: readonly string[] | null;
  /** Places where answers and progress are native streams. */
  readonly streams: StreamPlaces;
  /** Channel in which questions are announced to the approvers. */
  readonly approvalsChannel: string | undefined;
}

type SlackPorts = Pick<
  PlatformPorts,
  "clock" | "log" | "approvers" | "isAlone" | "taking" | "limits" | "ledger" | "store" | "conceal"
>;

export const createSlackAdapter = (settings: SlackSettings, ports: SlackPorts): ChatAdapter => {
  const { token, apiUrl, mode, isProxied, channels, streams: places, approvalsChannel: place } = settings;
  const { clock, log, approvers, isAlone } = ports;
  const intake = createEventReceiver(ports.taking, ports.conceal);
  const limits = { ...slackLimits, ...ports.limits };
  let known: SlackIdentity | null = null;
  let home: SlackHome | null = null;

  const watch = createTokenWatch({
    clock,
    log,
    identify: () => identify(client),
    recovered: () => entry.recovered(),
  });
  const client = createSlackClient(token, {
    refused: watch.met,
    wait: (delay) => pause(clock, delay),
    ...omitUndefined({ apiUrl }),
  });
  const sessions = createAgentSessions({ ...ports, client });
  const audiences = createHeardAudiences(clock);

  const attend = (host: ChatHost, self: SlackIdentity): ChatInbox => {
    known = self;
    const people = createSlackPeople(client, self);
    const naming = createNaming(client, people, log);
    const authors = createRecentAuthors(people, clock);
    const twins = createMentionTwins(clock);
    const platform = {
      ...createSlackPlatform({ client, self, clock, log, token, apiUrl, people, naming }),
      author: authors.author,
    };
    const room = host.attend((own) => {
      const chat = own.talk(`@${self.name}`, platform);
      home = createSlackHome({
        client,
        clock,
        log,
        platform,
        talk: (through) => own.talk(`@${self.name}`, through),
        say: own.say,
      });
      const respond = createRespond(apiUrl, log);
      const say = own.say;
      const handle = createHandleSlack({
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
        sessions,
        home,
        twins,
      });
      return {
        /**
         * Messages wait for a valid token, and a message whose handling met a token refusal is handled again.
         */
        handle: async (row: InboxRow, last: boolean) => {
          if (!(await watch.usable())) return "later";
          const handled = await handle(row, last);
          return watch.trouble() === null ? handled : "later";
        },
        backlog: createSlackBacklog(client, { self, ...own }),
        person: (_channel, ...asked) => platform.person(...asked),
        approvals:
          place === undefined
            ? null
            : { place, platform, renderer: slackRenderer, content: announcedBy(approvers) },
      };
    });
    intake.attend(room, self, {
      renamed: naming.renamed,
      personChanged: authors.changed,
      heard: (message) => {
        twins.heard(message);
        audiences.heard(message);
      },
    });
    sessions.start();
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
    surface: createSlackSurface(client, { limits, native: { gate, clock, sessions: sessions.view } }),
    renderer: (say) =>
      slackRenderer(
        say,
        place === undefined ? slackApproversText(approvers, say) : noticeChannelText(place, say),
      ),
    opener: createSlackOpener(client),
    tell: createSlackAlert(client),
    readPost: createReadSlackPost(client, () => known?.user ?? "", log),
    cards: createSlackCards(client),
    readName: createReadSlackName(client),
    readThread: createReadSlackThread(client, audiences),
    line: {
      ...entry.line,
      heard: (id, change) => {
        sessions.heard(id, change);
        home?.heard(id, change);
      },
      close: async () => {
        home?.close();
        await sessions.close();
        await entry.line.close();
      },
    },
  };
};

const PATIENCE = 10_000;

/**
 * Replies at the address that came with a command or a shortcut, which works even if the bot is no channel
 * member. Null text deletes the message that the address belongs to. Resolves with false if the reply did not
 * arrive, because the address expires after half an hour.
 */
const createRespond =
  (apiUrl: string | undefined, log: Log) =>
  async (url: string, answer: SlackResponse): Promise<boolean> => {
    if (!isSlackUrl(url, apiUrl)) return false;
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(responseBody(answer)),
        redirect: "error",
        signal: AbortSignal.timeout(PATIENCE),
      });
      await response.body?.cancel();
      return response.ok;
    } catch (error) {
      log.warn("slack: private answer not sent", { why: error instanceof Error ? error.name : "unknown" });
      return false;
    }
  };

const responseBody = (answer: SlackResponse) => {
  if (answer === null) return { delete_original: true };
  if (typeof answer === "string") return { response_type: "ephemeral", ...slackNoteBody(answer, []) };
  return { replace_original: true, ...slackNoteBody(answer.text, buttonRow(controlsOf(answer.buttons))) };
};
