/**
 * The message of a turn (TH1, TH7): the answer, then the changes, the steps, one context line, the buttons. A
 * long answer has up to three messages, of which only the last one changes; a longer answer becomes a file.
 * Pure.
 */

import { isWatch } from "../../src/machine/provenance.ts";
import type { Notice } from "../../src/machine/transcript.ts";
import { spellInvisibleInProse } from "../../src/text/invisible.ts";
import { callObject, shortenText } from "../../src/thread/call-text.ts";
import type { Below, Content, FilePart, Limits, RenderScene, Reply } from "../../src/ports/surface.ts";
import { LIVE, type OpenTurn, type Post, type TurnBody } from "../../src/thread/post.ts";
import { callInput, type StoredContent } from "../../src/thread/prompt.ts";
import { andMore } from "../../src/thread/owners.ts";
import { answerText, citationsOf, linksOf } from "../../src/thread/visible-text.ts";
import { failureText } from "../../src/thread/failure-text.ts";
import { durationText } from "../../src/thread/durations.ts";
import { BADGES } from "../../src/thread/step-list.ts";
import { earlierText, noticeText, stoppedText } from "../../src/thread/wording.ts";
import type { Label, Say } from "../../src/i18n/say.ts";
import { type RenderedChanges, changesOf, withoutRendered } from "../text/changes.ts";
import { filePart, sharedFile, sizeText } from "../text/files.ts";
import { markCitations } from "../text/citations.ts";
import { measure } from "../text/measure.ts";
import { neutralize } from "../text/neutral.ts";
import { splitMarkdown } from "../text/split.ts";
import { stableOf } from "../text/stable.ts";
import { withLongCode } from "../text/long.ts";
import { buttonsOf, feedbackButtons, stepsButton } from "./buttons.ts";
import { noteButtons, noteLines, noteOf } from "./note.ts";
import type { Dialect, RenderContext } from "./dialect.ts";
import { checkoutText, repoName } from "./phrases.ts";
import { type ChangesSince, withCitationChanges } from "./since.ts";
import { stepsOf } from "./steps.ts";

const MOST_PIECES = 3;
/** Percentage of context use from which on it is displayed. */
const FILLING = 60;
/** Percentage of context use from which on people get advice (BED-023). */
const NEARLY_FULL = 80;

export const turnContents = (
  post: Post,
  body: TurnBody,
  frame: RenderContext,
  most = MOST_PIECES,
): readonly Content[] =>
  withCitationChanges(body.said, frame, (scene, since) =>
    contentsOf(post, body, { ...frame, scene }, since, most),
  );

const contentsOf = (
  post: Post,
  body: TurnBody,
  { scene, limits, dialect }: RenderContext,
  { changed: stale, isAlone }: ChangesSince,
  most: number,
): readonly Content[] => {
  const isLate = body.duration > LONG_TURN || post.actions.includes("retry") || body.looked !== undefined;
  // A watch that asked is nobody who could be notified.
  const calls = isLate && !(body.asked !== undefined && isWatch(body.asked.by));
  const { say } = dialect.marks;
  const answer = answerOf(body, { scene, limits, dialect }, most);
  const shared = sharedIn(body, scene);
  const changed = changesOf(body.changes, scene.words, neutralize, say);
  const files = [...answer.files, ...shared.files, ...(changed?.file === undefined ? [] : [changed.file])];
  const notices = body.notices.map((notice) => dialect.markdown(noticeOf(notice, body, scene, dialect)));
  const [head, ...tail] = answer.pieces.length === 0 ? [] : answer.pieces;
  const below: readonly Below[] = [
    ...answer.below.map(host),
    ...(body.looked?.edited === true ? [host(`Edited by ${dialect.marks.code(body.looked.by)}.`)] : []),
    ...(head === undefined ? [] : notices.map(host)),
    ...(changed === null ? [] : [host(changedText(changed, body, dialect))]),
    ...(changed?.diff === undefined ? [] : [{ kind: "text", text: changed.diff } as const]),
    ...stepsOf(body, scene, say),
    ...shared.lines(dialect).map(host),
    ...noteLines(noteOf(body, scene), dialect).map(host),
    ...(stale === null ? [] : [host(stale)]),
    ...(isAlone && stale !== null
      ? []
      : [host([...calledIn(body, calls, dialect), contextLine(post, body, { scene, dialect })].join(" · "))]),
  ];
  const lead = head === undefined && notices.length > 0 ? { lead: notices.join("\n") } : {};
  const { count } = body.steps;
  const turn = Number(post.key.split("/")[1]);
  const steps =
    count > 0 || dialect.marksButtons ? [stepsButton(scene.conversation.id, turn, say, count)] : [];
  const buttons = [
    ...noteButtons(noteOf(body, scene), say),
    ...buttonsOf(post, scene.conversation.id, say),
    ...steps,
    ...feedbackButtons(body, scene, say),
  ];
  const pieces = apart([head ?? "", ...tail], below, limits);
  const last = pieces.length - 1;
  const carrier = dialect.buttonsFirst ? 0 : last;
  return pieces.map((text, index) => ({
    tone: index === carrier ? "turn" : "answer",
    ...(index === 0 ? lead : {}),
    text,
    ...(index === last ? { below } : FULL),
    ...(index === 0 ? replyTo(body, scene, calls) : {}),
    buttons: index === carrier ? buttons : [],
    ...(index === last && files.length > 0 ? { files } : {}),
  }));
};

