/**
 * The card of a question. Pure. The host's facts come first; the model's own words are quoted and shortened
 * below.
 */

import type { MessageId } from "../../src/machine/id.ts";
import { isWithoutCall } from "../../src/machine/state.ts";
import { isWatch, untrustedRead } from "../../src/machine/provenance.ts";
import type { Decision } from "../../src/machine/transcript.ts";
import type { QuestionSpec } from "../../src/machine/vocabulary.ts";
import type { Content, FilePart, RenderScene } from "../../src/ports/surface.ts";
import type { Post, PostBody } from "../../src/thread/post.ts";
import { callInput, ERASED, type StoredContent } from "../../src/thread/prompt.ts";
import { proposalFacts, proposalIn } from "../../src/thread/proposal.ts";
import { type UnrestrictedCover, coverText } from "../../src/thread/question.ts";
import { answerText, callCommand, callReason, givenAnswer } from "../../src/thread/visible-text.ts";
import {
  askHead,
  askText,
  because,
  capitalize,
  CHOICE_LABELS,
  DECISION_LABELS,
  requestText,
  stoppedText,
  writeOf,
} from "../../src/thread/wording.ts";
import { wroteText } from "../../src/thread/wrote-text.ts";
import { spellInvisible } from "../../src/text/invisible.ts";
import type { Say } from "../../src/i18n/say.ts";
import { fencedText } from "../text/changes.ts";
import { type LengthLimit, measure } from "../text/measure.ts";
import { neutralize } from "../text/neutral.ts";
import { splitMarkdown } from "../text/split.ts";
import { choicesOf, pullButtons } from "./buttons.ts";
import type { Dialect, RenderContext } from "./dialect.ts";
import { checkoutText } from "./phrases.ts";
import { resultFacts, resultLabels, withinRoom } from "./result.ts";
import { proposedText, reviewFile } from "./proposed-text.ts";
import { MAX_QUOTE, quoteText } from "./quote.ts";

/** Maximum characters of a comment on a draft's card, which also contains the draft's facts. */
const MAX_COMMENT = 800;
const MIN_COMMENT = 50;
/** Maximum number of displayed dangers of a call, and characters of each. */
const MAX_DANGERS = 3;
const MAX_DANGER = 600;
/** Maximum characters of the text before a question. */
const MAX_PLAN = 3_000;
const MAX_QUESTION = 2_000;
const MAX_COMMAND = 1_000;
/** Space that a card always has for its text, regardless of the host's facts. */
const LEAST = 400;

type Question = PostBody & { readonly kind: "question" };
type Branched = Question["branched"] & object;
type Shown = Pick<Content, "lead" | "text" | "below" | "files">;

/** Returns a question with its buttons. `approvers`: markup that names the approvers. */
export const questionContent = (
  post: Post,
  body: Question,
  frame: RenderContext,
  approvers: string | undefined,
): Content => {
  const { say } = frame.dialect.marks;
  const head = askHead(body.ask ?? UPGRADE, { code: (text) => text, say });
  const shown = textsOfQuestion(post, body, frame, approvers);
  const buttons = [...choicesOf(post, frame.scene, head, say), ...pullButtons(body, say)];
  return { tone: "question", ...shown, ...askedPerson(body, frame.scene), buttons };
};

/** Notifies the person whom the agent asks, if this platform knows the person. */
const askedPerson = (
  { ask, asker, decision }: Question,
  { conversation }: RenderScene,
): Pick<Content, "reply"> =>
  ask?.kind === "person" && decision === null && asker?.startsWith(`${conversation.surface}:`) === true
    ? { reply: { to: null, person: asker, calls: true } }
    : {};

