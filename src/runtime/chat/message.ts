/** The repository of a new thread is the channel's, never the directory in which the host was started. */

import type { ConversationId } from "../../machine/id.ts";
import { mayAnswer, personQuestionIn } from "../../machine/person-question.ts";
import type { QuotedContent } from "../../machine/vocabulary.ts";
import type { Person } from "../../ports/chat-platform.ts";
import type { Chat, ThreadMessage, HandleResult, Quote, ChatMessage } from "../../ports/chat.ts";
import type { RepositoryBinding } from "../../ports/conversation.ts";
import { sayOrSendLater } from "../../ports/later.ts";
import { comparePositions } from "../../ports/chat-rows.ts";
import { beginIn } from "./begin-in.ts";
import { titleOf } from "../bot/title.ts";
import { addressMessage, isShared } from "./address.ts";
import { attach, type AttachedFiles, type Attachment } from "./attach.ts";
import { onlyNamed } from "../channels/channel-repositories.ts";
import { askForRepo } from "./commands/missing-repository.ts";
import { type Commands, orderOf, type ParsedMessage } from "./commands/commands.ts";
import { quietIn } from "./commands/quiet.ts";
import { moveHeard } from "./move-heard.ts";
import { whisper } from "./people/member.ts";
import { isVersion } from "../channels/repos.ts";
import { groupsOf, surfacePersonId, rightsOf, speakerOf } from "./people/rights.ts";
import { type QuotedContext, compose, NOTHING } from "./compose.ts";
import { type ChatDeps, toPerson } from "./people/deps.ts";
import { tooOften } from "./people/turn-rate.ts";
import { createTakePicture } from "../../ports/pictures.ts";
import { mayPass, whyOf } from "../../ports/surface.ts";
import type { Sentence } from "../../i18n/say.ts";
import { elsewhereText, storageText, strangerText, unreadPersonText } from "./people/reply-texts.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

const READ_BACK = 100;

