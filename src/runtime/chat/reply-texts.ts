/** What the host says to one person or in a thread outside of turns. Every sentence says what to do next. Pure. */

import type { ModelNames } from "../../ports/model.ts";
import type { Choice } from "../../machine/words.ts";
import type { Overview } from "../../ports/bot.ts";
import type { Thumb } from "../../ports/answers/feedback.ts";
import type { Guidance, Instructions } from "../../ports/channels.ts";
import type { Person } from "../../ports/chat-platform.ts";
import { foldersOf } from "../../ports/conversation.ts";
import type { SetUpStanding } from "../../ports/workspaces.ts";
import { durationText } from "../../thread/wording.ts";
import type { Policy } from "./commands/rights.ts";

export const helpText = (mention: string, surface: string): string =>
  [
    `Mention ${mention} with a question or a task; in a thread of your own, plain replies will do.`,
    `In a thread: \`${mention} stop\` · \`status\` · \`restrict\` · \`retry\` · \`continue\` · \`repo\` · \`mode NAME\` · \`model NAME\` · \`safe-mode on|off\` · \`budget\` · \`instructions\` · \`tools\` · \`rename: NAME\` · \`archive\` · \`delete\` · \`help\`.`,
    `\`rename: NAME\` is what the console's list calls the conversation. ${threadNameText(surface)}`,
    "`mode unrestricted` asks the approvers for write access, `mode restricted` takes it away like `restrict`.",
    "A :x: reaction stops too. Approve and Deny are buttons below a question; 👍, 👎 and Solved, below an answer, are counted without your name.",
  ].join("\n");

export const threadNameText = (surface: string): string => THREAD_NAMES[surface] ?? "";

const THREAD_NAMES: Readonly<Record<string, string>> = {
  slack: "Slack threads have no names, so nothing changes in the thread.",
  discord:
    "A thread that I opened takes the name too (at most twice in ten minutes, as Discord has it); one that a person made keeps its own.",
};

export const nearText = (mention: string, typed: string, meant: string): string =>
  `Did you mean \`${mention} ${meant}\`? "${typed}" is no command; to say it to me, write a whole sentence.`;

export const hintText = (mention: string): string =>
  `More than one person writes in this thread, so I only take messages that mention ${mention}. Yours was not taken. You are told this once.`;

export const strangerText = (standing: Exclude<Person["standing"], "member">): string => {
  switch (standing) {
    case "guest":
      return "Guests cannot give me work here. Ask a member of this workspace to.";
    case "external":
      return "Only members of the workspace that runs me can give me work here. Ask one of them to.";
    case "bot":
    case "deactivated":
      return "This account cannot give me work. Ask a member of this workspace to.";
  }
};

export const unreadPersonText = (why: string): string =>
  `I could not read who you are (${why}), so nothing was done. Please try again in a moment.`;

export const unplacedText = (why: string): string =>
  `I could not read where your message stands (${why}), so nothing was done. Please send it again in a moment.`;

export const rateText = (most: number, wait: number): string =>
  `You have asked ${most} times within an hour, which is what anybody may. Ask again in ${durationText(wait)}, or ask somebody who may approve here.`;

export const elsewhereText =
  "I am not enabled in this channel. Ask the person who runs me, or use another one.";

export const pickText = (choices: readonly string[], admin: boolean): string =>
  choices.length === 0
    ? "This channel has no repository yet, and this host lists none that could be picked. An admin names one with `/parley repo owner/name`; its operator lists them in PARLEY_REPOS."
    : admin
      ? "No repository is chosen for this channel yet. Pick one and I answer here."
      : "No repository is chosen for this channel yet. An admin picks one and I answer here.";

export const unreadTagsText = (why: string): string =>
  `Which version this is about could not be read from the tags here (${why}). Ask again in a while.`;

export const mayNotBindText = "Only admins choose the repository of a channel. Ask one of them.";

export const boundText = (name: string, by: string): string =>
  `This channel works on ${name}, chosen by ${by}.`;

/** `unknown`: what was asked for and is none of them. */
export const modesText = (
  modes: readonly { readonly key: string; readonly whenToUse: string }[],
  unknown: string | null,
): string =>
  [
    unknown === null ? "Work modes:" : `There is no mode "${unknown}". There are:`,
    ...modes.map(({ key, whenToUse }) => `\`mode ${key}\`: ${whenToUse}`),
    "What tools may do is no work mode: `mode restricted` takes write access and network away, `mode unrestricted` asks the approvers for them.",
  ].join("\n");

/** What `model` takes; `unknown`: a name that is none. */
export const modelsText = ({ all }: ModelNames, unknown: string | null): string =>
  [
    ...(unknown === null ? [] : [`There is no model "${unknown}".`]),
    `There ${all.length === 1 ? "is" : "are"} ${all.map((name) => `\`${name}\``).join(", ")}: \`model NAME\` in a thread changes who answers there, \`/parley model NAME\` what a channel's conversations begin with (\`none\`: the usual one).`,
  ].join(" ");