/**
 * Returns the final content of a message from its first words on (TH2). Nothing is removed from it when the
 * turn ends.
 */
export const openContents = (turn: OpenTurn, frame: RenderContext, isLate: boolean): readonly Content[] => {
  const { scene, limits, dialect } = frame;
  const live = scene.words.get(LIVE);
  const stable: StoredContent = {
    kind: "answer",
    blocks: [{ kind: "text", text: stableOf(answerText(live, "")) }],
    citations: citationsOf(live) ?? [],
    links: linksOf(live) ?? [],
  };
  const words = new Map(scene.words).set(LIVE, stable);
  const { say } = dialect.marks;
  if (changesOf(turn.changes, words, neutralize, say)?.file !== undefined) return [];
  const { pieces } = answerOf(turn, { scene: { ...scene, words }, limits, dialect });
  const button = stepsButton(scene.conversation.id, Number(turn.key.split("/")[1]), say);
  return pieces.map((text, index) => {
    const carries = index === 0 && dialect.marksButtons;
    return {
      tone: carries ? "turn" : "answer",
      text,
      ...(index < pieces.length - 1 ? FULL : {}),
      ...(index === 0 ? replyTo(turn, scene, isLate) : addressedTo(turn)),
      buttons: carries ? [button] : [],
    };
  });
};

const FULL = { isFull: true } as const;

/** Milliseconds after which the requester has probably turned to other work. */
export const LONG_TURN = 60_000;

const replyTo = (
  { asked }: Pick<TurnBody, "asked">,
  { sources }: RenderScene,
  calls: boolean,
): { readonly reply?: Reply } =>
  asked === undefined ? {} : { reply: { to: sources?.get(asked.message) ?? null, person: asked.by, calls } };

/** The reader of a later message, which replies to no message and mentions nobody. */
const addressedTo = ({ asked }: Pick<TurnBody, "asked">): { readonly reply?: Reply } =>
  asked === undefined ? {} : { reply: { to: null, person: asked.by, calls: false } };

/**
 * Names the requester if only a mention can notify them: the first answer of a thread replies to no message.
 */
const calledIn = ({ asked }: TurnBody, calls: boolean, { isPublic, marks }: Dialect): readonly string[] =>
  calls && isPublic && asked !== undefined ? [marks.say("For {asker}", { asker: marks.code(asked.by) })] : [];

