/** Every sentence says what to do next. Pure. */

import type { ModelNames } from "../../../ports/model.ts";
import type { Choice, Permission } from "../../../machine/vocabulary.ts";
import type { Overview } from "../../../ports/bot.ts";
import type { Guidance, Instructions } from "../../../ports/channels.ts";
import type { Person } from "../../../ports/chat-platform.ts";
import { foldersOf } from "../../../ports/conversation.ts";
import type { SetupState } from "../../../ports/workspaces.ts";
import { capitalize, DECISION_LABELS } from "../../../thread/wording.ts";
import type { Label, Say } from "../../../i18n/say.ts";
import type { PlatformForms } from "../../../ports/platform-entry.ts";
import type { ChatDeps } from "./deps.ts";

export const threadNameText = ({ threadName }: PlatformForms, say: Say): string =>
  threadName === null ? "" : say(threadName);

export const strangerText = (standing: Exclude<Person["standing"], "member">, say: Say): string =>
  say(STRANGERS[standing]);

const STRANGERS: Readonly<Record<Exclude<Person["standing"], "member">, Label>> = {
  guest: "Guests cannot start work here. Ask a member of this workspace to start the work.",
  external:
    "Only members of the workspace that runs me can start work here. Ask one of these members to start the work.",
  bot: "This account cannot start work here. Ask a member of this workspace to start the work.",
  deactivated: "This account cannot start work here. Ask a member of this workspace to start the work.",
};

export const unreadPersonText = (why: string, say: Say): string =>
  say("I could not read who you are ({why}), so nothing was done. Please try again in a moment.", { why });

export const elsewhereText: Label =
  "I am not enabled in this channel. Ask the operator, or use another channel.";

export const pickText = (choices: readonly string[], admin: boolean): Label => {
  if (choices.length === 0)
    return "This channel has no repository yet, and this host lists none to choose from. An admin can name one with `/parley repo owner/name`; the operator lists repositories in PARLEY_REPOS.";
  return admin
    ? "No repository is chosen for this channel yet. I answer here once you pick one."
    : "No repository is chosen for this channel yet. I answer here once an admin picks one.";
};

export const mayNotBindText: Label = "Only admins choose the repository of a channel. Ask one of them.";

export const boundText = (name: string, by: string, say: Say): string =>
  say("This channel works on {repo}, chosen by {by}.", { repo: name, by });

export const modesText = (
  modes: readonly { readonly key: string; readonly whenToUse: string }[],
  unknown: string | null,
  say: Say,
): string =>
  [
    unknown === null ? say("Work modes:") : say('There is no mode "{mode}". There are:', { mode: unknown }),
    ...modes.map(({ key, whenToUse }) => `\`mode ${key}\`: ${say.stored(whenToUse)}`),
    say(
      "Permissions are not a work mode: `mode restricted` removes write access and network, `mode unrestricted` asks the approvers for them.",
    ),
  ].join("\n");

export const modelsText = ({ all }: ModelNames, unknown: string | null, say: Say): string =>
  [
    ...(unknown === null ? [] : [say('There is no model "{model}".', { model: unknown })]),
    say(
      all.length === 1
        ? "Model: {models}. `model NAME` in a thread changes the model that answers there. `/parley model NAME` sets the model of a channel's new conversations (`none`: the usual one)."
        : "Models: {models}. `model NAME` in a thread changes the model that answers there. `/parley model NAME` sets the model of a channel's new conversations (`none`: the usual one).",
      { models: all.map((name) => `\`${name}\``).join(", ") },
    ),
  ].join(" ");

/** Formats untrusted text as code that the text cannot end. */
export const replyCode = (text: string): string => `\`${text.replaceAll(/[`\n]/g, "'")}\``;

export const storageText = (message: string, say: Say): string =>
  say("Your request could not be stored, so nothing was done: {why}. Please try again.", {
    why: say.stored(message),
  });

export const unknownThreadText: Label =
  "This post belongs to a conversation that this host no longer stores. Mention me to start a new one.";

type Named = Pick<ChatDeps, "policy" | "forms" | "say">;

export const approversText = (deps: Named, names: readonly string[]): string => {
  const all = approversOf(deps, names);
  const { say } = deps;
  return all.length === 0 ? say(NOBODY) : say("Approvers here: {who}.", { who: all.join(", ") });
};

export const mayNotDecideText = (deps: Named, names: readonly string[]): string => {
  const { say } = deps;
  const who = approversOf(deps, names).join(", ");
  const can = who === "" ? say(NOBODY) : capitalize(say("{who} can.", { who }));
  return `${say("You can't decide this.")} ${can}`;
};

const approversOf = ({ policy, forms, say }: Named, names: readonly string[]): readonly string[] => {
  const kinds = new Set(policy.approvers.map(({ kind }) => kind));
  return [
    ...(kinds.has("members") ? [say("every member")] : []),
    ...(kinds.has("admins") ? [say(forms.admins)] : []),
    ...names,
  ];
};

const NOBODY: Label =
  "PARLEY_APPROVERS lists nobody on this platform, so nobody can approve here. The operator can change this setting.";

export const ownRequestText = (direct: boolean): Label =>
  direct
    ? "You can't approve your own request (two-person rule). The operator has to decide, in the console."
    : "You can't approve your own request here (two-person rule). Another approver has to decide.";

