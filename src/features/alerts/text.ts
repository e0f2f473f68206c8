import type { AlertFacts } from "../../ports/alerts.ts";
import { momentText } from "../../runtime/chat/people/reply-texts.ts";
import { dollars } from "../../text/dollars.ts";
import { QUESTION_SUBJECTS, capitalize } from "../../thread/wording.ts";
import { type AlertRow, inHost } from "./ports.ts";

export const alertStartedText = ({ host, facts }: Pick<AlertRow, "host" | "facts">): string =>
  inHost(host, beganText(facts));

/** `isGone`: the host that the alert concerns has left. */
export const alertEndedText = (
  { host, facts }: Pick<AlertRow, "host" | "facts">,
  isGone: boolean,
): string | null => {
  const over = overText(facts);
  if (over === null) return null;
  return inHost(
    host,
    isGone ? `This host has left the cluster, so this alert is closed: ${beganText(facts)}` : over,
  );
};

export const beganText = (facts: AlertFacts): string => {
  switch (facts.kind) {
    case "sandbox": {
      const { from, to, frozen } = facts;
      const held = frozen === 0 ? "" : ` Affected conversations: ${frozen}.`;
      return `The sandbox is weaker than before: tier ${to}, previously ${from}.${held} Run npm run doctor to see the cause.`;
    }
    case "stronger":
      return `The sandbox is stronger than before: tier ${facts.to}, previously ${facts.from}.`;
    case "surface":
      return `${capitalize(facts.surface)} is ${facts.why}`;
    case "disk":
      return `The disk of the data directory is nearly full: ${size(facts.free)} left. Free space, or Parley cannot store anything new.`;
    case "writes":
      return `${WRITES[facts.code]} Until it accepts writes again, nobody can send messages or decide questions.`;
    case "budget":
      return facts.share === 100
        ? `The day's budget of ${dollars(facts.most)} is used up. Parley calls models again when the budget renews at 00:00 UTC, or when you raise the budget.`
        : `${facts.share} % of the day's budget of ${dollars(facts.most)} is spent.`;
    case "question":
      return `A question has waited since ${momentText(facts.askedAt)}: ${facts.type === "answer" ? HELD : QUESTION_SUBJECTS[facts.type]}, in ${facts.conversation} (${facts.surface}). Decide it in the console, under Status.`;
    case "forge":
      return `${facts.forge} refuses the configured credential: it has expired or was revoked. Put a new credential into the file that PARLEY_FORGES names, and restart Parley. npm run doctor tests the credential.`;
    case "fault":
      return `A post in ${facts.conversation} (${capitalize(facts.surface)}) could not be rendered and was sent as plain text. This is an error in Parley; the log has the details.`;
    case "watch":
      return `The watch ${facts.watch} is paused by the limit ${BOUNDS[facts.bound]}. New events wait in the queue of the watch; \`/parley watches\` shows the queue.`;
    case "postsLeft":
      return `The watch ${facts.watch} left out posts of people because of its limit ${LEFT[facts.bound]}: ${facts.count} within a minute. It leaves out further posts until the limit allows more, and reads none of them later. \`/parley watches\` shows the limits.`;
    case "watchJoined":
      return `Parley joined the new public channel ${facts.place} on ${capitalize(facts.surface)}, because the watch ${facts.watch} covers channels with such names. Remove Parley from the channel if nobody should be watched there.`;
    case "watchOff":
      return `The watch ${facts.watch} is off after three consecutive failures: ${facts.why} \`/parley watch ${facts.watch} resume\` turns the watch on again.`;
    case "review":
      return `Answers wait for review, but Parley cannot post in the maintainers' channel (${facts.place} on ${capitalize(facts.surface)}): ${facts.why}. Invite Parley to that channel, or choose another one with \`/parley review on\` in the channel of the questions. Until then the console shows the answers.`;
    case "missed":
      return `Parley was not connected to ${capitalize(facts.surface)} for a while and did not read ${missedText(facts)}. Mentions there from that time have no answer. Their authors can mention Parley again.`;
    case "model":
      return MODEL[facts.why];
  }
};

export const overText = (facts: AlertFacts): string | null => {
  switch (facts.kind) {
    case "sandbox":
      return `The sandbox is as strong as before: tier ${facts.from}.`;
    case "stronger":
    case "fault":
    case "missed":
    case "postsLeft":
    case "watchJoined":
      return null;
    case "surface":
      return `${capitalize(facts.surface)} works again.`;
    case "disk":
      return "The disk of the data directory has enough space again.";
    case "writes":
      return "The database accepts writes again.";
    case "budget":
      return facts.share === 100 ? "The day's budget is available again." : null;
    case "question":
      return `The question in ${facts.conversation} (${facts.surface}) no longer waits.`;
    case "forge":
      return `${facts.forge} accepts the configured credential again.`;
    case "watch":
      return `The watch ${facts.watch} runs again, and the queue is empty.`;
    case "watchOff":
      return `The watch ${facts.watch} is on again.`;
    case "review":
      return `Parley can post in the maintainers' channel (${facts.place} on ${capitalize(facts.surface)}) again.`;
    case "model":
      return "The model answers again.";
  }
};

const missedText = ({ channels, threads }: AlertFacts & { kind: "missed" }): string =>
  [
    ...(channels === 0 ? [] : [`${channels} channels without an earlier question`]),
    ...(threads === 0 ? [] : [`threads older than the latest ${threads}`]),
  ].join(" and ");

const HELD = "an answer that waits for a maintainer";

const BOUNDS = { hour: "for threads per hour", money: "for today's money" } as const;

const LEFT = {
  posts: "for posts per hour",
  threads: "for threads per hour",
  looks: "for today's money of first looks",
  money: "for today's money",
  author: "for one author",
} as const;

const WRITES: Readonly<Record<(AlertFacts & { kind: "writes" })["code"], string>> = {
  disk_full: "The database refuses writes: the disk of the data directory is full.",
  read_only: "The database refuses writes: the data directory is read-only.",
  io: "The database refuses writes: the disk of the data directory reports errors.",
  conflict: "The database refuses writes.",
  closing: "The database refuses writes.",
};

const MODEL: Readonly<Record<(AlertFacts & { kind: "model" })["why"], string>> = {
  auth: "The model's provider refuses the key: check ANTHROPIC_API_KEY.",
  billing: "The model's provider refuses the account: check the billing.",
  not_found: "The model's provider has no such model: check PARLEY_MODEL.",
};

const size = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
