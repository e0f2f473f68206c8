import type { HostMessage } from "../../ports/alerts.ts";
import type { Became, PullOutcome, Watch, WatchEvent } from "./store/watches.ts";
import type { Message } from "../../ports/claims.ts";
import type { Label, Say } from "../../i18n/say.ts";
import { spellInvisibleInProse } from "../../text/invisible.ts";
import { compose, NOTHING } from "../../runtime/chat/compose.ts";
import { investigateButton } from "./investigation.ts";
import { scheduleText } from "./schedule-text.ts";
import type { OpenedPull } from "./opened-pull.ts";

/** Maximum number of an event's characters in the first message. */
const SHOWN = 700;

/** `count`: number of events in the thread. */
export const firstLineOf = (
  watch: Watch,
  event: WatchEvent,
  count: number,
  say: Say,
): Omit<HostMessage, "id"> => {
  const times = count === 1 ? [] : [say("This event arrived {count} times.", { count })];
  const from =
    watch.source.kind === "schedule"
      ? scheduleText(watch.source, say)
      : say("the watch {id}", { id: watch.id });
  const shown = [event.title, event.text].filter((part) => part !== "").join("\n");
  return {
    text: [
      say("Started automatically: {from}.", { from }),
      ...times,
      event.person === undefined
        ? say(
            "Nobody asked for this thread, so I only read. From the first reply on, I work for the person who wrote it.",
          )
        : say(
            "Nobody asked for this thread, so I only read. If the author of the post replies here, I work for the author. Other people mention me.",
          ),
    ].join(" "),
    // An app's post is visible above this message.
    ...(event.post === undefined ? { words: clip(shown), link: event.link } : { root: event.post }),
  };
};

/** The sender controls this text, so unprintable characters are spelled out. */
export const clip = (raw: string): string => {
  const shown = spellInvisibleInProse(raw.slice(0, SHOWN + 1).toWellFormed());
  return raw.length <= SHOWN && shown.length <= SHOWN ? shown : `${shown.slice(0, SHOWN).toWellFormed()}…`;
};

/** `asked`: only after a person's request. */
type Looking = "asked" | "itself" | "spent" | "busy";

export const followLine = (
  { follows: { what }, text, link, delivery }: WatchEvent & { readonly follows: PullOutcome },
  { name, number }: OpenedPull,
  looking: Looking,
  say: Say,
): Omit<HostMessage, "id" | "root"> => ({
  text: [say(BECAME_TEXT[what], { name }), ...(looking === "asked" ? [] : [say(LOOKING[looking])])].join(" "),
  link,
  ...(text === "" ? {} : { words: clip(text) }),
  ...(what === "merged" || looking === "itself"
    ? {}
    : { button: investigateButton(what, number, delivery, say) }),
});

const BECAME_TEXT = {
  checks: "{name} failed its checks.",
  reviewed: "{name} was reviewed.",
  merged: "{name} was merged.",
} as const satisfies Readonly<Record<Became, string>>;

const LOOKING: Readonly<Record<Exclude<Looking, "asked">, Label>> = {
  itself: "Nobody asked for this thread, so I only read. I look into the event on my own.",
  spent: "I will not look into this event on my own, because this watch has spent its budget for today.",
  busy: "I did not look into this event on my own, because I could not start a turn at that moment.",
};

/** A schedule contains a person's text; any other event is untrusted content. */
export const messageOf = ({ id, source, instructions, by }: Watch, event: WatchEvent): Message => {
  if (source.kind === "schedule") {
    const around = { ...NOTHING, remarks: [`${ALONE} It was set up by ${by}, ${source.spoken}.`] };
    return { ...compose(event.text, around), images: [] };
  }
  const link = event.link === null ? "" : `\n${event.link}`;
  const shown = { author: `watch ${id}`, text: `${event.title}\n${event.text}${link}`, at: event.at };
  const remarks = [event.follows === undefined ? ALONE : BY_ITSELF];
  const around = { ...NOTHING, shown: [shown], remarks };
  return {
    ...compose(instructions ?? (event.asksReview === true ? REVIEW : TRIAGE), around),
    images: [],
    quoted: { messages: 0, previews: 0, files: 0, pictures: 0, events: 1 },
  };
};

const NOBODY = "nobody has asked, and nobody may be asked for write access. Answer with what you can read.";
const ALONE = `This thread began by itself: ${NOBODY}`;
const BY_ITSELF = `This message came by itself: ${NOBODY}`;

const TRIAGE =
  "An event came that is quoted above. Find out from the code what it is about: say in a few sentences what happens, where it comes from, with citations, how urgent it is, and what you would do next.";

const REVIEW =
  "The review of a pull request was requested, as quoted above. Read its changes, its discussion and the code around the changes. If you confirm faults, propose a review of them; people see the review and decide. If you confirm none, say so in a few sentences, with what you checked.";