/** `first`: null if there is no decision. */
export const decidedText = (
  first: { readonly choice: Choice | undefined; readonly by: string; readonly at: number | undefined } | null,
  say: Say,
): string => {
  if (first === null)
    return say(
      "This question is closed: the turn was stopped, changes were requested, or its content has changed. Use the newest card.",
    );
  const { choice, by, at } = first;
  const decided = say(choice === undefined ? "decided" : PAST[choice]);
  return at === undefined
    ? say("Already {decided} by {by}.", { decided, by })
    : say("Already {decided} by {by} at {time}.", { decided, by, time: clockTime(at) });
};

const PAST: Readonly<Record<Choice, Label>> = { ...DECISION_LABELS, switch: "decided", branch: "decided" };

export const momentText = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;

export const clockTime = (at: number): string => `${new Date(at).toISOString().slice(11, 16)} UTC`;

const dayTime = (at: number): string => `${new Date(at).toISOString().slice(0, 10)}, ${clockTime(at)}`;

export const statusText = (
  { conversation, state }: Overview,
  waiting: string | null,
  guidance: readonly Guidance[],
  setUp: SetupState | null,
  say: Say,
): string => {
  const { permission, writes, confinement, mode, model, context, phase, safeMode } = state;
  const percent = context.window === 0 ? 0 : Math.round((100 * context.used) / context.window);
  const { instructions } = conversation;
  return [
    [
      `${heldText(permission, writes, say)}${confinement === "enforced" ? "" : ` ${say("(no sandbox on this host)")}`}`,
      say("mode {mode}", { mode }),
      say(safeMode ? "safe mode on" : "safe mode off"),
    ].join(" · "),
    say("Model {model} · context {percent} % of {window} tokens", { model, percent, window: context.window }),
    ...repositoryLines(conversation, say),
    ...guidance.map((one) => guidanceText(one, say)),
    ...(setUp === null ? [] : [setUpStandingText(setUp, say)]),
    ...(instructions === undefined ? [] : [instructionsText(instructions, say)]),
    waiting ?? phaseText(phase, say),
  ].join("\n");
};

const heldText = (permission: Permission, writes: string | undefined, say: Say): string => {
  if (permission === "restricted") return say("Restricted");
  return writes === undefined ? say("Unrestricted") : say("Unrestricted in {folder}/", { folder: writes });
};

const at = ({ commit, ref }: { readonly commit: string; readonly ref: string }): string =>
  ` at ${commit.slice(0, 9)} (${ref})`;

const repositoryLines = (conversation: Overview["conversation"], say: Say): readonly string[] => {
  const { base, repo } = conversation;
  const folders = foldersOf(conversation);
  const missing = (base?.missing ?? []).map(({ name, why }) =>
    say("{folder}/ is missing here: {why}", { folder: name, why }),
  );
  return folders.length > 0
    ? [...folders.map((one) => `${one.name}/: ${one.repo.location}${at(one)}`), ...missing]
    : [`${repo.location}${base === null ? "" : at(base)}`, ...missing];
};

const guidanceText = ({ path, size, isCut }: Guidance, say: Say): string =>
  say(
    isCut
      ? "Repository guidance at that commit: {path}, {size} bytes; the agent reads only the first 16 KB."
      : "Repository guidance at that commit: {path}, {size} bytes.",
    { path, size: size.toLocaleString(say.language) },
  );

const setUpStandingText = (setUp: SetupState, say: Say): string => {
  if (setUp.kind === "unusable") return say("Setup (.parley/setup.sh): not run. {why}", { why: setUp.why });
  const state = setUpState(setUp, say);
  return say("Setup {name} (.parley/setup.sh): {state}", { name: setUp.name, state });
};

const setUpState = (setUp: Exclude<SetupState, { readonly kind: "unusable" }>, say: Say): string => {
  switch (setUp.kind) {
    case "running":
      return setUp.since === null
        ? say("waits for other setups to end.")
        : say("runs since {time}.", { time: clockTime(setUp.since) });
    case "prepared":
      return say("prepared at {commit} on {time}, in {seconds} s.", {
        commit: setUp.commit.slice(0, 9),
        time: dayTime(setUp.at),
        seconds: setUp.seconds,
      });
    case "failed": {
      const { why, log } = setUp.failure;
      const failed = say("failed at {time}: {why}", { time: clockTime(setUp.at), why });
      return log === undefined ? failed : `${failed} ${say("Log: {log}", { log })}`;
    }
    case "missing":
      return say("not prepared; the next new thread runs the setup.");
  }
};

const instructionsText = ({ text, by }: Instructions, say: Say): string =>
  say(
    "Channel instructions when this conversation started: {size} bytes, set by {by}. `instructions` shows the current ones.",
    { size: Buffer.byteLength(text).toLocaleString(say.language), by },
  );

export const phaseText = (phase: Phase, say: Say): string => {
  if (phase.kind !== "awaitingAgents") return say(PHASES[phase.kind]);
  const done = phase.agents.filter(({ end }) => end !== null).length;
  return `${say(PHASES.awaitingAgents)} ${say("{done} of {count} are done.", { done, count: phase.agents.length })}`;
};

type Phase = Overview["state"]["phase"];

const PHASES: Readonly<Record<Phase["kind"], Label>> = {
  idle: "Waiting for a message.",
  thinking: "Thinking.",
  running: "Running a tool.",
  awaitingApproval: "Waiting for an answer to the agent's question.",
  awaitingAgents: "Waiting for sub-agents.",
  stopping: "Stopping.",
  ended: "A sub-agent that has ended.",
  summarizing: "Writing the summary for the new thread.",
  exhausted: "Ended: this conversation takes no more messages. Use `continue` to move on to a new thread.",
  failed: "The last turn failed; `retry` tries again.",
};
