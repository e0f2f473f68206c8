/**
 * Handles clicks that display a turn's steps or turn their pages. The steps are read at the time of the
 * click.
 */

import type { webApi } from "@slack/bolt";
import type { HandleResult, StepsReader } from "../../../src/ports/chat.ts";
import type { ChatPlatform } from "../../../src/ports/chat-platform.ts";
import type { Log } from "../../../src/ports/host.ts";
import { slackCourtesy } from "../read/people.ts";
import type { PageTurn } from "../read/read.ts";
import { readStepsAbout, STEPS_PAGE, type StepsAbout, stepsModal } from "../write/steps-modal.ts";

export interface StepsDeps {
  readonly client: webApi.WebClient;
  readonly chat: StepsReader;
  readonly platform: Pick<ChatPlatform, "whisper">;
  readonly log: Log;
}

/** Opens the steps in a modal for the person alone. */
export const showSlackSteps = async (
  { client, chat, platform, log }: StepsDeps,
  { person, trigger, about }: Readonly<Record<"person" | "trigger", string>> & { readonly about: StepsAbout },
): Promise<HandleResult> => {
  const whisper = (text: string): Promise<void> =>
    platform.whisper({ place: about.channel, root: about.root, person }, { text, buttons: [] });
  const sheet = await chat.steps(askOf(about, person));
  if (typeof sheet === "string") {
    await whisper(sheet);
    return "done";
  }
  const opened = await slackCourtesy(log, "slack: steps not opened", () =>
    client.views.open({ trigger_id: trigger, view: stepsModal(sheet, 0, about) }),
  );
  if (opened === null) await whisper(sheet.say("Slack did not open the steps in time. Please try again."));
  return "done";
};

export const turnPage = async (
  { client, chat, log }: StepsDeps,
  { user, view, metadata, action, value: page }: PageTurn,
): Promise<HandleResult> => {
  const about = action.startsWith(STEPS_PAGE) ? readStepsAbout(metadata) : null;
  const sheet = about === null ? "" : await chat.steps(askOf(about, user));
  if (about === null || typeof sheet === "string") return "done";
  await slackCourtesy(log, "slack: page of steps not opened", () =>
    client.views.update({ view_id: view, view: stepsModal(sheet, Number(page), about) }),
  );
  return "done";
};

const askOf = ({ channel: place, root, value }: StepsAbout, person: string) => ({
  place,
  root,
  direct: place.startsWith("D"),
  person,
  value,
});