/** Describes the end of a turn and whether anything was changed. */
const noticeOf = (notice: Notice, body: TurnBody, scene: RenderScene, dialect: Dialect): string => {
  const { marks } = dialect;
  const { say } = marks;
  if (notice.kind === "stopped") return `${stoppedAfter(notice, body, dialect)} ${leftOf(body, say)}`;
  if (notice.kind === "failed")
    return `${marks.plain(failureText(notice.failure, say))}${triedText(notice, body, say)} ${leftOf(body, say)}`;
  const text = noticeText(notice, marks);
  return notice.kind === "interrupted" ? `${text}${cutOff(body, scene, dialect)} ${leftOf(body, say)}` : text;
};

/** Names the command that ran when the host ended. */
const cutOff = ({ steps }: TurnBody, { words, looks }: RenderScene, { code, marks }: Dialect): string => {
  const cut = steps.rows.findLast(({ outcome }) => outcome.kind === "host" && outcome.cut === true);
  if (cut === undefined) return "";
  const { name, id } = cut.call;
  const object = callObject({ look: looks(name), input: callInput(words.get(cut.message), id) });
  const command = code(object === "" ? name : shortenText(spellInvisibleInProse(object)));
  return ` ${marks.say("{command} was cut off.", { command })}`;
};

const stoppedAfter = (
  notice: Notice & { readonly kind: "stopped" },
  { steps: { count } }: TurnBody,
  { marks }: Dialect,
): string => {
  if (count === 0 || notice.why !== undefined) return stoppedText(notice, marks);
  const by = marks.code(notice.by);
  return count === 1
    ? marks.say("Stopped by {by} after 1 step.", { by })
    : marks.say("Stopped by {by} after {count} steps.", { by, count });
};

const triedText = (
  { attempts }: Notice & { readonly kind: "failed" },
  { tried }: TurnBody,
  say: Say,
): string => {
  if (attempts <= 1) return "";
  return ` ${tried === undefined ? say("I tried {attempts} times.", { attempts }) : say("I tried {attempts} times in {time}.", { attempts, time: durationText(tried, say) })}`;
};

/** Only a turn with read-only steps certainly changed nothing. */
const leftOf = ({ changes, readOnly, steps }: TurnBody, say: Say): string => {
  if (changes.length > 0) return say("Changes made so far remain.");
  return say(readOnly === true || steps.count === 0 ? "Nothing was changed." : "Steps shows what ran.");
};

/** Puts the parts after the answer into a separate message if the last one has no room. */
const apart = (pieces: readonly string[], below: readonly Below[], limits: Limits): readonly string[] => {
  const text = below.flatMap((one) => (one.kind === "steps" ? [] : [one.text])).join("\n");
  const size = (one: string): number => measure(one, limits.units);
  const isFull =
    pieces.at(-1) !== "" && size(pieces.at(-1) ?? "") + size(text) + MARKS * below.length > limits.text;
  return isFull ? [...pieces, ""] : pieces;
};

/** Characters that mark a line of the host. */
const MARKS = 4;

const host = (text: string): Below => ({ kind: "host", text });

const changedText = (
  { files }: RenderedChanges,
  { uncommitted }: TurnBody,
  { code, files: most, marks: { say } }: Dialect,
): string => {
  const named = files
    .slice(0, most)
    .map(({ path, added, removed }) =>
      files.length === 1 ? `${code(path)}, +${added} −${removed}` : `${code(path)} (+${added} −${removed})`,
    );
  const changed = say("Changed {files}.", {
    files: `${named.join(", ")}${andMore(files.length - most, say)}`,
  });
  return uncommitted === true ? `${changed} ${say("Not committed.")}` : changed;
};

interface Answer {
  readonly pieces: readonly string[];
  readonly files: readonly FilePart[];
  /** Lines of the host below the answer. */
  readonly below: readonly string[];
}

/**
 * Splits the answer's text into messages. Code that exceeds a message, and an answer that exceeds three,
 * become files.
 */
