/**
 * B1 A message is claimed before it is handled, and handled once (D20). B2 A decision is bound to the wire id of one question,
 * and every surface uses the same compare-and-set (idea 4). B3 After `close` began, no new work is accepted.
 */

import { createHash } from "node:crypto";
import { familyOf } from "../../machine/agent.ts";
import type { ConversationId, MessageId } from "../../machine/id.ts";
import { startable } from "../../machine/transition/later-messages.ts";
import { initial } from "../../machine/state.ts";
import type { Confinement, UnrestrictedOffer, Utterance } from "../../machine/vocabulary.ts";
import type {
  ActRequest,
  ActResult,
  Bot,
  CreateResult,
  ConversationFiles,
  SayResult,
} from "../../ports/bot.ts";
import type { Claim, ClaimKey } from "../../ports/claims.ts";
import type { Conversation, Place, Prefix } from "../../ports/conversation.ts";
import type { OwnerTable } from "../../thread/owners.ts";
import type { Drafts } from "../../ports/drafts.ts";
import { type Ambient, atMost, CLOSING, type WriteFailure } from "../../ports/host.ts";
import type { LocalBot, OwnershipCheck } from "../../ports/ownership.ts";
import type { NewThreads } from "../../ports/threads.ts";
import { type Modes, organisationOf, type SessionModes } from "../../ports/tools.ts";
import type { CheckoutCopier } from "../../ports/workspaces.ts";
import { canonical } from "../../text/canonical.ts";
import { createAgents } from "../live/agents.ts";
import type { Live, LiveDeps } from "../live/conversation.ts";
import { askConversation, deliveredEvent } from "../live/mailbox.ts";
import { createLiveConversations } from "../live/live-conversations.ts";
import { createPerformer, type PerformDeps } from "../live/perform.ts";
import { stopAndSettle, isAtRest } from "../live/stop-and-settle.ts";
import { createArchive } from "./archive.ts";
import { createBranch, type NewConversation } from "./branch.ts";
import { actResult, decide } from "./decide.ts";
import { runUserAction as actOn, messageContent } from "../live/user-actions.ts";
import { DRAIN } from "./drain.ts";
import { edit, newestText } from "./edit.ts";
import { createForget, type ForgetDeps } from "./forget.ts";
import { askMainModel } from "./investigation-click.ts";
import { createForgetPerson } from "./forget-person.ts";
import { setMode } from "./session-modes.ts";
import { titleOf } from "./title.ts";
import { createTurns } from "./turns.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

export interface BotDeps
  extends Omit<PerformDeps, "branch" | "agents" | "later" | "setUpShown" | "reviewedIn" | "mayStart">,
    Pick<LiveDeps, "watch" | "unseenFor">,
    Pick<ForgetDeps, "blobs">,
    Ambient {
  /** Random name of this process. */
  readonly boot: string;
  readonly confinement: Confinement;
  readonly whenBusy?: Bot["whenBusy"];
  /** Absent if Unrestricted allows everything on this host. */
  readonly offer?: UnrestrictedOffer;
  /** Frozen with each conversation at its start (D16). */
  readonly system: string;
  readonly agentSystem: string;
  readonly modelName: string;
  readonly modes: Modes;
  readonly safeMode: boolean;
  readonly threads: NewThreads;
  readonly carries: CheckoutCopier;
  readonly discards: ConversationFiles;
  readonly drafts?: Pick<Drafts, "tree">;
  /** Absent if PARLEY_CODEOWNERS is off. */
  readonly owners?: OwnerTable;
  readonly forgotten?: () => void;
  /** Channel in which a conversation's answers are reviewed. */
  readonly reviewedIn?: (id: ConversationId) => string | null;
  /** Absent if this host owns every conversation. */
  readonly mine?: OwnershipCheck;
}

export interface RunningBot extends LocalBot, SessionModes {
  /** Accepts only stops from now on. Settles when no turn is under way. */
  rest(): Promise<void>;
}

