/**
 * Handles clicks that display a turn's steps or turn their pages: a reply for that person alone, rebuilt in
 * place.
 */

import type { HandleResult, StepsReader } from "../../../src/ports/chat.ts";
import { wholeText } from "../../post/step-page.ts";
import { discordCourtesy } from "../read/people.ts";
import type { Interaction } from "../read/read.ts";
import type { NotesDeps } from "../write/notes.ts";
import { type StepsWanted, stepsBody, WHOLE } from "../write/steps-message.ts";

export const showDiscordSteps = async (
  { calls, log }: Pick<NotesDeps, "calls" | "log">,
  chat: StepsReader,
  { application, token, place, root, guild, person }: Interaction,
  { value, page }: StepsWanted,
): Promise<HandleResult> => {
  const sheet = await chat.steps({ place, root, direct: guild === null, person, value });
  const files =
    page === WHOLE && typeof sheet !== "string"
      ? { files: [{ name: "steps.txt", contentType: "text/plain", data: Buffer.from(wholeText(sheet)) }] }
      : {};
  await discordCourtesy(log, "discord: steps not posted", () =>
    calls.call("PATCH", `/webhooks/${application}/${token}/messages/@original`, {
      body: stepsBody(sheet, page, value),
      ...files,
    }),
  );
  return "done";
};
