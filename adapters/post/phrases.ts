/** What the host says in a thread. Pure. No model's or person's words get in here but escaped names, and what a tool is given, as code. */

import type { Permission } from "../../src/machine/words.ts";
import { type Conversation, foldersOf, reposOf } from "../../src/ports/conversation.ts";
import { ATTEMPTS } from "../../src/machine/retry.ts";
import type { Progress } from "../../src/ports/surface.ts";
import type { Opening } from "../../src/ports/threads.ts";
import type { PostBody } from "../../src/thread/post.ts";
import type { Marks } from "../../src/thread/marks.ts";
import { durationText, originText } from "../../src/thread/wording.ts";
import { commitLink } from "../text/text.ts";
import type { Dialect } from "./dialect.ts";

/** What tools may do; `allowed`: where they may write. */
export const heldText = (permission: Permission, allowed: string, bold: Dialect["bold"]): string =>
  permission === "restricted"
    ? `${bold("Restricted")}: tools can read the checkout and nothing else, without network.`
    : `${bold("Unrestricted")}: ${allowed}`;

export const turnFacts = (
  { usage, model, permission, duration, context }: PostBody & { readonly kind: "footer" },
  commit: string | null,
  plain: Marks["plain"],
): readonly string[] => {
  const tokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
  return [
    badge(permission),
    plain(model),
    `${tokens.toLocaleString("en-US")} tokens`,
    ...usedText(context),
    costText(usage.costMicroUsd),
    `${(duration / 1_000).toFixed(1)} s`,
    ...(commit === null ? [] : [commit]),
  ];
};

const usedText = (percent: number | undefined): readonly string[] =>
  percent === undefined ? [] : [`${percent} % of context`];

export const costText = (microUsd: number): string => {
  const cost = microUsd / 1e6;
  return `$${cost.toFixed(cost > 0 && cost < 0.01 ? 4 : 2)}`;
};

/** What the working card says: it may call people, so it is whole sentences. `marks`: of text that takes none, they write it as it is. */
export const workingText = (progress: Progress, { code }: Pick<Marks, "code">): string => {
  const { status, steps = 0 } = progress;
  const line = status.setUp === undefined || status.setUp.line === "" ? "" : `: ${code(status.setUp.line)}`;
  const work = `${workText(progress, code)}${line}.`;
  if (status.kind === "stopping" || status.kind === "summarizing") return capitalised(work);
  return [
    `Still working (${badge(progress.permission)}): ${work}`,
    ...(status.silent === undefined ? [] : ["Wait, or use Stop."]),
    ...(steps === 0 ? [] : [steps === 1 ? "1 step so far." : `${steps} steps so far.`]),
    progress.reviewed === true
      ? "A maintainer looks at the answer before it is posted here."
      : "The answer will be posted here.",
  ].join(" ");
};

/** Behind the bot's name, in plain text. */
export const hintText = (progress: Progress): string => `is ${workText(progress, (text) => text)}`;

/** `running npm test (20 s)` */
const workText = ({ status, doing, lasts = 0 }: Progress, code: Marks["code"]): string =>
  [
    doingText(status, doing, code),
    lasts === 0 || status.kind === "retrying" ? "" : ` (${durationText(lasts)})`,
    status.setUp === undefined
      ? ""
      : ` while the set-up runs (${durationText(status.setUp.seconds * 1_000)})`,
  ].join("");

const doingText = (
  { kind, tool, attempt, wait, agents, silent }: Progress["status"],
  doing: Progress["doing"],
  code: Marks["code"],
): string => {
  switch (kind) {
    case "thinking":
      return `${silent === undefined ? "thinking" : "waiting for the model, which has said nothing for a minute"}${again(attempt)}`;
    case "retrying":
      return `waiting for the model (${wait?.failure.kind.replaceAll("_", " ") ?? "busy"}), ${tryText(attempt)} in ${Math.ceil((wait?.delay ?? 0) / 1_000)} s`;
    case "running":
      if (agents !== undefined)
        return `waiting for ${agents.length} helpers, ${agents.filter(({ step }) => step === "ended").length} done`;
      if (doing === undefined) return tool === null ? "running a tool" : `running ${code(tool)}`;
      return doing.object === "" ? doing.verb : `${doing.verb} ${code(doing.object)}`;
    case "stopping":
      return "stopping";
    case "summarizing":
      return `writing a summary for a new thread${again(attempt)}`;
  }
};

const again = (attempt: number): string => (attempt === 1 ? "" : `, ${tryText(attempt)}`);

const tryText = (attempt: number): string => `try ${attempt} of ${ATTEMPTS}`;

const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** The first message of a thread that was opened out of another one; `from` is that one as a link, where there is one. */
export const originLine = (
  { title, mode, by, why }: Opening,
  from: string,
  { bold, marks }: Dialect,
): string => {
  const about = title.trim() === "" ? "" : `${bold(marks.plain(title))}\n`;
  return `${about}${originText({ mode, by, why }, from, marks)}`;
};

/** Repository and, once there is a checkout, commit: `acme/shop@55d9865`; with the branch or tag that a channel asks for. */
export const checkoutText = (
  conversation: Conversation,
  { code, linked }: Pick<Dialect, "code" | "linked">,
): string => {
  const { base, repo } = conversation;
  const folders = foldersOf(conversation);
  const missing = (base?.missing ?? []).map(({ name }) => `${code(name)} missing`);
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

/** As people name it: the host and the protocol of the usual forge go without saying. */
export const repoName = ({ repo }: Pick<Conversation, "repo">): string =>
  reposOf(repo)
    .map(({ location }) => location.replace(/^https:\/\/(github\.com\/)?/, "").replace(/\.git$/, ""))
    .join(", ");

const badge = (permission: Permission): string =>
  permission === "restricted" ? "Restricted" : "Unrestricted";
