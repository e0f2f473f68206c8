/** The host's lines below a look at a person's post. Pure. */

import type { HostMessage } from "../../ports/alerts.ts";
import type { ConversationId } from "../../machine/id.ts";
import type { Button } from "../../ports/surface.ts";
import type { Say } from "../../i18n/say.ts";
import { clip } from "./words.ts";
import type { CodePeople } from "./people/code-people.ts";

export const lookEndLine = (
  surface: string,
  conversation: ConversationId,
  people: readonly CodePeople[],
  notified: readonly string[],
  say: Say,
): Pick<HostMessage, "text" | "words" | "buttons" | "notify"> => {
  const named = people.filter(({ owners, changers }) => owners.length + changers.length > 0);
  const text =
    named.length === 0
      ? say("I found no owner of this code.")
      : notified.length === 0
        ? say("These people know the code best. I have not notified them.")
        : say("These people know the code best. This watch notifies the owners.");
  return {
    text,
    ...(named.length === 0 ? {} : { words: clip(named.map((one) => placeText(one, say)).join("\n")) }),
    buttons: lookButtons(surface, conversation, say),
    ...(notified.length === 0 ? {} : { notify: notified }),
  };
};

const placeText = ({ file, from, to, owners, changers }: CodePeople, say: Say): string =>
  owners.length > 0
    ? say("{file}: {names} (CODEOWNERS)", { file, names: owners.join(", ") })
    : say("{file}: {names} (last changes)", {
        file: `${file}:${from === to ? from : `${from}-${to}`}`,
        names: changers.join(", "),
      });

/** Discord's adapter calls maintainers itself. */
const lookButtons = (surface: string, conversation: ConversationId, say: Say): readonly Button[] => [
  { action: { feature: "file_issue" }, label: say("File an issue"), value: conversation },
  { action: { feature: "not_useful" }, label: say("Not useful"), value: conversation },
  {
    action: surface === "discord" ? "maintainer" : { feature: "look_help" },
    label: say("Ask a maintainer"),
    value: conversation,
  },
];

/** The request of the person who clicks *File an issue*. */
export const FILE_ISSUE =
  "File an issue on the forge of this repository about the matter of this thread: what happens, how to see it, and the cited lines. Look for an existing issue first, and name that one instead if it covers the matter.";