export const createBot = (deps: BotDeps): RunningBot => {
  const { store, clock, randomId } = deps;
  const agents = createAgents({
    ...deps,
    prefix: makePrefix(deps.agentSystem, deps.tools.agentSpecs),
    open: (id) => lives.open(id),
  });
  const performer = createPerformer({
    ...deps,
    agents,
    branch: (live, effect) => branch(live, effect),
    // During a shutdown only network access is recorded; other late outcomes are dropped.
    later: (id, event) => {
      if (!closing || event.kind === "reached") lives.open(id)?.post(deliveredEvent(event));
    },
    reviewedIn: (live) => reviewedIn(live),
    mayStart: (live) => !closing && !leaving && !moving.has(live.state().id),
    // Conversations outside of memory show no progress.
    setUpShown: (id, setUp) => lives.peek(id)?.show({ setUp }),
  });
  const lives = createLiveConversations({
    ...deps,
    ...omitUndefined({ isMine: deps.mine?.isMine }),
    perform: performer.perform,
  });
  const prefix = makePrefix(deps.system, deps.tools.specs);
  /** Conversations that are about to move to another host. */
  const moving = new Set<ConversationId>();
  /** A repeated message waits for the first one, and is handled if the first one failed. */
  const claims = createTurns();
  const ending = new AbortController();
  let closing = false;
  /** Whether another host is about to take over the conversations. */
  let leaving = false;

  const say = async (request: Omit<Claim, "at">): Promise<SayResult> => {
    if (closing || leaving) return CLOSING;
    const live = lives.open(request.conversation);
    if (live === null) return { kind: "unknown" };
    const claim = { ...request, at: clock.now() };
    return claims.take(keyOf(claim), () => take(live, claim));
  };

  const take = async (live: Live, claim: Claim): Promise<SayResult> => {
    const known = await store.claim(claim);
    if (known.kind === "failed") return known;
    if (known.kind === "new" || known.outcome === null) return handle(live, claim);
    return known.outcome.kind === "accepted" ? { kind: "duplicate" } : known.outcome;
  };

  const handle = async (live: Live, claim: Claim): Promise<SayResult> => {
    const { text, images, speaker, quoted, model } = claim;
    const lent = model === undefined ? undefined : { name: model, window: deps.model.window(model) };
    const others = { ...omitUndefined({ quoted, model: lent }), ...reviewedIn(live) };
    const message = newMessage();
    const event = { kind: "said", message, speaker, images: images.length, ...others } as const;
    const result = await askConversation(live, event, speaker.id, {
      words: [{ id: message, words: messageContent(claim) }],
      claim: { surface: claim.surface, id: claim.id },
    });
    if (result.kind === "accepted" && live.conversation().title === "")
      await live.setTitle(titleOf(text), null);
    return result;
  };

  const reviewedIn = (live: Live): Pick<Utterance, "reviewed"> =>
    omitUndefined({ reviewed: deps.reviewedIn?.(live.state().id) ?? undefined });

  const newMessage = (): MessageId => `m-${randomId()}`;

  const act = async (id: ConversationId, request: ActRequest): Promise<ActResult> => {
    if (closing || (leaving && request.kind !== "stop")) return CLOSING;
    const live = lives.open(id);
    if (live === null) return { kind: "unknown" };
    if (request.kind === "edit") return edit({ store, clock, newMessage }, live, request);
    if (request.kind === "decide")
      return decide({ ...deps, newMessage, ending: ending.signal }, live, request);
    if (request.kind === "deeper")
      return askMainModel({ say, store, usual: deps.modelName }, live.conversation(), request);
    if (request.kind !== "mode")
      return actResult(await actOn({ ...deps, newMessage, reviewedIn }, live, request));
    const { mode, reason, by } = request;
    return setSessionMode(id, mode, reason, organisationOf(live.conversation()), by);
  };

  const setSessionMode: SessionModes["setSessionMode"] = async (id, mode, reason, organisation, by) => {
    const live = lives.open(id);
    if (live === null) return { kind: "unknown" };
    return closing ? CLOSING : setMode({ ...deps, newMessage }, live, { mode, organisation, by }, reason);
  };

  const create = async (
    { model = usualModel(deps), ...request }: NewConversation,
    thread?: Place,
  ): Promise<CreateResult> => {
    const now = clock.now();
    const conversation: Conversation = {
      base: null,
      ...request,
      ...omitUndefined({ server: thread?.server }),
      createdAt: now,
      updatedAt: now,
      prefix: prefix.hash,
    };
    const { id } = request;
    const { confinement, safeMode, offer } = deps;
    const mode = deps.modes.initial;
    const window = deps.model.window(model);
    const state = initial({ id, confinement, mode, safeMode, model, window, ...(offer && { offer }) });
    const created = await store.create(conversation, state, prefix, thread);
    return created.kind === "failed" ? created : { kind: "created", overview: { conversation, state } };
  };

  const give = async (
    id: ConversationId,
    stops: boolean,
    hand: () => Promise<WriteFailure | null>,
  ): Promise<WriteFailure | null> => {
    const live = lives.peek(id);
    await live?.drained();
    if (live !== undefined && !isAtRest(live.state()) && live.state().phase.kind !== "awaitingApproval") {
      const failure = stops ? await stopAndSettle(live, "parley:fleet") : BUSY;
      if (failure !== null) return failure;
    }
    const failure = await lives.hand(id, hand);
    if (failure === null) deps.mine?.given(id);
    return failure;
  };

  const shelf = createArchive({ ...deps, lives });
  const forget = createForget({ store, blobs: deps.blobs, discards: deps.discards, open: lives.open });
  const { forgotten = () => undefined } = deps;
  const forgetPerson = createForgetPerson(store, forget, forgotten);
  const branch = createBranch({
    ...deps,
    create: async (begun, thread) => {
      const created = await create(begun, thread);
      if (created.kind === "created") await deps.mine?.take(begun.id);
      return created;
    },
    open: (id) => lives.open(id),
    act,
    say,
    ending: ending.signal,
  });

  return {
    boot: deps.boot,
    confinement: deps.confinement,
    whenBusy: deps.whenBusy ?? "ask",
    create: async ({ surface, repo, title, by, thread, instructions, introduces, model }) => {
      if (closing || leaving) return CLOSING;
      const kept = omitUndefined({ instructions, introduces: introduces === true || undefined, model });
      const id: ConversationId = `c-${randomId()}`;
      return create({ surface, repo, title, createdBy: by, id, origin: null, ...kept }, thread);
    },
    say,
    act,
    setSessionMode,
    forget: async (...given) => (closing ? CLOSING : forget(...given)),
    forgotten,
    forgetPerson: async (request) => (closing ? CLOSING : forgetPerson(request)),
    rename: async (...given) => (closing ? CLOSING : shelf.rename(...given)),
    archive: async (...given) => (closing ? CLOSING : shelf.archive(...given)),
    remove: async (...given) => (closing ? CLOSING : shelf.remove(...given)),
    refusedClaim: (key) => store.refused(key),
    newestText: (key) => newestText(store, key),
    list: (limit, before, which) =>
      store.list(limit, before, which).map((stored) => lives.peek(stored.state.id)?.overview() ?? stored),
    agents: (id) =>
      store.agents(id).flatMap((agent) => lives.peek(agent)?.overview() ?? store.load(agent) ?? []),
    read: async (id) => {
      const live = lives.open(id);
      if (live === null) return null;
      await live.drained();
      return live.detail();
    },
    guidance: async (id) => {
      const live = lives.open(id);
      return live === null ? [] : deps.workspaces.guidance(live.conversation());
    },
    setUp: async (id) => {
      const live = lives.open(id);
      return live === null ? null : deps.workspaces.setUp(live.conversation());
    },
    posts: (id, after) => store.posts(id, after),
    latestPosts: (id, before) => store.latestPosts(id, before),
    post: (id, key) => store.post(id, key),
    words: (ids) => store.words(ids),
    told: (id, turn) => store.told(id, turn),
    trace: (id) => (store.initial(id) === null ? null : store.trace(id)),
    subscribe: (id, listener) => lives.open(id)?.subscribe(listener) ?? (() => undefined),
    recover: async () => {
      void shelf.clear();
      await Promise.all(store.unsettled().map(async (id) => lives.open(id)?.drained()));
      await Promise.all(
        store.openClaims().map(async (claim) => {
          const live = lives.open(claim.conversation);
          const key = keyOf(claim);
          if (live !== null && !claims.has(key)) await claims.take(key, () => handle(live, claim));
        }),
      );
    },
    give: async (member, stops, hand) => {
      const id = familyOf(member);
      moving.add(id);
      const failure = await give(id, stops, hand);
      moving.delete(id);
      const live = lives.peek(id);
      const next = live === undefined ? null : startable(live.state());
      if (live !== undefined && next !== null)
        performer.perform(live, { kind: "startWaiting", message: next.message });
      return failure;
    },
    shown: ({ conversation, message }) => {
      const rows = store.postsWith(conversation, [message]);
      const live = lives.peek(conversation);
      if (live === undefined) deps.watch?.(conversation, { kind: "posts", rows });
      else live.shown(rows);
    },
    rest: async () => {
      leaving = true;
      await lives.rest();
    },
    close: async () => {
      closing = true;
      ending.abort();
      await atMost(clock, DRAIN.commits, lives.drain());
      lives.close();
      await atMost(clock, DRAIN.work, performer.close());
    },
  };
};

const BUSY: WriteFailure = {
  kind: "failed",
  code: "conflict",
  message: "It is in a turn. Stop it, or try again when that has ended.",
};

const usualModel = ({ modes, modelName, models }: Pick<BotDeps, "modes" | "modelName" | "models">): string =>
  modes.all.find(({ key }) => key === modes.initial)?.model ?? models?.first ?? modelName;

const makePrefix = (system: string, tools: Prefix["tools"]): Prefix => {
  const hash = createHash("sha256").update(canonical({ system, tools })).digest("hex");
  return { hash, system, tools };
};

const keyOf = (claim: ClaimKey): string => `${claim.surface}\n${claim.id}`;