export const createMessageHandler = (deps: ChatDeps, commands: Commands): Chat["said"] => {
  const { name, bot, ledger, store, platform, policy, log } = deps;

  /** A question about another message is never parsed as a command. */
  const parse = (said: ChatMessage): ParsedMessage =>
    said.about === null ? commands.parse(orderOf(said)) : { kind: "message" };

  const hear = async (said: ChatMessage, last: boolean): Promise<HandleResult> => {
    if (said.addressed) deps.latestTexts.set(said.id, said.text);
    const conversation = conversationOf(said);
    if (conversation === null) return said.addressed || said.direct ? begin(said, last) : "done";
    const participants = store.participants(conversation);
    // Nobody asked for a look, so people below the post talk to each other until its author replies (D55).
    const author = participants.length > 0 ? null : deps.appPosts.people.authorOf(conversation);
    if (author !== null)
      return said.addressed || said.person === author ? inThread(said, conversation, last) : "done";
    const verdict = addressMessage(participants, said, quietIn(deps, conversation, said.place) === true);
    const takesOver = verdict === "hint" && (await deps.appPosts.people.takesOver(conversation, said.person));
    if (takesOver) return inThread(said, conversation, last);
    const isHint = verdict === "hint" && (await mayHint(conversation, said));
    await join(conversation, said.person, isHint);
    if (isHint) return tell(said, deps.say(HINT, { mention: deps.mention }));
    return verdict === "input" ? inThread(said, conversation, last) : "done";
  };

  const mayHint = async (conversation: ConversationId, said: ChatMessage): Promise<boolean> =>
    !wasRead(conversation, said) && (said.forum !== true || (await isAsker(conversation, said.person)));

  /** A message that arrives late may have been read back with a newer one. */
  const wasRead = (conversation: ConversationId, { message }: ChatMessage): boolean => {
    const heard = store.heard(conversation);
    return heard !== null && comparePositions(message, heard) < 0;
  };

  const isAsker = async (conversation: ConversationId, person: string): Promise<boolean> =>
    (await bot.read(conversation))?.conversation.createdBy === surfacePersonId(name, person);

  const conversationOf = ({ place, root, message }: ChatMessage): ConversationId | null =>
    ledger.find(name, place, root ?? message)?.conversation ?? null;

  /** If the write fails, a person may get a second hint. */
  const join = async (conversation: ConversationId, person: string, isHinted = false): Promise<void> => {
    const known = store.participants(conversation).find((one) => one.person === person);
    const hinted = isHinted || known?.hinted === true;
    if (known?.hinted === hinted) return;
    const joined = await store.joined(conversation, { person, hinted });
    if (joined.kind === "failed") log.warn("thread: participants not stored", { code: joined.code });
  };

  const begin = async (said: ChatMessage, last: boolean): Promise<HandleResult> => {
    const person = await welcome(said, last);
    if (typeof person === "string") return person;
    const parsed = parse(said);
    if (parsed.kind !== "message") return answerCommand(said, null, person, parsed);
    const early = isEarly(person);
    if (early !== null) return tell(said, early);
    const barred = await barrier(said);
    if (barred !== null) return barred;
    const repo = said.repo ?? store.binding(name, said.place)?.repo ?? null;
    const bound = repo === null ? null : deps.repos.usable(repo);
    if (bound === null) return ask(said, person, last);
    const root = said.root ?? said.message;
    const marked = await markedWith(said, last);
    if (typeof marked === "string") return marked;
    const tagged = deps.modes.find(({ key }) => marked.some((tag) => tag.toLowerCase() === key));
    const created = await beginIn(deps, {
      thread: omitUndefined({ place: said.place, root, server: platform.server ?? undefined }),
      direct: said.direct,
      repo: versioned(marked, onlyNamed(bound, said.text) ?? bound),
      title: titleOf(said.text),
      by: surfacePersonId(name, said.person),
      mode: tagged === undefined ? null : { key: tagged.key, reason: "The thread has its tag." },
    });
    if (created.kind === "created") return inNewThread(said, created.overview.conversation.id, person);
    const other = conversationOf(said);
    if (other !== null) return inThread(said, other, last);
    return created.code === "closing" ? "later" : tell(said, storageText(created.message, deps.say));
  };

  const markedWith = async (said: ChatMessage, last: boolean): Promise<readonly string[] | HandleResult> => {
    const { place, root, direct } = said;
    if (root === null || direct) return [];
    const read = await platform.tags({ place, root });
    if (read.kind === "tags") return read.tags;
    return read.passing && !last ? "later" : tell(said, deps.say(UNREAD_TAGS, { why: read.why }));
  };

  /** Returns `done` after a reply with the reason for a refusal. */
  const welcome = async (said: ChatMessage, last: boolean): Promise<Person | HandleResult> => {
    if (deps.places !== null && !said.direct && !deps.places.includes(said.place)) {
      return tell(said, deps.say(elsewhereText));
    }
    const read = await (platform.author ?? platform.person)(said.person, groupsOf(policy));
    if (read.kind === "unread") {
      log.warn("thread: author not read", { surface: name, why: read.why });
      return read.passing && !last ? "later" : tell(said, unreadPersonText(read.why, deps.say));
    }
    const { person } = read;
    return person.standing === "member"
      ? person
      : tell(said, strangerText(person.standing, toPerson(deps, person).say));
  };

  const isEarly = (person: Person): string | null =>
    tooOften(toPerson(deps, person), person.id, rightsOf(policy, person).mayDrive);

  /** Replies in the channel if the thread accepts no posts, so that no model is paid for an answer that cannot be posted. */
  const barrier = async (said: ChatMessage): Promise<HandleResult | null> => {
    const why = platform.barrier?.({ place: said.place, root: said.root }, deps.say) ?? null;
    if (why === null) return null;
    await deps.replies.owe({ place: said.place, root: null, person: said.person }, said.id, why);
    return "done";
  };

  const ask = async (said: ChatMessage, person: Person, last: boolean): Promise<HandleResult> => {
    const asked = await askForRepo(deps, said, person, last);
    if (asked === "asked") return "done";
    if (asked !== "bound" && asked.kind === "failed") return tell(said, storageText(asked.message, deps.say));
    if (asked !== "bound")
      return mayPass(asked) && !last
        ? "later"
        : tell(said, deps.say(NO_MENU, { why: deps.say.stored(whyOf(asked)) }));
    const handled = await begin(said, last);
    await deps.answerUnbound(said.place);
    return handled;
  };

  const inNewThread = async (
    said: ChatMessage,
    conversation: ConversationId,
    person: Person,
  ): Promise<HandleResult> => {
    await join(conversation, said.person);
    return say(said, conversation, person, said.root === null ? null : { since: null });
  };

  const inThread = async (
    said: ChatMessage,
    conversation: ConversationId,
    last: boolean,
  ): Promise<HandleResult> => {
    const person = await welcome(said, last);
    if (typeof person === "string") return person;
    await join(conversation, said.person);
    const parsed = parse(said);
    const isCommand = parsed.kind === "command" && (said.addressed || parsed.order.isUrgent);
    if (isCommand || (parsed.kind === "near" && said.addressed)) {
      return answerCommand(said, conversation, person, parsed);
    }
    const early = isEarly(person);
    if (early !== null && !(await isAnswer(conversation, person))) return tell(said, early);
    const barred = await barrier(said);
    if (barred !== null) return barred;
    const heard = store.heard(conversation);
    const missed =
      heard === null ||
      said.about !== null ||
      deps.overtaking.get(threadOf(said)) === true ||
      isShared(store.participants(conversation)) ||
      // Messages that were ignored while the thread was quiet are read back.
      quietIn(deps, conversation, said.place) !== null;
    // Everything before an edited message may have been read already.
    const isNewest = heard === null || said.about !== null || comparePositions(heard, said.message) < 0;
    return say(
      said,
      conversation,
      person,
      missed && isNewest && said.root !== null ? { since: heard } : null,
    );
  };

  /** An answer to the agent's question begins no turn. */
  const isAnswer = async (conversation: ConversationId, person: Person): Promise<boolean> => {
    const state = (await bot.read(conversation))?.state;
    return (
      state !== undefined && personQuestionIn(state) !== null && mayAnswer(state, speakerOf(policy, person))
    );
  };

  const answerCommand = async (
    said: ChatMessage,
    conversation: ConversationId | null,
    person: Person,
    parsed: Exclude<ParsedMessage, { kind: "message" }>,
  ): Promise<HandleResult> => {
    const own = toPerson(deps, person);
    if (parsed.kind === "near") {
      const { typed, meant } = parsed;
      return tell(said, own.say(NEAR, { mention: deps.mention, typed, meant }));
    }
    const told = await parsed.order.run({ deps: own, asking: said, person, conversation, commands });
    // A failed reply to a command is not repeated.
    return told === null ? "done" : whisper(deps, addressee(said), told);
  };

  /** `back`: range of the thread that is read back with the message; null if the agent has every message. */
  const say = async (
    said: ChatMessage,
    conversation: ConversationId,
    person: Person,
    back: { readonly since: string | null } | null,
  ): Promise<HandleResult> => {
    const linked = deps.readLinks({ conversation, surface: name, channel: said.place, text: said.text });
    const [{ earlier, cut, left, isFirstKept, unread }, shown] = await Promise.all([
      back === null ? NOTHING : readBack(said, back.since),
      said.shown ?? platform.shown(said),
    ]);
    const writers = new Set(earlier.flatMap(({ person: writer }) => writer ?? []));
    await Promise.all([...writers].map((writer) => join(conversation, writer)));
    const isAbout = ({ message }: ThreadMessage): boolean => message === said.about;
    const now = deps.clock.now();
    const own = said.files.map((file): Attachment => ({ file, author: person.name, at: now, isOwn: true }));
    const theirs = earlier
      .toReversed()
      .toSorted((a, b) => Number(isAbout(b)) - Number(isAbout(a)))
      .flatMap(({ files, author, at }) =>
        files.map((file): Attachment => ({ file, author, at, isOwn: false })),
      );
    const attached = await attach(
      { ...deps, takePicture: createTakePicture(deps), fetch: platform.fetch },
      conversation,
      [...own, ...theirs],
    );
    const { pages, hosts } = await linked;
    const around: QuotedContext = {
      earlier,
      cut,
      left,
      isFirstKept,
      unread,
      about: said.about,
      shown,
      files: attached.quotes,
      remarks: [...attached.remarks, ...aboutOf(said, earlier, shown)],
      pages,
    };
    const result = await sayOrSendLater(bot, {
      surface: name,
      id: said.id,
      conversation,
      speaker: speakerOf(policy, person),
      ...compose(said.text, around),
      images: attached.images,
      ...(attached.files.length === 0 ? {} : { files: attached.files }),
      source: said.message,
      ...quotedOf(around, attached, hosts),
    });
    if (result.kind === "accepted" || result.kind === "later") deps.rate.took(person.id);
    const isTaken = result.kind !== "failed" && result.kind !== "refused" && result.kind !== "unknown";
    // A crash in between may repeat the reply, but never loses it.
    if (isTaken && attached.own.length > 0) {
      const thread = { ...addressee(said), root: said.root ?? said.message };
      await deps.replies.owe(thread, said.id, attached.own.join("\n"));
    }
    if (isTaken && back !== null) deps.overtaking.forget(threadOf(said));
    return answer(said, conversation, result);
  };

  const readBack = async (
    said: ChatMessage,
    since: string | null,
  ): Promise<Pick<QuotedContext, "earlier" | "cut" | "left" | "isFirstKept" | "unread">> => {
    const { place, root, message: until, about } = said;
    const where = { place, root: root ?? until };
    const read = await platform.earlier(where, { since, until, limit: READ_BACK, about });
    if (read.kind === "unread") return { ...NOTHING, unread: read.why };
    const left = read.left ?? null;
    const isFirstKept = read.messages[0]?.message === root;
    return { earlier: read.messages.filter(isForeign), cut: read.cut, left, isFirstKept, unread: null };
  };

  const answer = async (
    said: ChatMessage,
    conversation: ConversationId,
    result: Awaited<ReturnType<typeof sayOrSendLater>>,
  ): Promise<HandleResult> => {
    switch (result.kind) {
      case "later": {
        const { as } = result;
        const why = { kind: "accepted", conversation, claim: said.id, as, restricts: false } as const;
        await deps.replies.owe(addressee(said), `${as}/${said.id}`, why);
        moveHeard(store, conversation, said.message);
        return "done";
      }
      case "accepted":
      case "duplicate":
        // The write shares a commit with the settled message. After a crash before that commit, the message is handled again.
        moveHeard(store, conversation, said.message);
        return "done";
      case "refused":
        // The reply is pending since the refusal (D7), however often the message arrives.
        deps.replies.tell();
        return "done";
      case "failed":
        return result.code === "closing" ? "later" : tell(said, storageText(result.message, deps.say));
      case "unknown":
        log.error("thread: conversation not stored", { conversation });
        return "done";
    }
  };

  const tell = async (said: ChatMessage, text: string): Promise<HandleResult> => {
    await deps.replies.owe(addressee(said), said.id, text);
    return "done";
  };

  return hear;
};

