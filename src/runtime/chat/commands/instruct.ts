/** Running conversations keep the instructions from their start. */

import { readInstructions } from "../../channels/instructions.ts";
import type { Label, Say } from "../../../i18n/say.ts";
import type { Person } from "../../../ports/chat-platform.ts";
import type { ChatDeps } from "../people/deps.ts";
import { clockTime, storageText } from "../people/reply-texts.ts";
import { defineCommand } from "./define-command.ts";
import { compared, MAX_TEXT, ownText } from "./options.ts";
import { surfacePersonId } from "../people/rights.ts";

const MAY_NOT: Label =
  "Only host approvers (PARLEY_APPROVERS) can change a channel's instructions. Ask one of them.";
const TEXT = ownText(
  "text",
  "The instructions, or clear; leave empty to see the current ones",
  { max: MAX_TEXT },
  ["show", "clear"],
);

interface InstructionsChange {
  /** Null clears the instructions. */
  readonly text: string | null;
}

export const instructionsCommand = defineCommand({
  words: ["instructions"],
  options: [TEXT],
  read: (valueOf) => changeIn(valueOf(TEXT)),
  rights: { right: "mayManage", refusal: MAY_NOT, isFree: (change) => change === null },
  help: {
    does: "The channel's instructions for the agent; only host approvers can change them",
    thread: "instructions",
    channel: "`/parley instructions [TEXT|clear]` shows or sets the channel's instructions for the agent",
  },
  slash: ({ asked, rest, run }) => run(asked === undefined ? { text: rest.replace(/^:\s*/u, "") } : asked),
  run: ({ deps, asking: { place }, person }, change) =>
    change === null ? show(deps, place) : instruct(deps, change, place, person),
});

const changeIn = (text: string | null): InstructionsChange | null => {
  const said = text === null ? "show" : compared(text);
  if (said === "show") return null;
  return { text: said === "clear" ? null : text };
};

const instruct = async (
  deps: ChatDeps,
  change: InstructionsChange,
  place: string,
  person: Person,
): Promise<string> => {
  const { name, store, clock, say } = deps;
  const read = readInstructions(change.text ?? "");
  if (read.kind === "refused") return read.why(say);
  const { text } = read;
  if (text === null && change.text !== null) return show(deps, place);
  const told = text === null ? null : { text, by: surfacePersonId(name, person.id), at: clock.now() };
  const done = await store.instruct(name, place, told);
  return done.kind === "failed" ? storageText(done.message, say) : say(text === null ? CLEARED : SET);
};

const show = ({ name, store, mention, say }: ChatDeps, place: string): string => {
  const found = store.instructions(name, place);
  if (found === null) return `${say("This channel has no instructions.")} ${howText(mention, say)}`;
  const day = new Date(found.at).toISOString().slice(0, 10);
  return [
    say("Instructions for new conversations in this channel, set by `{by}` on {day} at {time}:", {
      by: found.by,
      day,
      time: clockTime(found.at),
    }),
    ...found.text.split("\n").map((line) => `| ${line}`),
    howText(mention, say),
  ].join("\n");
};

const howText = (mention: string, say: Say): string =>
  say(
    "Host approvers can change these instructions: `{mention} instructions: TEXT`, or `{mention} instructions clear`.",
    {
      mention,
    },
  );

const SET: Label =
  "Stored. New conversations here get these instructions. Running conversations keep the instructions they started with.";
const CLEARED: Label =
  "Cleared. New conversations here get no channel instructions. Running conversations keep the instructions they started with.";
