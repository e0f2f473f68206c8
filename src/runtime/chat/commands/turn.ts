import { continueElsewhere } from "../people/continuation.ts";
import { runThreadAction } from "./act.ts";
import { NO_OPTIONS, defineCommand, defineThreadCommand } from "./define-command.ts";
import { choiceOption } from "./options.ts";
import { speakerOf } from "../people/rights.ts";

export const stopCommand = defineThreadCommand({
  words: ["stop", "cancel"],
  ...NO_OPTIONS,
  rights: "everybody",
  help: { does: "Stop Parley's work in this thread", thread: "stop" },
  isUrgent: true,
  run: ({ deps, conversation, person }) =>
    runThreadAction(deps, conversation, { kind: "stop", by: speakerOf(deps.policy, person).id }),
});

export const restrict = defineThreadCommand({
  words: ["restrict", "restricted"],
  ...NO_OPTIONS,
  rights: "everybody",
  help: { does: "Remove write access and network from this thread", thread: "restrict" },
  run: ({ deps, conversation, person }) =>
    runThreadAction(deps, conversation, { kind: "restrict", by: speakerOf(deps.policy, person).id }),
});

export const unrestricted = defineThreadCommand({
  words: ["unrestricted"],
  ...NO_OPTIONS,
  rights: "everybody",
  help: {
    does: "Ask the approvers for write access in this thread",
    more: (say) =>
      say(
        "`mode unrestricted` asks the approvers for write access, `mode restricted` removes it like `restrict`.",
      ),
  },
  isOffered: false,
  run: ({ deps, conversation, person }) =>
    runThreadAction(deps, conversation, { kind: "unrestrict", by: speakerOf(deps.policy, person) }),
});

export const retry = defineThreadCommand({
  words: ["retry"],
  ...NO_OPTIONS,
  rights: "everybody",
  help: { does: "Try the failed turn again", thread: "retry" },
  run: ({ deps, conversation, person }) =>
    runThreadAction(deps, conversation, { kind: "retry", speaker: speakerOf(deps.policy, person) }),
});

export const continueThread = defineThreadCommand({
  words: ["continue"],
  ...NO_OPTIONS,
  rights: "everybody",
  help: {
    does: "Continue in a new thread with a summary of this one",
    thread: "continue",
    before: { menu: "retry" },
  },
  run: ({ deps, conversation, person }) =>
    continueElsewhere(deps, conversation, "next", { speaker: speakerOf(deps.policy, person), person }),
});

const SWITCH = choiceOption("change", "What to do", "on", "off");

export const safeMode = defineCommand({
  words: ["safe-mode"],
  options: [SWITCH],
  read: (valueOf) => valueOf(SWITCH),
  rights: { conversationChecks: "mayApprove" },
  help: {
    does: "Switch safe mode of this thread on or off (only for approvers)",
    thread: "safe-mode on|off",
  },
  isOffered: false,
  run: ({ deps, conversation, person }, change) =>
    change === null
      ? deps.say("Use `safe-mode on` or `safe-mode off`.")
      : runThreadAction(deps, conversation, {
          kind: "safeMode",
          on: change === "on",
          by: speakerOf(deps.policy, person),
        }),
});
