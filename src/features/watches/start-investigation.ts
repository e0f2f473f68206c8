import { sayOnce } from "../../runtime/bot/investigation-click.ts";
import type { FeatureClick } from "../../runtime/chat/people/deps.ts";
import { outcomeText } from "../../runtime/chat/people/outcome-text.ts";
import { press } from "../../runtime/chat/people/press.ts";
import { paced } from "../../runtime/chat/people/turn-rate.ts";
import { investigateIn } from "./investigation.ts";

export const startInvestigation: FeatureClick = (deps, _, click) =>
  press(deps, click, null, async ({ conversation, person, speaker, say }) => {
    const text = investigateIn(click.value, conversation);
    const ask = async () => {
      if (text === null) return { kind: "unknown" } as const;
      const id = `look/${conversation}/${click.value}`;
      return sayOnce(deps.bot.say, { surface: deps.name, id, conversation, speaker, text, images: [] });
    };
    const asked = await paced({ ...deps, say }, speaker, person, ask);
    return typeof asked === "string" ? asked : outcomeText(asked, say);
  });
