/** Which script a turn is in, decided from the words of the person alone, so that it is the same in every round. */

import { change } from "./change.ts";
import { editOf } from "./edit.ts";
import { question } from "./question.ts";
import { rehearsal } from "./rehearsal.ts";
import type { Reply } from "./reply.ts";
import { deniedWrite, failing, help, long, picture, slow } from "./tour.ts";
import type { DemoTurn } from "./turn.ts";

export const nextReply = (turn: DemoTurn): Reply => {
  if (turn.images > 0) return picture(turn);
  const said = turn.said.slice(0, MAX_SAID).replace(MENTIONS, "").trim();
  const station = STATIONS.find(({ when }) => when.test(said));
  if (station !== undefined) return station.reply(turn);
  const edit = editOf(said);
  return edit === null ? question({ ...turn, said }) : change(turn, edit);
};

/** Whoever writes more is understood by its beginning: the time that the patterns below take grows with its square. */
const MAX_SAID = 1_000;
const MENTIONS = /^(?:\s*@\S+)+/;

interface Station {
  readonly when: RegExp;
  readonly reply: (turn: DemoTurn) => Reply;
}

const LEAD =
  "^[\\s\\p{P}]*(?:(?:please|can you|could you|show|give|run|try|make|do|open|read|let|me|us|see|an?|the|some|one|now)\\s+)*";
const END = "(?:[\\s\\p{P}]+(?:please|now|there|here|parley|bot|all|everyone|again))*[\\s\\p{P}\\p{S}]*$";

/** The whole message, but for what politeness puts around it. */
const only = (words: string): RegExp => new RegExp(`${LEAD}(?:${words})${END}`, "iu");

const GREETINGS =
  "help|hi|hello|hey|hallo|moin|servus|good (?:morning|afternoon|evening)|tour|menu|start|what can you do|what can i (?:do|say|ask)|who are you|thanks?|thank you|";

const STATIONS: readonly Station[] = [
  { when: only(GREETINGS), reply: help },
  {
    when: only("draft(?:ed)?(?: an?)?(?: change| line)?|rehearsals?|rehearse(?: an?)?(?: change)?"),
    reply: rehearsal,
  },
  { when: only("(?:very )?long (?:answer|reply|text)"), reply: long },
  { when: only("(?:slow|long[- ]running) (?:command|task|job)s?|something slow"), reply: slow },
  { when: only("failing commands?|command that fails|failure"), reply: failing },
  { when: only("(?:denied|forbidden) write|write that is denied"), reply: deniedWrite },
  { when: only("(?:picture|image|photo|screenshot)s?"), reply: picture },
];
