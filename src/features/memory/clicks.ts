/** Buttons of notes: *Remember*, *Edit and remember* and *No* of a proposal; *Still true* and *Forget* of a note. */

import type { Click, HandleResult } from "../../ports/chat.ts";
import type { Label, Say } from "../../i18n/say.ts";
import type { FeatureClick } from "../../runtime/chat/people/deps.ts";
import { memberOf, whisper } from "../../runtime/chat/people/member.ts";
import { storageText } from "../../runtime/chat/people/reply-texts.ts";
import { rightsOf, surfacePersonId } from "../../runtime/chat/people/rights.ts";
import type { ChatDeps } from "../../runtime/chat/people/deps.ts";
import { notePerson, type NoteResult, readersOf } from "./memory.ts";
import type { ChannelNote, NotePerson } from "./note.ts";
import type { MemoryContext } from "./open.ts";
import type { NoteProposal } from "./rows.ts";

interface Pressed {
  readonly deps: ChatDeps;
  readonly click: Click;
  readonly by: NotePerson;
  readonly mayDrive: boolean;
  readonly say: Say;
}

export const remember = (own: MemoryContext): FeatureClick =>
  byDriver(async (press) => decided(own, press, (proposal) => proposal.text));

export const rememberEdited = (own: MemoryContext): FeatureClick =>
  byDriver(async (press) => decided(own, press, () => press.click.comment));

export const refuseNote = (own: MemoryContext): FeatureClick =>
  byDriver(async (press) => {
    const { click, by, say } = press;
    const proposal = proposalOf(own, press);
    if (proposal === null) return say(UNKNOWN);
    const done = await own.memory.refuse(click.value);
    if (done === null) return say(DECIDED);
    if (done.kind === "failed") return storageText(done.message, say);
    await own.show(proposal, { state: "refused", by: by.id });
    return null;
  });

export const confirmNote = (own: MemoryContext): FeatureClick =>
  pressed(async (press) => {
    const { say, by, mayDrive } = press;
    const note = noteOf(own, press);
    if (note === null) return say(GONE);
    // The question goes to the author, who may have no write permission.
    if (!mayDrive && note.author.id !== by.id) return say(MAY_NOT);
    return told(await own.memory.confirm(note, by), CONFIRMED, say);
  });

/** Everybody may remove notes, as with the command. */
export const forgetNote = (own: MemoryContext): FeatureClick =>
  pressed(async (press) => {
    const { say, by } = press;
    const note = noteOf(own, press);
    if (note === null) return say(GONE);
    return told(await own.memory.remove(note, by), REMOVED, say);
  });

const pressed =
  (perform: (press: Pressed) => Promise<string | null>): FeatureClick =>
  async (deps, _, click): Promise<HandleResult> => {
    const member = await memberOf(deps, click.person);
    if (typeof member === "string") return whisper(deps, click, member);
    const { person, say } = member;
    const { mayDrive } = rightsOf(deps.policy, person);
    const by = notePerson({ id: surfacePersonId(deps.name, person.id), name: person.name });
    const answer = await perform({ deps, click, by, mayDrive, say });
    return answer === null ? "done" : whisper(deps, click, answer);
  };

const byDriver = (perform: (press: Pressed) => Promise<string | null>): FeatureClick =>
  pressed((press) => (press.mayDrive ? perform(press) : Promise.resolve(press.say(MAY_NOT))));

const decided = async (
  own: MemoryContext,
  press: Pressed,
  textOf: (proposal: NoteProposal) => string | null,
): Promise<string | null> => {
  const { deps, click, by, say } = press;
  const proposal = proposalOf(own, press);
  if (proposal === null) return say(UNKNOWN);
  if (proposal.outcome !== "open") return say(DECIDED);
  const text = textOf(proposal);
  if (text === null) return say(NO_FORM);
  const readers = await readersOf(deps.platform, click.place);
  const messageLink =
    proposal.message === null ? null : await deps.platform.link(click.place, proposal.message);
  const result = await own.memory.remember(proposal.id, text, by, { ...readers, messageLink });
  if (result === null) return say(DECIDED);
  if (result.kind !== "done") return told(result, UNKNOWN, say);
  const { number, text: stored } = result.note;
  await own.show(proposal, { state: "remembered", by: by.id, number, text: stored });
  return null;
};

/** Null if another channel's button has the value. */
const proposalOf = ({ memory }: MemoryContext, { deps, click }: Pressed): NoteProposal | null => {
  const proposal = memory.proposal(click.value);
  return proposal?.surface === deps.name && proposal.place === click.place ? proposal : null;
};

const noteOf = ({ memory }: MemoryContext, { deps, click }: Pressed): ChannelNote | null => {
  const note = memory.note(click.value);
  return note?.surface === deps.name && note.place === click.place ? note : null;
};

const told = (result: NoteResult, done: Label, say: Say): string => {
  switch (result.kind) {
    case "done":
      return say(done);
    case "refused":
      return result.why(say);
    case "failed":
      return storageText(result.message, say);
  }
};

const MAY_NOT: Label = "Only people with write permission here can decide about notes. Ask one of them.";
const UNKNOWN: Label = "The note is no longer proposed.";
const DECIDED: Label = "The note was decided before.";
const NO_FORM: Label = "The form did not open in time. Press *Edit and remember* again.";
const GONE: Label = "The note was removed before.";
const CONFIRMED: Label = "The note is used again.";
const REMOVED: Label = "The note is removed.";
