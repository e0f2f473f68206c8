/**
 * Texts of the host in a thread. Pure. They contain no text of a model or person, except escaped names and
 * tool inputs as code.
 */

import type { Permission } from "../../src/machine/vocabulary.ts";
import { type Conversation, foldersOf, reposOf } from "../../src/ports/conversation.ts";
import { ATTEMPTS } from "../../src/machine/retry.ts";
import type { Progress } from "../../src/ports/surface.ts";
import type { ThreadOpening } from "../../src/ports/threads.ts";
import type { PostBody } from "../../src/thread/post.ts";
import type { Formatter, NameFormatter } from "../../src/thread/formatter.ts";
import { originText } from "../../src/thread/continuation-wording.ts";
import { decimal, durationText } from "../../src/thread/durations.ts";
import { andMore } from "../../src/thread/owners.ts";
import { capitalize } from "../../src/thread/wording.ts";
import { BADGES } from "../../src/thread/step-list.ts";
import { waitingText } from "../../src/thread/waiting-text.ts";
import type { Say } from "../../src/i18n/say.ts";
import { commitLink } from "../text/permalink.ts";
import type { Dialect } from "./dialect.ts";

/** Describes the rights of tools. `allowed`: description of the writable places. */
export const pendingReviewText = (
  permission: Permission,
  allowed: string,
  bold: Dialect["bold"],
  say: Say,
): string =>
  permission === "restricted"
    ? say("{permission}: tools can only read the checkout and have no network.", {
        permission: bold(say("Restricted")),
      })
    : `${bold(say("Unrestricted"))}: ${allowed}`;

export const turnFacts = (
  { usage, model, permission, duration, context, notes = 0 }: PostBody & { readonly kind: "footer" },
  commit: string | null,
  { plain, say }: Pick<Formatter, "plain" | "say">,
): readonly string[] => {
  const tokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
  return [
    say(BADGES[permission]),
    plain(model),
    say("{count} tokens", { count: tokens.toLocaleString(say.language) }),
    ...(context === undefined ? [] : [say("{percent} % of context", { percent: context })]),
    ...(notes === 0 ? [] : [notes === 1 ? say("1 note used") : say("{count} notes used", { count: notes })]),
    costText(usage.costMicroUsd),
    say("{count} s", { count: decimal(duration / 1_000, say.language) }),
    ...(commit === null ? [] : [commit]),
  ];
};

export const costText = (microUsd: number): string => {
  const cost = microUsd / 1e6;
  return `$${cost.toFixed(cost > 0 && cost < 0.01 ? 4 : 2)}`;
};

/**
 * Returns the text of the working card in whole sentences, because the card may notify people. `marks`: for
 * text without markup, functions that return their input.
 */
export const workingText = (
  progress: Progress,
  { code, plain, say }: Pick<Formatter, "code" | "plain" | "say">,
): string => {
  const { status, steps = 0 } = progress;
  const waiting = waitingText(status.waiting ?? [], { plain, say });
  const line = status.setUp === undefined || status.setUp.line === "" ? "" : `: ${code(status.setUp.line)}`;
  const work = `${workText(progress, { code, say })}${line}`;
  if (status.kind === "stopping" || status.kind === "summarizing") return `${capitalize(work)}.`;
  return [
    say("Still working ({permission}): {work}.", { permission: say(BADGES[progress.permission]), work }),
    ...(status.silent === undefined ? [] : [say("Wait, or use Stop.")]),
    ...(steps === 0
      ? []
      : [steps === 1 ? say("1 step so far.") : say("{count} steps so far.", { count: steps })]),
    ...(waiting === null ? [] : [`${waiting}.`]),
    say(
      progress.reviewed === true
        ? "A maintainer reviews the answer before it is posted here."
        : "The answer will be posted here.",
    ),
  ].join(" ");
};

const asIs = (text: string): string => text;

/** Status text after the bot's name, without markup. A second line names the authors of waiting messages. */
export const hintText = (progress: Progress, say: Say): string => {
  const work = say("is {work}", { work: workText(progress, { code: asIs, say }) });
  const waiting = waitingText(progress.status.waiting ?? [], { plain: asIs, say });
  return waiting === null ? work : `${work}\n${waiting}`;
};

