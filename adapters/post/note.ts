/** The line and the buttons of a note that the agent proposes, in the message of its turn. Pure. */

import { untrustedRead } from "../../src/machine/provenance.ts";
import type { Button, RenderScene } from "../../src/ports/surface.ts";
import type { TurnBody } from "../../src/thread/post.ts";
import type { NoteOffer } from "../../src/thread/prompt.ts";
import type { Say } from "../../src/i18n/say.ts";
import type { Dialect } from "./dialect.ts";

/** Null if the turn proposes no note, or if its text was erased. */
export const noteOf = ({ note }: TurnBody, { words }: RenderScene): NoteOffer | null => {
  const result = note === undefined ? undefined : words.get(note);
  return result?.kind === "result" ? (result.note ?? null) : null;
};

export const noteLines = (note: NoteOffer | null, { marks }: Dialect): readonly string[] => {
  if (note === null || note.state === "refused") return [];
  const { say, plain, code } = marks;
  const text = plain(note.text);
  if (note.state === "remembered")
    return [
      say("Note {number}, remembered by {by}: “{text}”", {
        number: note.number ?? 0,
        by: code(note.by ?? ""),
        text,
      }),
    ];
  const asked = say(
    note.isAboutRepo
      ? "Remember this about the repository? “{text}”"
      : "Remember this in this channel? “{text}”",
    { text },
  );
  return note.read === undefined
    ? [asked]
    : [
        `${asked} ${say("Untrusted content read so far: {what}.", { what: untrustedRead(note.read, code, say) })}`,
      ];
};

export const noteButtons = (note: NoteOffer | null, say: Say): readonly Button[] =>
  note?.state === "open"
    ? [
        {
          action: { feature: "remember" },
          label: say("Remember"),
          value: note.id,
          spoken: say("Remember this note"),
        },
        { action: { feature: "remember_edited" }, label: say("Edit and remember"), value: note.id },
        {
          action: { feature: "refuse_note" },
          label: say("No"),
          value: note.id,
          spoken: say("Do not remember this note"),
        },
      ]
    : [];
