import type { Millis } from "../../machine/id.ts";
import { isTurnOver } from "../../machine/state.ts";
import type { AlertFacts } from "../../ports/alerts.ts";
import type { Attend, Attendant } from "../../ports/attendant.ts";
import type { Bot } from "../../ports/bot.ts";
import type { ChatStore, Cursors } from "../../ports/chat-rows.ts";
import type { Inbox } from "../../ports/chat.ts";
import type { ChatAdapter, ChatHost, ChatInbox, ChatSurface } from "../../ports/connection.ts";
import { type Ambient, atMost, type MaskFile, type RandomId } from "../../ports/host.ts";
import type { PortObserver } from "../../ports/observer.ts";
import type { Blobs, Store } from "../../ports/store.ts";
import type { Ledger, Renderer } from "../../ports/surface.ts";
import type { OwnerTable } from "../../thread/owners.ts";
import { sayIn } from "../../i18n/languages.ts";
import type { Language, Say } from "../../i18n/say.ts";
import { boundSurface } from "../deliver/bounded-surface.ts";
import { createDeliverer } from "../deliver/deliverer.ts";
import { createSlots } from "../live/slots.ts";
import { createSafeRenderer, createSafeReview } from "../deliver/safe-renderer.ts";
import { createAnnouncer } from "./announce.ts";
import type { RenderCard } from "./people/waiting-card.ts";
import { endTurnsOf } from "./moderated-turns.ts";
import { createCatchUp } from "./catch-up.ts";
import { createChat } from "./chat.ts";
import type { Commands } from "./commands/commands.ts";
import { createRate } from "./people/rate.ts";
import { approversOf, groupsOf, speakerOf, surfacePersonId, type Policy } from "./people/rights.ts";
import { policyAt } from "./commands/channels.ts";
import type { ChatDeps } from "./people/deps.ts";
import { createGap } from "./listening-gap.ts";
import { createInbox } from "./inbox.ts";
import { createNewThreads } from "./new-threads.ts";
import { createReplies } from "./replies.ts";
import { createRequests } from "./requests.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";
import { createLruCache } from "../../text/lru-cache.ts";

const AT_ONCE = 32;
const FIRST_TRY: Millis = 10_000;

export interface ConnectionDeps
  extends Pick<
      ChatDeps,
      | "forms"
      | "next"
      | "memory"
      | "repos"
      | "modes"
      | "toolLooks"
      | "models"
      | "appPosts"
      | "readLinks"
      | "clicks"
      | "feedback"
      | "pictures"
      | "files"
    >,
    Ambient {
  readonly commands: Commands;
  readonly store: Store;
  readonly ledger: Ledger;
  readonly chat: ChatStore;
  readonly cursors: Cursors;
  readonly blobs: Blobs;
  readonly maskFile: MaskFile;
  readonly randomId: RandomId;
  readonly approvers: readonly string[] | undefined;
  readonly owners?: OwnerTable;
  readonly twoPerson: Policy["twoPerson"];
  readonly language: Language;
  /** Hourly limit of messages for people without write permission. */
  readonly strangerTurns: Parameters<typeof createRate>[1];
  readonly observer: Pick<PortObserver, "surface">;
  /** Features that work with this platform; a call starts the work. */
  readonly attends: readonly Attend[];
  /** Called after rows of features moved to a channel's new id. */
  readonly renewed: () => void;
  /** Null facts end the alert. */
  readonly alert: (key: string, facts: AlertFacts | null) => void;
  /** Called when Parley's own code failed for a post. */
  readonly fault: (surface: string, conversation: Parameters<Ledger["thread"]>[0]) => void;
}

interface Attended {
  readonly inbox: Inbox;
  readonly replies: ReturnType<typeof createReplies>;
  readonly announcer: ReturnType<typeof createAnnouncer> | null;
  readonly attendants: readonly Attendant[];
  readonly catchUp: ReturnType<typeof createCatchUp>;
  readonly person: ReturnType<Parameters<ChatHost["attend"]>[0]>["person"];
}

/** Threads that were unknown when one of their messages arrived. */
const OVERTAKING = 1_000;
const LATEST_TEXTS = 1_000;