/** To a message that came meanwhile (D7); `name`: of whoever asked. */
export const stillWorkingText = (name: string | null, since: number): string =>
  `I am still working on ${name === null ? "another" : `@${name}'s`} question (${durationText(since)}), so yours was not taken.`;

/** Of a private reply that cannot be looked for: it may have been given before the host was restarted. */
export const againText = (text: string): string => `${text} (You may have been told this already.)`;

export const endedText = (link: string): string =>
  `Context exhausted: this conversation takes no more messages. It goes on here: ${link}`;

export const waitingText = (lines: readonly string[], hidden: number): string =>
  lines.length === 0 && hidden === 0
    ? "No question waits for an answer."
    : [
        ...(lines.length === 0 ? [] : ["Waiting for an answer:", ...lines]),
        ...(hidden === 0
          ? []
          : [`${hidden} more in private channels and direct messages: ask there with \`/parley pending\`.`]),
      ].join("\n");

export const slashHelpText = (mention: string, surface: string): string =>
  [
    "`/parley ask QUESTION` opens a thread here · `/parley repo [owner/name[@branch-or-tag]]` shows or chooses this channel's repository, `repo add owner/name [as NAME]` and `repo remove NAME` make it several · `/parley status` · `/parley pending` lists what waits for an answer · `/parley approvers [add|remove @person]` shows who may approve, or names somebody for this channel · `/parley mode` lists the work modes · `/parley default-mode [NAME|none]` shows or sets the one that conversations here begin in · `/parley model [NAME|none]` shows or sets the model that they begin with · `/parley budget [channel|server|@person DOLLARS]` shows or sets what may be spent · `/parley instructions [TEXT|clear]` shows or sets what conversations of this channel are told · `/parley tools [add|remove NAME]` shows or sets which MCP servers may be used · `/parley knowledge [add|remove|refresh SOURCE]` shows or sets what conversations know beside the checkout · `/parley digest [on|off|now]` shows or sets whether this channel is told every week how questions went · `/parley review [on #channel|off]` shows or sets whether somebody looks at answers here, in that channel, before they are posted · `/parley watches` lists what begins threads here by itself · `/parley every WHEN: TEXT` and `/parley watch hook NAME|github|gitlab: WHAT TO DO` add to it, `/parley unwatch NAME` takes away · `/parley help`",
    helpText(mention, surface),
  ].join("\n");

export const placeStatusText = (repo: string | null, waiting: number): string =>
  [
    repo === null
      ? "No repository is chosen here: `/parley repo owner/name`."
      : `This channel works on ${repo}.`,
    waiting === 0 ? "No question waits for an answer." : `${waiting} questions wait: \`/parley pending\`.`,
  ].join("\n");

export const storageText = (message: string): string =>
  `This could not be stored, so nothing was done: ${message}. Please try again.`;

export const thumbText = (thumb: Thumb | null): string => {
  switch (thumb) {
    case "up":
      return "Counted: this answer helped. Press 👍 again to take it back.";
    case "down":
      return "Counted: this answer did not help. Press 👎 again to take it back. A word on what was wrong helps to make it better.";
    case null:
      return "Your vote is taken back.";
  }
};

export const reasonText = "Thank you. Maintainers read that, without your name.";

export const noReasonText = "The form did not open in time. Please press *Say why* again.";

export const solvedText = "Marked as solved. Whoever asks on here opens it again.";

export const notAskerText = "Only whoever asked, or somebody who may approve, marks a question as solved.";

export const unknownThreadText =
  "This belongs to a conversation that this host does not know any more. Start a new one with a mention.";

/** As people of a platform know them, where that is otherwise. */
const ADMINS: Readonly<Record<string, string>> = { discord: "members who manage this server" };

export const approversText = (policy: Policy, names: readonly string[]): string => {
  const all = approversOf(policy, names);
  return all.length === 0 ? NOBODY : `May approve here: ${all.join(", ")}.`;
};

export const mayNotDecideText = (policy: Policy, names: readonly string[]): string => {
  const all = approversOf(policy, names).join(", ");
  return `You can't decide this. ${all === "" ? NOBODY : `${all.slice(0, 1).toUpperCase()}${all.slice(1)} can.`}`;
};

const approversOf = ({ surface, approvers }: Policy, names: readonly string[]): readonly string[] => {
  const kinds = new Set(approvers.map(({ kind }) => kind));
  return [
    ...(kinds.has("members") ? ["every member"] : []),
    ...(kinds.has("admins") ? [ADMINS[surface] ?? "owners and admins"] : []),
    ...names,
  ];
};

const NOBODY =
  "Nobody of this platform is named in PARLEY_APPROVERS, so nobody here may approve. The operator can change that.";