/** `limits`: for the head, the text and the facts together. */
const textsOfQuestion = (
  post: Post,
  body: Question,
  frame: RenderContext,
  approvers: string | undefined,
): Shown => {
  const { scene, limits, dialect } = frame;
  const lead = headOf(post, body, approvers, dialect);
  const { ask = UPGRADE } = body;
  // For a draft, two thirds of the space remain for the draft's own facts.
  const space = limits.text - measure(lead, limits.units) - LEAST;
  const facts = factsOf(body, frame, ask.kind === "result" ? space / 3 : space);
  if (ask.kind === "result") return resultContent(ask.shown, [lead, facts], body, frame);
  const plan = ask.kind === "person" && body.plan === true ? answerText(scene.words.get(body.message)) : "";
  const text = wordsOf(body, scene, dialect.marks.say);
  const taken = measure(lead, limits.units) + measure(facts, limits.units);
  const room = Math.max(LEAST, limits.text - taken);
  const [shown = "", ...more] = text === "" ? [] : splitMarkdown(text, { units: limits.units, max: room });
  const below = facts === "" ? [] : [{ kind: "host", text: facts } as const];
  const command = ask.kind === "danger" ? callCommand(scene.words.get(body.message), body.call.id) : null;
  const { say } = dialect.marks;
  if (ask.kind === "write" && more.length > 0) {
    const file = reviewFile(proposalIn(scene.words.get(ask.shown)), say);
    if (file !== null) return { lead, text: shown, below, files: [file] };
  }
  if (plan.length > MAX_PLAN || (plan !== "" && more.length > 0))
    return { lead, text: shown, below, files: [planFile(plan, say)] };
  if (command === null || (more.length === 0 && !codeBlock(command).isCut))
    return { lead, text: shown, below };
  const cut = {
    kind: "host",
    text: say("The command is too long for this message. The attached file contains the whole command."),
  } as const;
  const source = { kind: "text", text: `${spellInvisible(command)}\n` } as const;
  const file: FilePart = {
    name: "command.txt",
    title: say("The whole command"),
    mediaType: "text/plain",
    source,
  };
  return { lead, text: shown, below: [cut, ...below], files: [file] };
};

/** The card has no room for all of the text on which people answer. */
const planFile = (plan: string, say: Say): FilePart => ({
  name: "plan.md",
  title: say("The whole text before the question"),
  mediaType: "text/markdown",
  source: { kind: "text", text: plan },
});

/** Returns the card of a draft. The host's own facts precede everything that others wrote. */
const resultContent = (
  shown: MessageId,
  [head, facts]: readonly [string, string],
  body: Question,
  { scene: { words }, limits, dialect }: RenderContext,
): Shown => {
  const { say } = dialect.marks;
  const { units } = limits;
  const comment = (max: number): string | null =>
    addedTo(body.decision, words, say, MAX_COMMENT, { units, max });
  const wanted = measure(comment(limits.text) ?? "", units);
  const left = limits.text - measure(`${head}${facts}`, units) - LEAST;
  const read = resultFacts(words.get(shown), dialect, { units, max: left - wanted });
  const lead = `${head}\n${read}`;
  const added = comment(left - measure(read, units));
  const room = left + LEAST - measure(`${read}${added ?? ""}`, units);
  const { text, ...more } = resultLabels(words.get(shown), quoteText, limits, Math.max(LEAST, room), say);
  const said = added === null ? text : `${text}\n\n${added}`;
  return { lead, text: said, ...more, below: [{ kind: "host", text: facts }] };
};

const headOf = (
  { at: askedAt }: Post,
  { ask = UPGRADE, asker, decision, stopped, wrote, branched }: Question,
  approvers: string | undefined,
  { marks, bold, markdown, time }: Dialect,
): string => {
  const { say } = marks;
  const head = markdown(askHead(ask, marks));
  const who = asker === undefined || isWatch(asker) ? null : marks.code(asker);
  if (ask.kind === "person" && decision === null && who !== null)
    return bold(say("A question for {asker}", { asker: who }));
  if (decision === null)
    return [bold(markdown(askText(ask, marks))), ...(approvers === undefined ? [] : [approvers])].join(" ");
  const by = marks.code(decision.by);
  const undecided = bold(
    say(ask.kind === "person" ? "{question}: not answered" : "{question}: not decided", { question: head }),
  );
  if (stopped === true) return say("{undecided} ({by} stopped the turn).", { undecided, by });
  if (stopped !== undefined) return `${undecided}. ${stoppedText({ by: decision.by, why: stopped }, marks)}`;
  const when = time(decision.at, askedAt);
  if (ask.kind === "person")
    return say("{verdict} by {by}, {when}.", {
      verdict: bold(capitalize(say(DECISION_LABELS[decision.choice]))),
      by,
      when,
    });
  const took =
    ask.kind === "result" && decision.commits !== undefined
      ? ` (${say("the first {commits} of {all} commits", { commits: decision.commits, all: ask.commits ?? 1 })})`
      : "";
  const write = writeOf(ask, decision.choice);
  const verdict = bold(`${head}: ${say(DECISION_LABELS[decision.choice])}`);
  if (write !== null && wrote !== undefined && (wrote.kind !== "done" || write !== "discard_draft")) {
    const came = markdown(wroteText(write, wrote, marks));
    return wrote.kind === "done"
      ? say("{what}, approved by {by}, {when}.", {
          what: `${bold(came.replace(/[.。]$/, ""))}${took}`,
          by,
          when,
        })
      : `${say("{verdict} by {by}, {when}.", { verdict, by, when })} ${came}`;
  }
  const on = branched === undefined ? "" : ` ${branchedText(branched, marks)}`;
  return `${say("{verdict} by {by}, {when}.", { verdict: `${verdict}${took}`, by, when })}${on}`;
};