export const createConnection = (name: string, adapter: ChatAdapter, deps: ConnectionDeps): ChatSurface => {
  const { clock, log, ledger, chat: rows, repos, commands } = deps;
  const { rules, line, renderer, opener } = adapter;
  const policy: Policy = {
    surface: name,
    approvers: approversOf(name, deps.approvers),
    ...omitUndefined({ owners: deps.owners }),
    twoPerson: deps.twoPerson,
    drivers: rules.drivers,
  };
  const surface = boundSurface(deps.observer.surface(name, adapter.surface), clock);
  const fault = (conversation: Parameters<ConnectionDeps["fault"]>[1]): void =>
    deps.fault(name, conversation);
  const cardBy =
    (drawn: (say: Say) => Renderer): RenderCard =>
    (post, scene, say) =>
      createSafeRenderer(drawn(say), say, ({ conversation }) => fault(conversation.id)).post(
        post,
        scene,
        surface.limits,
      )[0]?.content ?? null;
  const languageAt = (place: string): Language =>
    rows.channel(name, place)?.language ?? adapter.languageAt?.(place) ?? deps.language;
  const say = (place: string): Say => sayIn(languageAt(place));
  const deliverer = createDeliverer({ ...deps, name, surface, renderer, languageAt, fault });
  const requests = createRequests({ name, on: rules.requests, ledger, store: rows, clock });
  const rate = createRate(clock, deps.strangerTurns);
  const overtaking = createLruCache<true>(OVERTAKING);
  const latestTexts = createLruCache<string>(LATEST_TEXTS);
  let bot: Bot | null = null;
  let attended: Attended | null = null;

  const hostFor = (on: Bot): ChatHost => ({
    recover: () => {
      deliverer.start();
      void attended?.catchUp.run();
    },
    attend: (own) => {
      let isConnected = false;
      const gap = createGap();
      const room: ChatInbox = {
        arrive: (arrival) => inbox.arrive(arrival),
        knows: (place, root) => {
          const thread = `${place}/${root}`;
          const isKnown = ledger.find(name, place, root) !== null || inbox.awaits(thread);
          if (!isKnown) overtaking.set(thread, true);
          return isKnown;
        },
        hears: (place, app) => deps.appPosts.hears(name, place, app),
        sees: (place, person) =>
          (rules.places === null || rules.places.includes(place)) &&
          deps.appPosts.people.sees(name, place, person),
        keeps: (place, message) => deps.appPosts.people.keeps(name, place, message),
        isEnabled: (place) => {
          const binding = rows.binding(name, place);
          const isAllowed = rules.places === null || rules.places.includes(place);
          return isAllowed && binding !== null && repos.nameOf(binding.repo) !== null;
        },
        say,
        reopened: (place) => {
          deliverer.reopened(place);
          // Replies to people there may still be pending.
          attended?.replies.tell();
        },
        moved: async (from, to) => {
          const done = await rows.movePlace(name, from, to);
          if (done.kind === "failed") return done;
          deps.renewed();
          deliverer.moved(from, to);
          return done;
        },
        stops: commands.stops,
        commands: commands.menu,
        talk: (mention, platform, refused = () => undefined) =>
          createChat(commands, {
            ...deps,
            name,
            mention,
            bot: on,
            platform,
            policy,
            rate,
            overtaking,
            latestTexts,
            store: rows,
            places: rules.places,
            languageAt,
            cards: adapter.cards,
            readName: adapter.readName,
            question: deps.store.question,
            render: cardBy(renderer),
            replies: {
              owe: (...reply) => {
                refused();
                return replies.owe(...reply);
              },
              tell: () => {
                refused();
                replies.tell();
              },
            },
          }),
        held: (question) => attendants.map((one) => one.held(question)).find((text) => text !== null) ?? null,
        stop: async ({ place, root }, person) => {
          const thread = ledger.find(name, place, root);
          if (thread !== null)
            await on.act(thread.conversation, { kind: "stop", by: surfacePersonId(name, person) });
        },
        bar: (person, isThere) =>
          endTurnsOf({ ...deps, name, bot: on }, surfacePersonId(name, person), isThere),
        connected: (now) => {
          if (!now) gap.begin();
          else if (!isConnected) void catchUp.run();
          isConnected = now;
        },
        read: (...places) => catchUp.read(...places),
      };
      const { handle, backlog, approvals, person } = own(room);
      const replies = createReplies({ name, store: rows, surface, bot: on, languageAt, clock, log });
      const inbox = createInbox({
        surface: name,
        store: rows,
        clock,
        log,
        slots: createSlots(AT_ONCE),
        handle,
        gap: backlog === null ? NO_GAP : gap,
        // Without a connection, the next catch-up reads missed messages anyway.
        stored: () => {
          if (isConnected) void catchUp.run();
          line.stored?.();
        },
      });
      const catchUp = createCatchUp({
        ...deps,
        surface: name,
        backlog,
        rows,
        inbox,
        gap,
        tellLeft: ({ place, since }, count) =>
          adapter.tell(place, { id: `missed/${place}/${since}`, text: leftText(count, say(place)) }),
        passedOver: (channels, threads) =>
          deps.alert(
            `missed ${name}`,
            channels + threads === 0 ? null : { kind: "missed", surface: name, channels, threads },
          ),
      });
      const announcer =
        approvals === null
          ? null
          : createAnnouncer({
              ...deps,
              ...approvals,
              name,
              cards: adapter.cards,
              languageAt,
              render: cardBy(approvals.renderer),
            });
      const attendants = deps.attends.map((attend) =>
        attend({
          ...deps,
          name,
          bot: on,
          cards: adapter.cards,
          rendererAt: (place) =>
            createSafeReview(renderer(say(place)), ({ conversation }) => fault(conversation.id), say(place)),
          limits: surface.limits,
          link: opener.link,
        }),
      );
      attended = { inbox, replies, announcer, attendants, catchUp, person };
      replies.start();
      inbox.start();
      announcer?.start();
      for (const one of attendants) one.start();
      return room;
    },
  });

  return {
    name,
    off: null,
    standing: line.standing,
    failed: line.failed,
    listen: line.listen,
    late: deliverer.late,
    tell: adapter.tell,
    answer: surface.answer,
    say,
    readName: adapter.readName,
    readThread: adapter.readThread,
    ...omitUndefined({ readPost: adapter.readPost }),
    link: opener.link,
    threads: createNewThreads({ ...deps, name, opener, languageAt }),
    unseenFor: deliverer.unseenFor,
    heard: (id, change) => {
      // Streamed text is frequent and only the deliverer needs it.
      if (change.kind === "live") return deliverer.heard(id, change);
      requests.heard(id, change);
      line.heard(id, change);
      deliverer.heard(id, change);
      attended?.announcer?.heard(id, change);
      for (const one of attended?.attendants ?? []) one.heard(id, change);
      if (change.kind !== "state" || !isTurnOver(change.overview.state.phase)) return;
      attended?.replies.over(id);
      // A waiting message that could not start has left a reply.
      attended?.replies.tell();
    },
    weigh: async (...asked) => (bot === null ? null : requests.weigh(bot, ...asked)),
    author: async (id, { id: person }) => {
      const thread = ledger.thread(id);
      if (thread === null || attended === null) return { kind: "unread" };
      const { place } = thread;
      const server = deps.store.load(id)?.conversation.server ?? null;
      const here = policyAt({ policy, store: rows, name }, place);
      const read = await attended.person({ place, server }, person.slice(name.length + 1), groupsOf(here));
      if (read.kind === "unread") return { kind: "unread" };
      return read.person.standing === "member"
        ? { kind: "speaker", speaker: speakerOf(here, read.person) }
        : { kind: "refused", why: "left" };
    },
    start: async (on) => {
      bot = on;
      deliverer.start();
      await atMost(clock, FIRST_TRY, line.start(hostFor(on)));
    },
    leave: async () => {
      attended?.catchUp.close();
      await line.leave();
      await Promise.all([
        attended?.inbox.close(),
        attended?.announcer?.close(),
        ...(attended?.attendants ?? []).map((one) => one.close()),
      ]);
      await attended?.replies.close();
    },
    close: async () => {
      await deliverer.close();
      await line.close();
    },
  };
};

/** For a platform that reads missed messages on its own. */
const NO_GAP = { isOpen: () => false, begin: () => undefined };

const leftText = (count: number, tell: Say): string =>
  count === 1
    ? tell(
        "I was not connected for a while. 1 thread here has newer messages that I did not read. Mention me again if a question of yours has no answer.",
      )
    : tell(
        "I was not connected for a while. {count} threads here have newer messages that I did not read. Mention me again if a question of yours has no answer.",
        { count },
      );
