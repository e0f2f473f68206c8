import type { ConversationId } from "../../../machine/id.ts";
import type { ChannelOverrides } from "../../../ports/channels.ts";
import type { Label, Sentence } from "../../../i18n/say.ts";
import type { ChatDeps } from "../people/deps.ts";
import { storageText } from "../people/reply-texts.ts";
import { rightsOf } from "../people/rights.ts";
import { changeSettings, MAY_NOT, orSettings, settingsAt } from "./channels.ts";
import { type CommandContext, defineCommand, defineThreadCommand, NO_OPTIONS } from "./define-command.ts";
import { hasBegun, MAY_NOT_KEEP } from "./manage.ts";
import { choiceOption } from "./options.ts";

const SWITCH = choiceOption(
  "channel",
  "For all threads of the channel; only host approvers can change it",
  "on",
  "off",
);

export const quiet = defineCommand({
  words: ["quiet"],
  options: [SWITCH],
  read: (valueOf) => valueOf(SWITCH),
  rights: { right: "mayManage", refusal: MAY_NOT, isFree: (change) => change === null },
  help: {
    does: "Answer only messages that mention Parley, in this thread or in the whole channel",
    thread: "quiet",
    channel:
      "`/parley quiet [on|off]` shows or sets whether I answer only mentions in this channel's threads",
    before: { thread: "rename", channel: "approvers" },
  },
  slash: orSettings,
  run: async (context, change) => {
    const { deps, conversation, person } = context;
    if (change === null && conversation !== null) {
      const may = rightsOf(deps.policy, person).mayDrive || (await hasBegun(context));
      return may ? setQuiet({ ...context, conversation }, true) : deps.say(MAY_NOT_KEEP);
    }
    return context.asking.direct
      ? deps.say(DIRECT)
      : changeSettings(context, change === null ? null : { quiet: change === "on" }, channelText);
  },
  statusLine: ({ deps, asking, conversation }) =>
    conversation !== null && quietIn(deps, conversation, asking.place) === true && !asking.direct
      ? deps.say(THREAD_QUIET, { mention: deps.mention })
      : null,
});

export const listen = defineThreadCommand({
  words: ["listen"],
  ...NO_OPTIONS,
  rights: { right: "mayDrive", refusal: MAY_NOT_KEEP, isFree: (_, context) => hasBegun(context) },
  help: {
    does: "Answer messages without a mention in this thread again, after quiet",
    thread: "listen",
    before: { thread: "rename" },
  },
  run: (context) => setQuiet(context, false),
});

/** Null if nobody ever chose. */
export const quietIn = (deps: ChatDeps, conversation: ConversationId, channel: string): boolean | null =>
  deps.store.isQuiet(conversation) ?? settingsAt(deps, channel).quiet;

const setQuiet = async (
  { deps, asking, conversation }: CommandContext & { readonly conversation: ConversationId },
  isQuiet: boolean,
): Promise<string> => {
  const { store, mention, say } = deps;
  if (asking.direct) return say(DIRECT);
  const done = await store.setQuiet(conversation, isQuiet);
  if (done.kind === "failed") return storageText(done.message, say);
  return isQuiet ? say(THREAD_QUIET, { mention }) : say(LISTENS);
};

const channelText = (deps: ChatDeps, { quiet: isQuiet }: ChannelOverrides): string =>
  isQuiet === true ? quietChannelText(deps) : deps.say(CHANNEL_LISTENS, { mention: deps.mention });

export const quietChannelText = ({ mention, say }: ChatDeps): string => say(CHANNEL_QUIET, { mention });

const THREAD_QUIET =
  "Quiet: in this thread I answer only messages that mention me. `{mention} listen` ends this." satisfies Sentence;
const LISTENS: Label =
  "I listen again: as long as only one person writes in this thread, no mention is needed.";
const CHANNEL_QUIET =
  "Quiet: in this channel's threads I answer only messages that mention me. `{mention} listen` ends this for one thread, `quiet off` for all." satisfies Sentence;
const CHANNEL_LISTENS =
  "In this channel's threads no mention is needed as long as only one person writes. `quiet on` changes this for all threads, `{mention} quiet` for one." satisfies Sentence;
const DIRECT: Label = "In direct messages every message is for me, so quiet changes nothing here.";