const branchedText = ({ to, link, why }: Branched, { thread, plain, say }: Dialect["marks"]): string =>
  to !== null
    ? say("Continued here: {thread}", { thread: thread(to, link) })
    : say(
        "The new thread could not be opened{why}. The mode is set in this thread. Ask the agent to try once more.",
        {
          why: because(why, plain),
        },
      );

const factsOf = (
  { asker, ask = UPGRADE, untrusted, cover, decision }: Question,
  { scene: { words, conversation }, limits, dialect }: RenderContext,
  room: number,
): string => {
  const { marks } = dialect;
  const { say } = marks;
  if (ask.kind === "person")
    return decision === null
      ? say(
          "The person who asked, or an approver, answers with a button or a message to me. An answer grants no permission.",
        )
      : "";
  const at = checkoutText(conversation, dialect);
  const request = requestText(ask, say);
  return withinRoom(dialect, { units: limits.units, max: room }, (naming, most) =>
    [
      asker === undefined ? `${at}.` : say("Requested by {asker}, {at}.", { asker: marks.code(asker), at }),
      ...(request === null ? [] : [request]),
      ...(ask.kind === "write" ? proposalFacts(words.get(ask.shown), naming, most) : []),
      ...(decision === null ? [coverage(ask, cover, dialect)] : []),
      say("Untrusted content read so far: {what}.", {
        what: untrusted === undefined ? say("nothing") : untrustedRead(untrusted, naming.code, say),
      }),
    ].join(ask.kind === "write" ? "\n" : " "),
  );
};

export const UPGRADE: QuestionSpec = { kind: "upgrade" };

const coverage = (
  ask: QuestionSpec,
  cover: UnrestrictedCover | undefined,
  { marks, code, bold }: Dialect,
): string => {
  const { say } = marks;
  const once = bold(say(CHOICE_LABELS.once));
  const session = bold(say(CHOICE_LABELS.session));
  switch (ask.kind) {
    case "upgrade":
      return marks.plain(coverText(cover, say));
    case "danger":
      return say(
        "Safe mode asks before {what}. {once} allows this one command. {session} allows every command of this kind in this thread until Parley restarts.",
        { what: ask.categories.map(code).join(", "), once, session },
      );
    case "mode":
      return say("My permissions do not change.");
    case "write":
      if (ask.write === "secret_command")
        return say(
          "Parley runs exactly this command with these secrets, once. The command can read the secrets. If the draft changes before you decide, nothing runs.",
        );
      return ask.scope === undefined
        ? say(
            "Parley writes exactly this content, once. If the content changes before you decide, nothing is written.",
          )
        : say(
            "{once} sends exactly this call, once. {session} lets the agent call this tool in this thread with any arguments, without asking again, until Parley restarts.",
            { once, session },
          );
    case "answer":
    case "person":
      return "";
    case "result": {
      const apply = bold(say(CHOICE_LABELS.apply));
      const pull = bold(say(CHOICE_LABELS.pull_request));
      const end = say(
        "Nobody gains any permissions. If the draft changes before you decide, nothing happens.",
      );
      if (!ask.pull)
        return `${say("{apply} makes this thread's checkout identical to that tree.", { apply })} ${end}`;
      return `${say(
        (ask.commits ?? 1) > 1
          ? "{apply} makes this thread's checkout identical to that tree. {pull} pushes the draft's commits."
          : "{apply} makes this thread's checkout identical to that tree. {pull} pushes a commit of that tree.",
        { apply, pull },
      )} ${end}`;
    }
  }
};

