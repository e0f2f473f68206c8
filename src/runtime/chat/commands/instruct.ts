/**
 * `instructions`: what every conversation that begins in a channel is told, in the words of those who may approve there.
 * Running conversations keep those that they began with.
 */

import type { Person } from "../../../ports/chat-platform.ts";
import type { Addressee } from "../../../ports/surface.ts";
import { readInstructions } from "../../bot/instructions.ts";
import type { Label, Say } from "../../../words/say.ts";
import type { ChatDeps } from "../deps.ts";
import { clockTime, storageText } from "../reply-texts.ts";
import type { InstructionsChange } from "./command.ts";
import { personId, rightsOf } from "./rights.ts";

export const instruct = async (
  deps: ChatDeps,
  change: InstructionsChange,
  { place }: Addressee,
  person: Person,
): Promise<string> => {
  if (change.kind === "show") return show(deps, place);
  if (!rightsOf(deps.policy, person).mayManage) return deps.say(MAY_NOT);
  if (change.kind === "clear") return clear(deps, place);
  const read = readInstructions(change.text);
  if (read.kind === "nothing") return show(deps, place);
  if (read.kind === "refused") return read.why(deps.say);
  const { name, store, clock, say } = deps;
  const by = personId(name, person.id);
  const done = await store.instruct(name, place, { text: read.text, by, at: clock.now() });
  return done.kind === "failed" ? storageText(done.message, say) : say(SET);
};

const show = ({ name, store, mention, say }: ChatDeps, place: string): string => {
  const found = store.instructions(name, place);
  if (found === null) return `${say("This channel has no instructions.")} ${howText(mention, say)}`;
  const day = new Date(found.at).toISOString().slice(0, 10);
  return [
    say("Conversations that begin here are told this, set by `{by}` on {day} at {time}:", {
      by: found.by,
      day,
      time: clockTime(found.at),
    }),
    ...found.text.split("\n").map((line) => `| ${line}`),
    howText(mention, say),
  ].join("\n");
};

const clear = async ({ name, store, say }: ChatDeps, place: string): Promise<string> => {
  const done = await store.instruct(name, place, null);
  return done.kind === "failed" ? storageText(done.message, say) : say(CLEARED);
};

const howText = (mention: string, say: Say): string =>
  say(
    "Those who may approve change them: `{mention} instructions: TEXT`, or `{mention} instructions clear`.",
    { mention },
  );

const SET: Label =
  "Stored. Conversations that begin here from now on are told this; running ones keep what they began with.";
const CLEARED: Label =
  "Cleared. Conversations that begin here from now on are told nothing of this channel; running ones keep what they began with.";
const MAY_NOT: Label = "Only people who may approve here change a channel's instructions. Ask one of them.";
