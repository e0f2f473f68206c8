/**
 * The card of a question. Pure. The host's facts stand above; what the model says of itself is quoted and bounded below
 * them.
 */

import type { MessageId } from "../../src/machine/id.ts";
import { isWithoutCall } from "../../src/machine/state.ts";
import { untrustedRead } from "../../src/machine/provenance.ts";
import type { Ask } from "../../src/machine/words.ts";
import type { Content, Limits, RenderScene } from "../../src/ports/surface.ts";
import type { Post, PostBody } from "../../src/thread/post.ts";
import { callInput, ERASED, type Words } from "../../src/thread/prompt.ts";
import { proposalFacts, proposalIn } from "../../src/thread/proposal.ts";
import type { Cover } from "../../src/thread/question.ts";
import { answerText, callReason } from "../../src/thread/spoken.ts";
import {
  askHead,
  CHOICE_LABELS,
  coverText,
  DECIDED,
  requestText,
  stoppedText,
  writeOf,
  wroteText,
} from "../../src/thread/wording.ts";
import { fenced, neutralise, splitMarkdown } from "../text/text.ts";
import type { Dialect, Host } from "./dialect.ts";
import { checkoutText } from "./phrases.ts";
import { resultFacts, resultWords } from "./result.ts";

const MAX_REASON = 1_500;
/** Of a held call's dangers: how many are shown, and how much of each. */
const MAX_DANGERS = 3;
const MAX_DANGER = 600;
/** Of each text that would be written to the forge; the console shows the whole. */
const MAX_PROPOSED = 1_500;
/** Of the text in front of a question. */
const MAX_PLAN = 3_000;
const MAX_COMMAND = 1_000;
/** What a card has room for, whatever the host's facts take. */
const LEAST = 400;

type Question = PostBody & { readonly kind: "question" };
type Branched = Question["branched"] & object;

/** `limits`: of the head, the words and the facts together. */
export const questionContent = (
  post: Post,
  body: Question,
  scene: RenderScene,
  limits: Limits,
  host: Host,
  dialect: Dialect,
): Pick<Content, "lead" | "text" | "below" | "files"> => {
  const head = headOf(post, body, host, dialect);
  const facts = factsOf(body, scene, dialect);
  const { ask = UPGRADE } = body;
  if (ask.kind === "result") return resultContent(ask.shown, [head, facts], body, scene, limits, dialect);
  const lead = head;
  const text = wordsOf(body, scene);
  const room = Math.max(LEAST, limits.text - lead.length - facts.length);
  const [shown = ""] = text === "" ? [] : splitMarkdown(text, { units: limits.units, max: room });
  return { lead, text: shown, below: [{ kind: "host", text: facts }] };
};

/** What the host read of a draft stands in front of everything that somebody else wrote. */
const resultContent = (
  shown: MessageId,
  [head, facts]: readonly [string, string],
  body: Question,
  { words }: RenderScene,
  limits: Limits,
  dialect: Dialect,
): Pick<Content, "lead" | "text" | "below" | "files"> => {
  const lead = `${head}\n${resultFacts(words.get(shown), dialect)}`;
  const added = addedTo(body.decision, words);
  const room = limits.text - lead.length - facts.length - (added?.length ?? 0);
  const { text, ...more } = resultWords(words.get(shown), quoted, limits, Math.max(LEAST, room));
  const said = added === null ? text : `${text}\n\n${added}`;
  return { lead, text: said, ...more, below: [{ kind: "host", text: facts }] };
};

const headOf = (
  { at: askedAt }: Post,
  { ask = UPGRADE, decision, stopped, wrote, branched }: Question,
  { approvers }: Host,
  { marks, bold, markdown, time }: Dialect,
): string => {
  const head = markdown(askHead(ask, marks));
  if (decision === null) return [bold(`${head}?`), ...(approvers === undefined ? [] : [approvers])].join(" ");
  const by = marks.code(decision.by);
  if (stopped === true) return `${bold(`${head}: not decided`)}, ${by} stopped this.`;
  if (stopped !== undefined)
    return `${bold(`${head}: not decided`)}. ${stoppedText({ by: decision.by, why: stopped }, marks.code)}`;
  const when = time(decision.at, askedAt);
  const took =
    ask.kind === "result" && decision.commits !== undefined
      ? ` (the first ${decision.commits} of ${ask.commits ?? 1} commits)`
      : "";
  const write = writeOf(ask, decision.choice);
  if (write !== null && wrote !== undefined && (wrote.kind !== "done" || write !== "discard_draft")) {
    const came = markdown(wroteText(write, wrote, marks));
    return wrote.kind === "done"
      ? `${bold(came.replace(/\.$/, ""))}${took}, approved by ${by}, ${when}.`
      : `${bold(`${head}: ${DECIDED[decision.choice].toLowerCase()}`)} by ${by}, ${when}. ${came}`;
  }
  const on = branched === undefined ? "" : ` ${branchedText(branched, marks)}`;
  return `${bold(`${head}: ${DECIDED[decision.choice].toLowerCase()}`)}${took} by ${by}, ${when}.${on}`;
};

const branchedText = ({ to, link, why }: Branched, { thread, plain }: Dialect["marks"]): string => {
  if (to !== null) return `Goes on here: ${thread(to, link)}`;
  const because = why === undefined ? "" : ` (${plain(why)})`;
  return `The new thread could not be opened${because}. The mode is set here; ask again to try once more.`;
};

