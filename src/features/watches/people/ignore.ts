/** `/parley ignore me`: no watch reads the person's posts any more. */

import { type Command, defineCommand } from "../../../runtime/chat/commands/define-command.ts";
import { allWords } from "../../../runtime/chat/commands/options.ts";
import { storageText } from "../../../runtime/chat/people/reply-texts.ts";
import { surfacePersonId } from "../../../runtime/chat/people/rights.ts";
import type { Clock } from "../../../ports/host.ts";
import type { LookRows } from "../store/first-looks.ts";

const WHO = allWords("who", "me, or me back", { max: 20 });

interface IgnoreContext {
  readonly looks: Pick<LookRows, "ignore" | "endIgnoring">;
  readonly clock: Pick<Clock, "now">;
}

export const ignoreCommand = (own: () => IgnoreContext): Command =>
  defineCommand({
    words: ["ignore"],
    options: [WHO],
    read: (valueOf) => readIgnore(valueOf(WHO)?.words.join(" ") ?? ""),
    rights: "everybody",
    help: {
      does: "Exclude your posts from watches",
      channel: "`/parley ignore me` excludes your posts from watches, `/parley ignore me back` ends this",
      before: { channel: "rename" },
    },
    slash: ({ rest, run, context: { deps } }) => {
      const asked = readIgnore(rest);
      return asked === undefined
        ? deps.say("Write `/parley ignore me` or `/parley ignore me back`.")
        : run(asked);
    },
    run: async ({ deps: { name, say }, person: { id } }, asked) => {
      const { looks, clock } = own();
      const change = asked === "back" ? looks.endIgnoring : looks.ignore;
      const done = await change(name, surfacePersonId(name, id), clock.now());
      if (done.kind === "failed") return storageText(done.message, say);
      return asked === "back"
        ? say("Watches read your posts again, as everybody's.")
        : say(
            "No watch reads your posts any more, in any channel. I still answer when you mention me. `/parley ignore me back` ends this.",
          );
    },
  });

const readIgnore = (typed: string): "on" | "back" | undefined => {
  const said = typed.trim().toLowerCase().replaceAll(/\s+/g, " ");
  if (said === "me") return "on";
  return said === "me back" ? "back" : undefined;
};
