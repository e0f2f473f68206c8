/** Which script a turn is in, decided from the words of the person alone, so that it is the same in every round. */

import { change } from "./change.ts";
import { longAnswer } from "./long-answer.ts";
import { question } from "./question.ts";
import { rehearsal } from "./rehearsal.ts";
import { finalReply, played, type DemoReply, type DemoScene } from "./reply.ts";
import { deniedWrite, help, pictures, slow } from "./tour.ts";
import type { DemoTurn } from "./turn.ts";

export const nextReply = (turn: DemoTurn): DemoReply => {
  if (turn.images > 0) return finalReply(pictures(turn));
  const said = turn.said.slice(0, MAX_SAID).replace(MENTIONS, "").trim();
  for (const { when, act } of STATIONS) {
    const matched = when.exec(said);
    const acted = matched === null ? null : act(turn, matched.groups ?? {});
    if (acted !== null) return typeof acted === "string" ? finalReply(acted) : played(acted, turn.calls);
  }
  return played(question({ said }), turn.calls);
};

/** Whoever writes more is understood by its beginning: the time that the patterns below take grows with its square. */
const MAX_SAID = 1_000;
const MENTIONS = /^(?:\s*@\S+)+/;

interface Station {
  readonly when: RegExp;
  readonly act: (turn: DemoTurn, named: Readonly<Record<string, string | undefined>>) => string | DemoScene;
}

const LEAD =
  "^[\\s\\p{P}]*(?:(?:please|can you|could you|show|give|run|try|make|do|open|read|let|me|us|see|an?|the|some|one|now)\\s+)*";
const END = "(?:[\\s\\p{P}]+(?:please|now|there|here|parley|bot|all|everyone|again))*[\\s\\p{P}\\p{S}]*$";

/** The whole message, but for what politeness puts around it. */
const only = (words: string): RegExp => new RegExp(`${LEAD}(?:${words})${END}`, "iu");

const GREETINGS =
  "help|hi|hello|hey|hallo|moin|servus|good (?:morning|afternoon|evening)|tour|menu|start|what can you do|what can i (?:do|say|ask)|who are you|thanks?|thank you|";

/** In quotes what to add, and behind `to` where. */
const ADDITION =
  "(?:add|append) (?:an? |the |one )?line(?: +['\"‘“`](?<text>.{1,300})['\"’”`])?(?: +to +(?:the )?(?<file>[\\w@./-]{1,200}?))?";

const STATIONS: readonly Station[] = [
  { when: only(GREETINGS), act: help },
  {
    when: only("draft(?:ed)?(?: an?)?(?: change| line)?|rehearsals?|rehearse(?: an?)?(?: change)?"),
    act: rehearsal,
  },
  { when: only(ADDITION), act: (turn, { text, file }) => change(turn, text, file) },
  { when: only("(?:very )?long (?:answer|reply|text)"), act: longAnswer },
  { when: only("(?:slow|long[- ]running) (?:command|task|job)s?|something slow"), act: slow },
  { when: only("(?:denied|forbidden) write|write that is denied"), act: deniedWrite },
];