export const ownRequestText = (direct: boolean): string =>
  `Your own turn asked for this, and two people are needed here: ${direct ? "the operator has to decide, in the console" : "somebody else who may approve has to decide"}.`;

export const decidedText = (choice: Choice | null, by: string | null, at: number | null): string =>
  by === null
    ? "This question is no longer open: its turn was stopped, changes were asked for, or what it showed has changed. The newest card counts."
    : `Already ${choice === null ? "decided" : DECIDED[choice]} by ${by}${at === null ? "" : ` at ${clockTime(at)}`}.`;

const DECIDED: Readonly<Record<Choice, string>> = {
  approve: "approved",
  deny: "denied",
  once: "allowed once",
  session: "allowed for this thread",
  stay: "declined",
  switch: "decided",
  branch: "decided",
  apply: "approved",
  pull_request: "approved as a pull request",
  changes: "sent back for changes",
  discard: "discarded",
  send: "sent",
  edit: "edited and sent",
};

export const clockTime = (at: number): string => `${new Date(at).toISOString().slice(11, 16)} UTC`;

const dayTime = (at: number): string => `${new Date(at).toISOString().slice(0, 10)}, ${clockTime(at)}`;

export const statusText = (
  { conversation, state }: Overview,
  waiting: string | null,
  guidance: readonly Guidance[] = [],
  setUp: SetUpStanding | null = null,
): string => {
  const { permission, writes, confinement, mode, model, context, phase, safeMode } = state;
  const percent = context.window === 0 ? 0 : Math.round((100 * context.used) / context.window);
  const { instructions } = conversation;
  return [
    `${permission === "restricted" ? "Restricted" : `Unrestricted${writes === undefined ? "" : ` in ${writes}/`}`}${confinement === "enforced" ? "" : " (no sandbox on this host)"} · mode ${mode} · safe mode ${safeMode ? "on" : "off"}`,
    `Model ${model} · context ${percent} % of ${context.window} tokens`,
    ...repositoryLines(conversation),
    ...guidance.map(guidanceText),
    ...(setUp === null ? [] : [setUpStandingText(setUp)]),
    ...(instructions === undefined ? [] : [instructionsText(instructions)]),
    waiting ?? phaseText(phase),
  ].join("\n");
};

const at = ({ commit, ref }: { readonly commit: string; readonly ref: string }): string =>
  ` at ${commit.slice(0, 9)} (${ref})`;

const repositoryLines = (conversation: Overview["conversation"]): readonly string[] => {
  const { base, repo } = conversation;
  const folders = foldersOf(conversation);
  const missing = (base?.missing ?? []).map(({ name, why }) => `${name}/ is missing here: ${why}`);
  return folders.length > 0
    ? [...folders.map((one) => `${one.name}/: ${one.repo.location}${at(one)}`), ...missing]
    : [`${repo.location}${base === null ? "" : at(base)}`, ...missing];
};

const guidanceText = ({ path, size, isCut }: Guidance): string =>
  `Guidance of the repository at that commit: ${path}, ${size.toLocaleString("en-US")} bytes${isCut ? ", of which the first 16 KB are told" : ""}.`;

const setUpStandingText = (setUp: SetUpStanding): string => {
  switch (setUp.kind) {
    case "running":
      return `Set-up ${setUp.name} (PARLEY_SETUP): ${setUp.since === null ? "waits for others to end" : `runs since ${clockTime(setUp.since)}`}.`;
    case "prepared":
      return `Set-up ${setUp.name} (PARLEY_SETUP): prepared at ${setUp.commit.slice(0, 9)}${setUp.at === null ? "" : ` on ${dayTime(setUp.at)}`}, in ${setUp.seconds} s.`;
    case "failed": {
      const { why, log } = setUp.failure;
      return `Set-up ${setUp.name} (PARLEY_SETUP): failed at ${clockTime(setUp.at)}: ${why}${log === undefined ? "" : ` Its log: ${log}`}`;
    }
    case "unusable":
      return `Set-up (PARLEY_SETUP): not run. ${setUp.why}`;
    case "missing":
      return `Set-up ${setUp.name} (PARLEY_SETUP): not prepared; the next thread that begins runs it.`;
  }
};

const instructionsText = ({ text, by }: Instructions): string =>
  `Instructions of this channel as it began: ${Buffer.byteLength(text).toLocaleString("en-US")} bytes, set by ${by}; \`instructions\` shows those of today.`;

const phaseText = (phase: Phase): string => {
  if (phase.kind !== "awaitingAgents") return PHASES[phase.kind];
  const done = phase.agents.filter(({ end }) => end !== null).length;
  return `${PHASES.awaitingAgents} ${done} of ${phase.agents.length} are done.`;
};

type Phase = Overview["state"]["phase"];

const PHASES: Readonly<Record<Phase["kind"], string>> = {
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
