import { modesText } from "../people/reply-texts.ts";
import { runThreadAction } from "./act.ts";
import { defineCommand, inThread } from "./define-command.ts";
import { wordOption } from "./options.ts";
import { speakerOf } from "../people/rights.ts";

const NAME = wordOption("name", "Key of the mode, restricted or unrestricted; leave empty to list the modes");

export const mode = defineCommand({
  words: ["mode"],
  options: [NAME],
  read: (valueOf) => valueOf(NAME),
  rights: "everybody",
  help: {
    does: "Show the work modes, or switch the work mode of this thread",
    thread: "mode NAME",
    channel: "`/parley mode` lists the work modes",
  },
  slash: ({ context: { deps }, rest }) =>
    /^(un)?restricted$/iu.test(rest.trim())
      ? inThread(deps, `mode ${rest.trim().toLowerCase()}`)
      : `${modesText(deps.modes, null, deps.say)}\n${deps.say("Switch in a thread: `{mention} mode NAME`.", { mention: deps.mention })}`,
  run: ({ deps, conversation, person }, wanted) => {
    const speaker = speakerOf(deps.policy, person);
    // Row 45: people confuse the permission with a mode.
    if (wanted === "restricted")
      return runThreadAction(deps, conversation, { kind: "restrict", by: speaker.id });
    if (wanted === "unrestricted")
      return runThreadAction(deps, conversation, { kind: "unrestrict", by: speaker });
    return wanted === null || !deps.modes.some(({ key }) => key === wanted)
      ? modesText(deps.modes, wanted, deps.say)
      : runThreadAction(deps, conversation, {
          kind: "mode",
          mode: wanted,
          reason: "Asked for with a command.",
          by: speaker.id,
        });
  },
});
