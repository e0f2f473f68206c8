import type { State } from "../machine/state.ts";
import type { Speaker } from "../machine/vocabulary.ts";
import type { Say } from "../i18n/say.ts";
import { clipText } from "../text/clip-text.ts";
import type { Formatter } from "./formatter.ts";
import type { WaitingMessage } from "./post.ts";

const MAX_NAMED = 3;
const MAX_REMOVABLE = 8;
/** Characters of a name on a button, for which platforms accept 75 to 80. */
const MAX_NAME = 30;

/** Returns for example `1 message waits, from @bob`; null if nothing waits (D51). */
export const waitingText = (
  waiting: readonly WaitingMessage[],
  { plain, say }: Pick<Formatter, "plain" | "say">,
): string | null => {
  const count = waiting.length;
  if (count === 0) return null;
  const named = waiting.slice(0, MAX_NAMED).map(({ name }) => `@${plain(name)}`);
  const more = count > MAX_NAMED ? [say("{count} more", { count: count - MAX_NAMED })] : [];
  const people = new Intl.ListFormat(say.language).format([...named, ...more]);
  return count === 1
    ? say("1 message waits, from {people}", { people })
    : say("{number} messages wait, from {people}", { number: count, people });
};

export const waitingIn = ({ waiting = [] }: Pick<State, "waiting">): readonly WaitingMessage[] =>
  waiting.map(({ message, speaker }) => ({ message, by: speaker.id, name: authorName(speaker) }));

/** Speakers of the console and of programs may have no name. */
export const authorName = ({ id, name }: Pick<Speaker, "id" | "name">): string =>
  name ?? id.slice(id.indexOf(":") + 1);

/** A click by a person without the right to remove the message changes nothing. */
export const removeButtons = (waiting: readonly WaitingMessage[], say: Say) =>
  waiting.slice(0, MAX_REMOVABLE).map(({ message, name }) => ({
    action: "remove_waiting" as const,
    label: say("Remove @{name}'s message", { name: clipText(name, MAX_NAME) }),
    value: message,
  }));