/** Returns for example `running npm test (20 s)`. */
const workText = ({ status, doing, lasts = 0 }: Progress, marks: NameFormatter): string => {
  const { say } = marks;
  return [
    nowText(status, doing, marks),
    lasts === 0 || status.kind === "retrying" ? "" : ` (${durationText(lasts, say)})`,
    status.setUp === undefined
      ? ""
      : ` ${say("while the setup runs ({time})", { time: durationText(status.setUp.seconds * 1_000, say) })}`,
  ].join("");
};

const nowText = (
  { kind, tool, attempt, wait, agents, silent }: Progress["status"],
  doing: Progress["doing"],
  { code, say }: NameFormatter,
): string => {
  switch (kind) {
    case "thinking":
      return `${say(silent === undefined ? "thinking" : "waiting for the model, which has sent nothing for a minute")}${again(attempt, say)}`;
    case "retrying":
      return say("waiting for the model ({why}), {again} in {seconds} s", {
        why: say.stored(wait?.failure.kind.replaceAll("_", " ") ?? "busy"),
        again: tryText(attempt, say),
        seconds: Math.ceil((wait?.delay ?? 0) / 1_000),
      });
    case "running":
      if (agents !== undefined)
        return say("waiting for {count} sub-agents, {done} done", {
          count: agents.length,
          done: agents.filter(({ step }) => step === "ended").length,
        });
      if (doing === undefined)
        return tool === null ? say("running a tool") : say("running {object}", { object: code(tool) });
      return say(doing.verb, { object: doing.object === "" ? (tool ?? "") : code(doing.object) });
    case "stopping":
      return say("stopping");
    case "summarizing":
      return `${say("writing a summary for a new thread")}${again(attempt, say)}`;
  }
};

const again = (attempt: number, say: Say): string => (attempt === 1 ? "" : `, ${tryText(attempt, say)}`);

const tryText = (attempt: number, say: Say): string =>
  say("try {attempt} of {all}", { attempt, all: ATTEMPTS });

/** The first message of a thread that continues another one. `from`: link to that thread, if there is one. */
export const originLine = (
  { title, mode, by, why }: ThreadOpening,
  from: string,
  { bold, marks }: Dialect,
): string => {
  const about = title.trim() === "" ? "" : `${bold(marks.plain(title))}\n`;
  return `${about}${originText({ mode, by, why }, from, marks)}`;
};

/**
 * Names the repository and, once there is a checkout, the commit: `acme/shop@55d9865`. Adds the branch or tag
 * that a channel uses.
 */
export const checkoutText = (
  conversation: Conversation,
  { code, linked, marks: { say } }: Pick<Dialect, "code" | "linked" | "marks">,
): string => {
  const { base, repo } = conversation;
  const folders = foldersOf(conversation);
  const missing = (base?.missing ?? []).map(({ name }) => say("{name} missing", { name: code(name) }));
  if (folders.length > 0) {
    const open = folders.map((one) =>
      linked(`${one.name}@${one.commit.slice(0, 7)}`, commitLink({ repo: one.repo, base: one })),
    );
    return [...open, ...missing].join(", ");
  }
  const name = repoName(conversation);
  const at = [
    base === null ? code(name) : linked(`${name}@${base.commit.slice(0, 7)}`, commitLink(conversation)),
    ...missing,
  ].join(", ");
  return repo.ref === undefined ? at : `${at} (${code(repo.ref)})`;
};

/** Names a repository without the host and protocol of the usual forge. */
export const repoName = ({ repo }: Pick<Conversation, "repo">): string =>
  reposOf(repo)
    .map(({ location }) => location.replace(/^https:\/\/(github\.com\/)?/, "").replace(/\.git$/, ""))
    .join(", ");

/**
 * Names at most 30 approvers on a card and counts the rest, because a longer line would leave no room (WG6).
 */
export const fewOf = (names: readonly string[], say: Say): string =>
  `${names.slice(0, MAX_NAMED).join(", ")}${andMore(names.length - MAX_NAMED, say)}`;

const MAX_NAMED = 30;
