/** A watch of people in words, for lists in chats and on pages. Pure. */

import type { Say } from "../../../i18n/say.ts";
import type { PeopleSource } from "../store/watches.ts";

export const peopleText = (source: PeopleSource, say: Say): string => {
  const { hours, incidents, from } = source;
  return [
    incidents === null
      ? say("posts of people")
      : say("posts of people in new public channels named {name}", { name: `${incidents}…` }),
    ...(source.with.length === 0 ? [] : [say("with {patterns}", { patterns: listed(source.with) })]),
    ...(source.without.length === 0 ? [] : [say("without {patterns}", { patterns: listed(source.without) })]),
    ...(source.onlyQuestions ? [say("only questions")] : []),
    ...(from === null ? [] : [say("from the role {role}", { role: `\`${from}\`` })]),
    ...(hours === null
      ? []
      : [
          say("Monday to Friday from {from} to {until} o'clock ({zone})", {
            from: hours.from,
            until: hours.until,
            zone: hours.zone,
          }),
        ]),
    ...(source.notifyOwners ? [say("notifies owners of code")] : []),
  ].join(", ");
};

const listed = (patterns: readonly string[]): string => patterns.map((one) => `\`${one}\``).join(", ");