/** Returns the model's reason and the approver's comment, if there is one. */
const wordsOf = (body: Question, { words }: RenderScene, say: Say): string => {
  const { message, call, ask = UPGRADE, decision, plan } = body;
  const reason = callReason(words.get(message), call.id)?.trim() ?? say(ERASED);
  const said = words.get(message);
  if (ask.kind === "person") {
    const given =
      decision === null
        ? ""
        : givenAnswer(ask, decision, commentIn(decision, words), callInput(said, call.id), say);
    const before = plan === true ? answerText(said) : "";
    return [
      ...(before === "" ? [] : [quoteText(before, MAX_PLAN)]),
      quoteText(reason, MAX_QUESTION),
      ...(given === "" ? [] : [quoteText(given)]),
    ].join("\n\n");
  }
  const added = addedTo(decision, words, say);
  const shown = ask.kind === "danger" || ask.kind === "write" ? words.get(ask.shown) : undefined;
  return [
    ...(isWithoutCall(ask)
      ? []
      : [shownText(ask, shown, reason, callCommand(words.get(message), call.id), say)]),
    ...(plan === true ? [quoteText(answerText(words.get(message)), MAX_PLAN)] : []),
    ...(added === null ? [] : [added]),
  ].join("\n\n");
};

const commentIn = ({ comment }: Decision, words: RenderScene["words"]): StoredContent | undefined =>
  comment === null ? undefined : words.get(comment);

/** Quotes the approver's comment: at most `max` characters, and fewer if `room` requires that. */
const addedTo = (
  decision: Question["decision"],
  words: RenderScene["words"],
  say: Say,
  max: number = MAX_QUOTE,
  room?: LengthLimit,
): string | null => {
  if (decision === null || decision.comment === null) return null;
  const said = words.get(decision.comment);
  const text = said?.kind === "comment" || said?.kind === "said" ? said.text : say(ERASED);
  for (let most = max; ; most = Math.floor(most / 2)) {
    const shown = quoteText(text, most);
    // Quoting can multiply a text's length: each line gets a mark, and each hidden character is spelled out.
    if (room === undefined || most < MIN_COMMENT || measure(shown, room.units) <= room.max) return shown;
  }
};

const shownText = (
  ask: QuestionSpec,
  shown: StoredContent | undefined,
  reason: string,
  command: string | null,
  say: Say,
): string => {
  switch (ask.kind) {
    case "danger":
      return [...(command === null ? [] : [codeBlock(command).shown]), dangersText(shown, say)].join("\n\n");
    case "write":
      return proposedText(ask, shown, say);
    case "result":
    case "answer":
    case "upgrade":
    case "mode":
    case "person":
      return reason === "" ? say("No reason was given.") : quoteText(reason);
  }
};

const dangersText = (words: StoredContent | undefined, say: Say): string =>
  words?.kind === "dangers"
    ? words.dangers
        .slice(0, MAX_DANGERS)
        .map(({ what, why, risk, changes }) =>
          quoteText(
            [
              say("What: {text}", { text: oneLine(what) }),
              say("Why: {text}", { text: oneLine(why) }),
              say("Risk: {text}", { text: oneLine(risk) }),
              say("Changes: {text}", { text: oneLine(changes.join("; ")) }),
            ].join("\n"),
            MAX_DANGER,
          ),
        )
        .join("\n\n")
    : quoteText(say(ERASED));

/** Returns the exact command as far as a message has room. `isCut`: whether there is more. */
const codeBlock = (command: string): { readonly shown: string; readonly isCut: boolean } => {
  const [shown = "", ...more] = splitMarkdown(neutralize(fencedText(spellInvisible(command))), {
    units: "utf16",
    max: MAX_COMMAND,
  });
  return { shown, isCut: more.length > 0 };
};

/** Puts a call's own words on one line, because a new line could imitate another entry. */
const oneLine = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .join(" ⏎ ");