const quotedOf = (
  { earlier, shown }: QuotedContext,
  { counts }: AttachedFiles,
  hosts: readonly string[],
): { readonly quoted?: QuotedContent } => {
  const messages = earlier.filter(({ text }) => text !== "").length;
  const previews = shown.length + earlier.flatMap((one) => one.shown).length;
  const quoted = { messages, previews, ...counts };
  if (hosts.length > 0) return { quoted: { ...quoted, hosts } };
  return Object.values(quoted).some((count) => count > 0) ? { quoted } : {};
};

const addressee = ({ place, root, message, direct, person }: ChatMessage) => ({
  place,
  root: root ?? (direct ? message : null),
  person,
});

const aboutOf = (
  { about, text }: ChatMessage,
  earlier: readonly ThreadMessage[],
  shown: readonly Quote[],
): readonly string[] => {
  if (about === null) {
    const isBare = text === "" && shown.length > 0;
    return isBare
      ? ["The message has no words of its own: it asks about the text that is quoted with it."]
      : [];
  }
  const at = earlier.find(({ message }) => message === about)?.at;
  return [
    at === undefined
      ? "The question is about a message that is not quoted here: it was read earlier, or cannot be read."
      : `The question is about the quoted message of ${new Date(at).toISOString()}.`,
  ];
};

/** A thread's tag `@v2` overrides the channel's version. */
const versioned = (tags: readonly string[], repo: RepositoryBinding): RepositoryBinding => {
  const ref = tags.flatMap((tag) => /^@(.+)$/.exec(tag)?.[1] ?? []).find(isVersion);
  return ref === undefined ? repo : { ...repo, ref };
};

const threadOf = ({ place, root, message }: ChatMessage): string => `${place}/${root ?? message}`;

const isForeign = ({ ours }: ThreadMessage): boolean => !ours;

const NO_MENU =
  "I could not ask here which repository this channel works on ({why}). Your question is stored: choose a repository with `/parley repo owner/name`, and I will answer the question." satisfies Sentence;
const HINT =
  "Several people write in this thread, so I only read messages that mention {mention}. I skipped yours. I post this notice only once." satisfies Sentence;
const NEAR =
  'Did you mean `{mention} {meant}`? "{typed}" is not a command; to send it as a message, write a whole sentence.' satisfies Sentence;
const UNREAD_TAGS =
  "I could not read the version from the tags here ({why}). Ask again in a while." satisfies Sentence;
