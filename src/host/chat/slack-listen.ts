/** Slack listened to, once it is known who the bot is: arrivals stored, handled, and caught up after a gap. */

import type { webApi } from "@slack/bolt";
import type { Mode } from "../../../adapters/slack/listen/connect.ts";
import type { Identity } from "../../../adapters/slack/listen/identity.ts";
import type { ConversationId } from "../../machine/id.ts";
import type { Cursors } from "../../ports/backlog.ts";
import type { Bot, Change } from "../../ports/bot.ts";
import type { Handled, InboxRow } from "../../ports/chat.ts";
import type { Surface } from "../../ports/surface.ts";
import { createAnnouncer } from "../../runtime/chat/announce.ts";
import { createCatchUp } from "../../runtime/chat/catch-up.ts";
import { createRate } from "../../runtime/chat/commands/rate.ts";
import { approversOf } from "../../runtime/chat/commands/rights.ts";
import { createGap } from "../../runtime/chat/gap.ts";
import { createInbox } from "../../runtime/chat/inbox.ts";
import { createReplies } from "../../runtime/chat/replies.ts";
import { createSlots } from "../../runtime/live/slots.ts";
import type { Config } from "../settings/config.ts";
import { AT_ONCE, type ChatParts, createTalk } from "./chat-surface.ts";
import { receive } from "./receive.ts";
import type { TokenWatch } from "./slack-token.ts";

const NAME = "slack";

export interface ListenDeps {
  readonly config: Config;
  readonly parts: ChatParts & { readonly cursors: Cursors };
  readonly mode: Mode;
  readonly client: webApi.WebClient;
  readonly token: string;
  readonly watch: Pick<TokenWatch, "trouble" | "usable">;
  readonly self: Identity;
  readonly bot: Bot;
  readonly surface: Pick<Surface, "answer">;
  /** How many connections are open now, and what Slack says against more of them. */
  readonly changed: (open: number, refusal: string | null) => void;
}

export interface Listening {
  /** Every change of every conversation, after its commit. */
  heard(id: ConversationId, change: Change): void;
  /** Settles when events can arrive, or when the first try has failed. */
  start(): Promise<void>;
  /** Reads what may have been missed. */
  catchUp(): void;
  /** Takes nothing more; settles when what was taken is handled. */
  stop(): Promise<void>;
}

type Handle = (row: InboxRow, last: boolean) => Promise<Handled>;

/** What people wrote waits for the token, and what met its refusal halfway is done again. */
const whileUsable =
  ({ trouble, usable }: ListenDeps["watch"], handle: Handle): Handle =>
  async (row, last) => {
    if (!(await usable())) return "later";
    const handled = await handle(row, last);
    return trouble() === null ? handled : "later";
  };

export const createListening = async (deps: ListenDeps): Promise<Listening> => {
  const { config, parts, client, token, self, bot } = deps;
  const { SLACK_API_URL: apiUrl } = config;
  const { clock, log, ledger } = parts;
  const adapter = await loadAdapter();
  const platform = adapter.createSlackPlatform({ client, self, clock, log, token, apiUrl, receive });
  const places = config.PARLEY_SLACK_CHANNELS ?? null;
  const mention = `@${self.name}`;
  const replies = createReplies({ name: NAME, store: parts.chat, surface: deps.surface, bot, clock, log });
  const chat = createTalk(config, parts, {
    name: NAME,
    mention,
    bot,
    platform,
    places,
    rate: createRate(clock, config.PARLEY_STRANGER_TURNS),
    replies,
    drivers: "members",
  });
  /** Also a thread that becomes a conversation's as soon as what began it is handled. */
  const knows = (place: string, root: string): boolean =>
    ledger.find(NAME, place, root) !== null || inbox.awaits(`${place}/${root}`);
  const ears = { self, stops: chat.stops, knows };
  const respond = adapter.createRespond(apiUrl, log);
  const gap = createGap();
  const inbox = createInbox({
    surface: NAME,
    store: parts.chat,
    clock,
    log,
    slots: createSlots(AT_ONCE),
    handle: whileUsable(deps.watch, adapter.createHandle({ client, self, chat, platform, log, respond })),
    gap,
    // Without a connection what was missed is read when there is one.
    stored: () => {
      if (before > 0) void catchUp.run();
    },
  });
  const backlog = adapter.createBacklog(client, ears);
  const catchUp = createCatchUp({ ...parts, surface: NAME, backlog, inbox, gap });
  const { PARLEY_APPROVALS_CHANNEL: place } = config;
  const announce = adapter.createAnnounce(client, approversOf(NAME, config.PARLEY_APPROVERS));
  const announcer =
    place === undefined ? null : createAnnouncer({ ...parts, name: NAME, place, platform, announce });
  let before = 0;
  const changed = (open: number, refusal: string | null): void => {
    if (open === 0) gap.begin();
    else if (before === 0) void catchUp.run();
    before = open;
    deps.changed(open, refusal);
  };
  const connection = adapter.connectSlack({
    mode: deps.mode,
    apiUrl,
    client,
    botToken: token,
    self,
    inbox,
    clock,
    log,
    ears,
    changed,
  });
  return {
    heard: (id, change) => announcer?.heard(id, change),
    catchUp: () => void catchUp.run(),
    start: () => {
      replies.start();
      inbox.start();
      announcer?.start();
      return connection.start();
    },
    stop: async () => {
      catchUp.close();
      await connection.stop();
      await Promise.all([inbox.close(), announcer?.close()]);
      await replies.close();
    },
  };
};

const loadAdapter = async () => {
  const [
    { createAnnounce },
    { connectSlack },
    { createSlackPlatform },
    { createHandle },
    { createRespond },
    { createBacklog },
  ] = await Promise.all([
    import("../../../adapters/slack/write/announce.ts"),
    import("../../../adapters/slack/listen/connect.ts"),
    import("../../../adapters/slack/platform.ts"),
    import("../../../adapters/slack/listen/handle.ts"),
    import("../../../adapters/slack/write/respond.ts"),
    import("../../../adapters/slack/listen/missed.ts"),
  ]);
  return { createAnnounce, connectSlack, createSlackPlatform, createHandle, createRespond, createBacklog };
};
