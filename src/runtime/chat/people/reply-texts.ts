/** Texts for one person, or for a thread outside of turns. Every sentence says what to do next. Pure. */

import type { ModelNames } from "../../../ports/model.ts";
import type { Choice, Permission } from "../../../machine/words.ts";
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
  guest: "Guests cannot give me work here. Ask a member of this workspace to.",
  external: "Only members of the workspace that runs me can give me work here. Ask one of them to.",
  bot: "This account cannot give me work. Ask a member of this workspace to.",
  deactivated: "This account cannot give me work. Ask a member of this workspace to.",
};

export const unreadPersonText = (why: string, say: Say): string =>
  say("I could not read who you are ({why}), so nothing was done. Please try again in a moment.", { why });

export const elsewhereText: Label =
  "I am not enabled in this channel. Ask the person who runs me, or use another one.";

export const pickText = (choices: readonly string[], admin: boolean): Label => {
  if (choices.length === 0)
    return "This channel has no repository yet, and this host lists none that could be picked. An admin names one with `/parley repo owner/name`; its operator lists them in PARLEY_REPOS.";
  return admin
    ? "No repository is chosen for this channel yet. Pick one and I answer here."
    : "No repository is chosen for this channel yet. An admin picks one and I answer here.";
};

export const mayNotBindText: Label = "Only admins choose the repository of a channel. Ask one of them.";

export const boundText = (name: string, by: string, say: Say): string =>
  say("This channel works on {repo}, chosen by {by}.", { repo: name, by });

/** `unknown`: a requested mode that does not exist. */
export const modesText = (
  modes: readonly { readonly key: string; readonly whenToUse: string }[],
  unknown: string | null,
  say: Say,
): string =>
  [
    unknown === null ? say("Work modes:") : say('There is no mode "{mode}". There are:', { mode: unknown }),
    ...modes.map(({ key, whenToUse }) => `\`mode ${key}\`: ${say.stored(whenToUse)}`),
    say(
      "What tools may do is no work mode: `mode restricted` takes write access and network away, `mode unrestricted` asks the approvers for them.",
    ),
  ].join("\n");

/** Help of `model`. `unknown`: a requested name that does not exist. */
export const modelsText = ({ all }: ModelNames, unknown: string | null, say: Say): string =>
  [
    ...(unknown === null ? [] : [say('There is no model "{model}".', { model: unknown })]),
    say(
      all.length === 1
        ? "There is {models}: `model NAME` in a thread changes who answers there, `/parley model NAME` what a channel's conversations begin with (`none`: the usual one)."
        : "There are {models}: `model NAME` in a thread changes who answers there, `/parley model NAME` what a channel's conversations begin with (`none`: the usual one).",
      { models: all.map((name) => `\`${name}\``).join(", ") },
    ),
  ].join(" ");

/** Formats untrusted text as code that the text cannot end. */
export const replyCode = (text: string): string => `\`${text.replaceAll(/[`\n]/g, "'")}\``;

export const storageText = (message: string, say: Say): string =>
  say("This could not be stored, so nothing was done: {why}. Please try again.", {
    why: say.stored(message),
  });

export const unknownThreadText: Label =
  "This belongs to a conversation that this host does not know any more. Start a new one with a mention.";

type Named = Pick<ChatDeps, "policy" | "forms" | "say">;

export const approversText = (deps: Named, names: readonly string[]): string => {
  const all = approversOf(deps, names);
  const { say } = deps;
  return all.length === 0 ? say(NOBODY) : say("May approve here: {who}.", { who: all.join(", ") });
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
  "Nobody of this platform is named in PARLEY_APPROVERS, so nobody here may approve. The operator can change that.";

export const ownRequestText = (direct: boolean): Label =>
  direct
    ? "Your own turn asked for this, and two people are needed here: the operator has to decide, in the console."
    : "Your own turn asked for this, and two people are needed here: somebody else who may approve has to decide.";

/** `first`: null if there is no decision. */
export const decidedText = (
  first: { readonly choice: Choice | undefined; readonly by: string; readonly at: number | undefined } | null,
  say: Say,
): string => {
  if (first === null)
    return say(
      "This question is no longer open: its turn was stopped, changes were asked for, or what it showed has changed. The newest card counts.",
    );
  const { choice, by, at } = first;
  const decided = say(choice === undefined ? "decided" : PAST[choice]);
  return at === undefined
    ? say("Already {decided} by {by}.", { decided, by })
    : say("Already {decided} by {by} at {time}.", { decided, by, time: clockTime(at) });
};

const PAST: Readonly<Record<Choice, Label>> = { ...DECISION_LABELS, switch: "decided", branch: "decided" };

/** Formats to the minute in UTC, independent of the reader's time zone. */
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
      ? "Guidance of the repository at that commit: {path}, {size} bytes, of which the first 16 KB are told."
      : "Guidance of the repository at that commit: {path}, {size} bytes.",
    { path, size: size.toLocaleString(say.language) },
  );

const setUpStandingText = (setUp: SetupState, say: Say): string => {
  if (setUp.kind === "unusable") return say("Set-up (.parley/setup.sh): not run. {why}", { why: setUp.why });
  const state = setUpState(setUp, say);
  return say("Set-up {name} (.parley/setup.sh): {state}", { name: setUp.name, state });
};

const setUpState = (setUp: Exclude<SetupState, { readonly kind: "unusable" }>, say: Say): string => {
  switch (setUp.kind) {
    case "running":
      return setUp.since === null
        ? say("waits for others to end.")
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
      return log === undefined ? failed : `${failed} ${say("Its log: {log}", { log })}`;
    }
    case "missing":
      return say("not prepared; the next thread that begins runs it.");
  }
};

const instructionsText = ({ text, by }: Instructions, say: Say): string =>
  say(
    "Instructions of this channel as it began: {size} bytes, set by {by}; `instructions` shows those of today.",
    { size: Buffer.byteLength(text).toLocaleString(say.language), by },
  );

const phaseText = (phase: Phase, say: Say): string => {
  if (phase.kind !== "awaitingAgents") return say(PHASES[phase.kind]);
  const done = phase.agents.filter(({ end }) => end !== null).length;
  return `${say(PHASES.awaitingAgents)} ${say("{done} of {count} are done.", { done, count: phase.agents.length })}`;
};

type Phase = Overview["state"]["phase"];

const PHASES: Readonly<Record<Phase["kind"], Label>> = {
  idle: "Waiting for a message.",
  thinking: "Thinking.",
  running: "Running a tool.",
  awaitingApproval: "Waiting for an answer to its question.",
  awaitingAgents: "Waiting for sub-agents.",
  stopping: "Stopping.",
  ended: "A sub-agent that has ended.",
  summarizing: "Writing the summary with which a new thread goes on.",
  exhausted: "Ended: it takes no more messages, and goes on in a new thread (`continue`).",
  failed: "The last turn failed; `retry` tries again.",
};