const answerOf = (
  body: Pick<TurnBody, "said" | "changes">,
  { scene: { words, conversation }, limits, dialect }: RenderContext,
  most = MOST_PIECES,
): Answer => {
  const { say } = dialect.marks;
  const files: FilePart[] = [];
  const texts = body.said.map((id) => {
    const said = words.get(id);
    const text = withoutRendered(answerText(said), body.changes, words);
    const parts = withLongCode(text, limits.text).map((part) => {
      if (part.kind === "text") {
        const shown = dialect.prose?.(part.text) ?? part.text;
        return neutralize(shown, said?.kind === "comment" ? [] : linksOf(said));
      }
      files.push(part.file);
      return say("`{name}` ({size}) is attached.", {
        name: part.file.name,
        size: sizeText(part.size, say),
      });
    });
    return markCitations(parts.join("\n\n"), citationsOf(said), conversation, say);
  });
  const whole = texts.filter((text) => text.trim() !== "").join("\n\n");
  const pieces = splitMarkdown(whole, { units: limits.units, max: limits.text });
  if (pieces.length <= most) return { pieces, files, below: [] };
  const source = {
    kind: "text",
    text: body.said.map((id) => answerText(words.get(id))).join("\n\n"),
  } as const;
  const title = say("The whole answer");
  const file: FilePart = { name: "answer.md", title, mediaType: "text/markdown", source };
  const size = sizeText(new TextEncoder().encode(source.text).length, say);
  return {
    pieces: pieces.slice(0, 1),
    files: [file, ...files],
    below: [say("This is the beginning of the answer. The whole answer ({size}) is attached.", { size })],
  };
};

const sharedIn = (body: TurnBody, { words }: RenderScene) => {
  const refs = body.files.map((file) => sharedFile(file, words));
  const erased = refs.filter((ref) => ref === null).length;
  return {
    files: refs.flatMap((ref) => (ref === null ? [] : [filePart(ref)])),
    lines: ({ marks }: Dialect): readonly string[] =>
      erased === 0
        ? []
        : [
            marks.plain(
              erased === 1
                ? marks.say("1 file was erased.")
                : marks.say("{count} files were erased.", { count: erased }),
            ),
          ],
  };
};

/** Returns the context line: the turn's permission, and then only unusual facts. */
const contextLine = (
  { key, at }: Post,
  body: TurnBody,
  { scene, dialect }: Omit<RenderContext, "limits">,
): string => {
  const { conversation, words, namesModels } = scene;
  const { marks, code } = dialect;
  const { say } = marks;
  const cited = body.said.flatMap((id) => citationsOf(words.get(id)) ?? []);
  const missing = cited.filter(({ status }) => status === "missing").length;
  const permission = say(BADGES[body.permission]);
  const { held, context = 0, pictures = 0, earlier, notes = 0 } = body;
  const full =
    context >= NEARLY_FULL
      ? `: ${say("{command} continues in a new thread", { command: code("@parley continue") })}`
      : "";
  return [
    held === undefined
      ? permission
      : say("{permission}, because {who} cannot approve here", { permission, who: marks.code(held) }),
    checkoutText(conversation, dialect),
    durationText(body.duration, say),
    ...(namesModels === true && body.model !== undefined ? [marks.plain(body.model)] : []),
    ...counted(pictures, "1 picture read", "{count} pictures read", say),
    ...counted(notes, "1 note used", "{count} notes used", say),
    ...counted(missing, "1 citation not found", "{count} citations not found", say),
    ...(context < FILLING ? [] : [`${say("{percent} % full", { percent: context })}${full}`]),
    ...(body.unconfined === undefined ? [] : [say("No sandbox on this host")]),
    ...(earlier === undefined ? [] : [earlierText(earlier, at, marks)]),
    ...(conversation.introduces === true && key === FIRST
      ? [
          say("This channel works on {repo}: {command} changes the repository", {
            repo: code(repoName(conversation)),
            command: code("/parley repo"),
          }),
        ]
      : []),
  ].join(" · ");
};

const FIRST = "turn/1/1";

const counted = (
  count: number,
  one: Label,
  many: "{count} pictures read" | "{count} citations not found" | "{count} notes used",
  say: Say,
): readonly string[] => (count === 0 ? [] : [count === 1 ? say(one) : say(many, { count })]);