const factsOf = (
  { asker, ask = UPGRADE, untrusted, cover, decision }: Question,
  { words, conversation }: RenderScene,
  dialect: Dialect,
): string => {
  const { marks, code, files } = dialect;
  const who = asker === undefined ? "" : `Asked for by ${marks.code(asker)}, `;
  const request = requestText(ask);
  return [
    `${who}${checkoutText(conversation, dialect)}.`,
    ...(request === null ? [] : [request]),
    ...(ask.kind === "write" ? proposalFacts(words.get(ask.shown), code, files) : []),
    ...(decision === null ? [coverage(ask, cover, dialect)] : []),
    `Read so far from outside the repository: ${untrusted === undefined ? "nothing" : untrustedRead(untrusted, code)}.`,
  ].join(ask.kind === "write" ? "\n" : " ");
};

export const UPGRADE: Ask = { kind: "upgrade" };

const coverage = (ask: Ask, cover: Cover | undefined, { marks, code, bold }: Dialect): string => {
  switch (ask.kind) {
    case "upgrade":
      return marks.plain(coverText(cover));
    case "danger":
      return `Safe mode asks before ${ask.categories.map(code).join(", ")}. ${bold(CHOICE_LABELS.once)} allows this one command, ${bold(CHOICE_LABELS.session)} every one of this kind in this thread until Parley restarts.`;
    case "mode":
      return "What I may do stays as it is.";
    case "write":
      return ask.scope === undefined
        ? "Exactly this is written, once. What has changed by then is not."
        : `${bold(CHOICE_LABELS.once)} sends exactly this, once; ${bold(CHOICE_LABELS.session)} lets this tool be called here with whatever arguments until Parley restarts.`;
    case "answer":
      return "";
    case "result":
      return `${bold(CHOICE_LABELS.apply)} makes this thread's checkout exactly that tree${ask.pull ? `, ${bold(CHOICE_LABELS.pull_request)} pushes ${(ask.commits ?? 1) > 1 ? "its commits" : "a commit of it"}` : ""}. Nobody gains any rights, and if the draft has changed by then, nothing happens.`;
  }
};

/** The model's reason and, where there is one, what the person who decided added. */
const wordsOf = (body: Question, { words }: RenderScene): string => {
  const { message, call, ask = UPGRADE, decision, plan } = body;
  const added = addedTo(decision, words);
  const reason = callReason(words.get(message), call.id)?.trim() ?? ERASED;
  const shown = ask.kind === "danger" || ask.kind === "write" ? words.get(ask.shown) : undefined;
  return [
    ...(isWithoutCall(ask) ? [] : [shownText(ask, shown, reason, commandOf(words.get(message), call.id))]),
    ...(plan === true ? [quoted(answerText(words.get(message)), MAX_PLAN)] : []),
    ...(added === null ? [] : [added]),
  ].join("\n\n");
};

/** What whoever decided said, quoted. */
const addedTo = (decision: Question["decision"], words: RenderScene["words"]): string | null => {
  if (decision === null || decision.comment === null) return null;
  const said = words.get(decision.comment);
  return quoted(said?.kind === "comment" || said?.kind === "said" ? said.text : ERASED);
};

const commandOf = (words: Words | undefined, call: string): string | null => {
  const input = callInput(words, call);
  const command = typeof input === "object" && input !== null && "command" in input ? input.command : null;
  return typeof command === "string" ? command : null;
};

const shownText = (ask: Ask, shown: Words | undefined, reason: string, command: string | null): string => {
  switch (ask.kind) {
    case "danger":
      return [...(command === null ? [] : [codeBlock(command)]), dangersText(shown)].join("\n\n");
    case "write":
      return proposedText(shown);
    case "result":
    case "answer":
    case "upgrade":
    case "mode":
      return reason === "" ? "No reason was given." : quoted(reason);
  }
};

const proposedText = (words: Words | undefined): string =>
  (proposalIn(words)?.texts ?? [{ name: "Text", text: ERASED }])
    .map(({ name, text }) => `${name}:\n${quoted(text.trim(), MAX_PROPOSED)}`)
    .join("\n\n");

const dangersText = (words: Words | undefined): string =>
  words?.kind === "dangers"
    ? words.dangers
        .slice(0, MAX_DANGERS)
        .map(({ what, why, risk, changes }) =>
          quoted(
            [
              `What: ${oneLine(what)}`,
              `Why: ${oneLine(why)}`,
              `Risk: ${oneLine(risk)}`,
              `Changes: ${oneLine(changes.join("; "))}`,
            ].join("\n"),
            MAX_DANGER,
          ),
        )
        .join("\n\n")
    : quoted(ERASED);

/** Whole where it is short: Steps and the console have the rest. */
const codeBlock = (command: string): string => {
  const [shown = ""] = splitMarkdown(neutralise(fenced(command)), { units: "utf16", max: MAX_COMMAND });
  return shown;
};

/** A call's own words begin no line, where they could look like another of these. */
const oneLine = (text: string): string =>
  text
    .split(/[\r\n\u2028\u2029]/)
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .join(" ⏎ ");

export const quoted = (text: string, max = MAX_REASON): string => {
  const points = Array.from(text);
  const short = points.length <= max ? text : `${points.slice(0, max).join("")} …`;
  return neutralise(short, [])
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
};
