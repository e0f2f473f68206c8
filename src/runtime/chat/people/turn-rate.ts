/** Limits turns of people without write permission, whether begun by message, button or command. */

import type { Speaker } from "../../../machine/vocabulary.ts";
import type { ActResult } from "../../../ports/bot.ts";
import type { Person } from "../../../ports/chat-platform.ts";
import type { ChatDeps } from "./deps.ts";
import { durationText } from "../../../thread/durations.ts";

export const paced = async <Result extends ActResult>(
  deps: Pick<ChatDeps, "rate" | "say">,
  { mayDrive }: Speaker,
  { id }: Person,
  begin: () => Promise<Result>,
): Promise<Result | string> => {
  const early = tooOften(deps, id, mayDrive);
  if (early !== null) return early;
  const result = await begin();
  if (result.kind === "done") deps.rate.took(id);
  return result;
};

export const tooOften = (
  { rate, say }: Pick<ChatDeps, "rate" | "say">,
  person: string,
  mayDrive: boolean,
): string | null => {
  const wait = mayDrive ? 0 : rate.wait(person);
  return wait === 0
    ? null
    : say(
        "You have asked {most} times in the past hour, which is the limit. Try again in {wait}, or ask an approver.",
        { most: rate.most, wait: durationText(wait, say) },
      );
};
