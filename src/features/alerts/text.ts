/** Text of alerts: the problem and its remedy in a sentence or two, and its end. Pure. */

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
    isGone ? `This host has left, and with it what was told of it: ${beganText(facts)}` : over,
  );
};

export const beganText = (facts: AlertFacts): string => {
  switch (facts.kind) {
    case "sandbox": {
      const { from, to, frozen } = facts;
      const held = frozen === 0 ? "" : ` ${frozen} conversations that it held are affected.`;
      return `The sandbox holds less than it did: tier ${to}, before ${from}.${held} npm run doctor says what is missing.`;
    }
    case "stronger":
      return `The sandbox holds more than it did: tier ${facts.to}, before ${facts.from}.`;
    case "surface":
      return `${capitalize(facts.surface)} is ${facts.why}`;
    case "disk":
      return `The disk of the data directory is nearly full: ${size(facts.free)} left. Make room, or nothing new can be stored.`;
    case "writes":
      return `${WRITES[facts.code]} Nothing can be said or decided until it takes writes again.`;
    case "budget":
      return facts.share === 100
        ? `The day's budget of ${dollars(facts.most)} is used up. Models are asked again when it renews at 00:00 UTC, or when you raise it.`
        : `${facts.share} % of the day's budget of ${dollars(facts.most)} are spent.`;
    case "question":
      return `A question has waited since ${momentText(facts.askedAt)}: ${facts.type === "answer" ? HELD : QUESTION_SUBJECTS[facts.type]}, in ${facts.conversation} (${facts.surface}). The console has it under Status.`;
    case "forge":
      return `${facts.forge} refuses the credential that is set for it: it has ended or was revoked. Put another into the file that PARLEY_FORGES names, and restart; npm run doctor tries it.`;
    case "fault":
      return `A post in ${facts.conversation} (${capitalize(facts.surface)}) could not be put into its form and went out as plain text. The fault is Parley's; its log says where.`;
    case "watch":
      return `The watch ${facts.watch} is paused by its bound ${BOUNDS[facts.bound]}. What it hears waits in its queue; \`/parley watches\` shows it.`;
    case "watchOff":
      return `The watch ${facts.watch} is off after three failures in a row: ${facts.why} \`/parley watch ${facts.watch} resume\` turns it on again.`;
    case "review":
      return `Answers wait for maintainers, and the channel in which they look at them (${facts.place} on ${capitalize(facts.surface)}) cannot be written: ${facts.why}. Invite Parley to it, or name another one with \`/parley review on\` where the answers are asked for. The console shows them meanwhile.`;
    case "missed":
      return `Parley was not connected to ${capitalize(facts.surface)} for a while and did not read ${missedText(facts)}. A mention there from that time has no answer. Its author can mention Parley again.`;
    case "model":
      return MODEL[facts.why];
  }
};

export const overText = (facts: AlertFacts): string | null => {
  switch (facts.kind) {
    case "sandbox":
      return `The sandbox holds again what it did: tier ${facts.from}.`;
    case "stronger":
    case "fault":
    case "missed":
      return null;
    case "surface":
      return `The trouble with ${capitalize(facts.surface)} is over.`;
    case "disk":
      return "The disk of the data directory has room again.";
    case "writes":
      return "The database takes writes again.";
    case "budget":
      return facts.share === 100 ? "The day's budget has room again." : null;
    case "question":
      return `The question in ${facts.conversation} (${facts.surface}) waits no more.`;
    case "forge":
      return `${facts.forge} takes the credential that is set for it.`;
    case "watch":
      return `The watch ${facts.watch} goes on: its queue is empty.`;
    case "watchOff":
      return `The watch ${facts.watch} is on again.`;
    case "review":
      return `The channel in which maintainers look at answers (${facts.place} on ${capitalize(facts.surface)}) can be written again.`;
    case "model":
      return "The model answers again.";
  }
};

const missedText = ({ channels, threads }: AlertFacts & { kind: "missed" }): string =>
  [
    ...(channels === 0 ? [] : [`${channels} channels in which nobody has used it yet`]),
    ...(threads === 0 ? [] : [`threads other than the latest ${threads}`]),
  ].join(" and ");

const HELD = "an answer, held for a maintainer";

const BOUNDS = { hour: "of threads within an hour", money: "of money for today" } as const;

const WRITES: Readonly<Record<(AlertFacts & { kind: "writes" })["code"], string>> = {
  disk_full: "The database refuses writes: the disk of the data directory is full.",
  read_only: "The database refuses writes: the data directory is read-only.",
  io: "The database refuses writes: the disk of the data directory answers with errors.",
  conflict: "The database refuses writes.",
  closing: "The database refuses writes.",
};

const MODEL: Readonly<Record<(AlertFacts & { kind: "model" })["why"], string>> = {
  auth: "The model's provider refuses the key: check ANTHROPIC_API_KEY.",
  billing: "The model's provider refuses the account: check its billing.",
  not_found: "The model's provider does not know the model: check PARLEY_MODEL.",
};

const size = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
