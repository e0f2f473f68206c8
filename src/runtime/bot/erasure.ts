/** Removes the person's text, with all quotations and verbatim repetitions in answers, commands and results. Pure. */

import type { MessageId } from "../../machine/id.ts";
import { type Composed, mapParts } from "../../machine/message-parts.ts";
import type { Claim } from "../../ports/claims.ts";
import type { Conversation } from "../../ports/conversation.ts";
import type {
  ClaimRow,
  TextCut,
  ErasableTexts,
  Erasure,
  ErasureRequest,
  ErasureTarget,
} from "../../ports/erasure.ts";
import { maskTexts } from "../../text/secrets/mask-texts.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";
import { draftWithout, fileWithout } from "../../thread/draft.ts";
import type { AnswerBlock, AttachedFile, Proposal, StoredContent } from "../../thread/prompt.ts";
import { createOverlap, DELETED, type OverlapCheck } from "./overlap.ts";

const DELETED_TITLE = "Deleted message";

export interface ErasurePlan {
  readonly erasure: Erasure;
  readonly messages: readonly MessageId[];
  readonly texts: readonly string[];
  /** Removes repetitions of the erased texts from another text of the conversation. */
  readonly without: (text: string) => string;
  /** Pictures and files of the changed texts and claims. */
  readonly blobs: readonly string[];
}

/** `copies`: repeated texts of the origin. `comments`: comments by the erased person. Null if there is nothing to remove. */
export const planErasure = (
  store: Pick<ErasableTexts, "allWords" | "claims">,
  { id, title, titledBy, instructions }: Pick<Conversation, "id" | "title" | "titledBy" | "instructions">,
  request: ErasureRequest,
  copies: readonly string[],
  comments: readonly MessageId[] = [],
): ErasurePlan | null => {
  const isAll = request.meant.kind === "all";
  const claims = store.claims(id);
  const all = store.allWords(id);
  const textOf = (message: MessageId | null): string => {
    const words = message === null ? undefined : all.get(message);
    return words?.kind === "said" ? words.text : "";
  };
  const isMeant = ({ claim, message }: ClaimRow): boolean =>
    means(request.meant, claim) || copies.includes(textOf(message));
  const messages = claims.filter(isMeant).flatMap(({ message }) => message ?? []);
  const uninstructed = request.meant.kind === "person" && instructions?.by === request.meant.person;
  const taken: string[] = [...copies, ...(uninstructed ? [instructions.text] : [])];
  const cut = (said: Composed, own: boolean): Composed => {
    const done: TextCut = isAll ? { left: { text: "" }, taken: [said.text] } : request.cut(said, own);
    taken.push(...done.taken);
    return done.left;
  };
  const kept = new Map<MessageId, StoredContent>();
  for (const [name, words] of all) {
    if (words.kind === "said")
      kept.set(name, saidLeft(words, messages.includes(name) || comments.includes(name), cut));
    else if (words.kind === "comment" && comments.includes(name)) kept.set(name, saidGone(words, taken));
    else kept.set(name, words);
  }
  const overlap = createOverlap([...taken, ...copies]);
  const changed = [...kept].flatMap(([name, words]) => {
    const left: StoredContent = isAll ? { kind: "gone" } : without(words, overlap);
    return JSON.stringify(left) === JSON.stringify(all.get(name)) ? [] : [{ id: name, words: left }];
  });
  const isTouched = (row: ClaimRow): boolean => changed.length > 0 || row.message === null || isMeant(row);
  const touched = claims.filter(isTouched);
  const rewritten = touched.flatMap((row) => claimLeft(row, isMeant(row), request, overlap));
  const isNamed =
    request.meant.kind === "person" && titledBy === request.meant.person && title !== DELETED_TITLE;
  if (changed.length === 0 && rewritten.length === 0 && !isNamed && !uninstructed) return null;
  const first = claims[0];
  const cleaned = overlap.without(title);
  const isTitled = isAll || isNamed || (first !== undefined && isMeant(first));
  return {
    erasure: {
      words: changed,
      claims: rewritten,
      title: isTitled ? DELETED_TITLE : cleaned === title ? null : cleaned,
      uninstructed,
    },
    messages,
    texts: messages.map(textOf).filter((text) => text !== ""),
    without: isAll ? () => DELETED : overlap.without,
    blobs: [
      ...new Set([
        ...changed.flatMap(({ id: name }) => hashesOf(all.get(name))),
        ...touched.flatMap(({ claim }) => hashesIn(claim)),
      ]),
    ],
  };
};

const means = (meant: ErasureTarget, { speaker, source }: Claim): boolean => {
  switch (meant.kind) {
    case "message":
      return source === meant.source;
    case "person":
      return speaker.id === meant.person;
    case "all":
      return true;
  }
};

const saidGone = ({ text }: StoredContent & { kind: "comment" }, taken: string[]): StoredContent => {
  taken.push(text);
  return { kind: "gone" };
};

const saidLeft = (
  words: StoredContent & { kind: "said" },
  own: boolean,
  cut: (said: Composed, own: boolean) => Composed,
): StoredContent => {
  const left = cut(words, own);
  if (own && left.text === "") return { kind: "gone" };
  return { ...words, ...left, images: own ? [] : words.images, ...filesLeft(words, left) };
};

/** A file is removed together with the quote that names it, whoever sent the file. */
const filesLeft = (
  { files }: { readonly files?: readonly AttachedFile[] },
  { text }: Composed,
): { readonly files?: readonly AttachedFile[] } =>
  files === undefined ? {} : { files: files.filter(({ name }) => text.includes(name)) };

const without = (words: StoredContent, overlap: OverlapCheck): StoredContent => {
  switch (words.kind) {
    case "said":
      return { ...words, ...mapParts(words, overlap.without) };
    case "comment":
      return { ...words, text: overlap.without(words.text) };
    case "answer":
      return answerWithout(words, overlap);
    case "result":
      return {
        ...words,
        ...maskTexts({ text: words.text, diff: words.diff }, overlap.without),
        ...(words.note === undefined
          ? {}
          : { note: { ...words.note, text: overlap.without(words.note.text) } }),
      };
    case "dangers": {
      const left = words.dangers.map(({ category, ...said }) => ({
        category,
        ...maskTexts(said, overlap.without),
      }));
      return { ...words, dangers: left };
    }
    case "proposal":
      return { ...words, proposal: proposalWithout(words.proposal, overlap) };
    case "meta":
    case "gone":
      return words;
  }
};

/** Citations and links that repeat erased text would point elsewhere without that text. */
const answerWithout = (words: StoredContent & { kind: "answer" }, overlap: OverlapCheck): StoredContent => {
  const { citations, links } = words;
  const blocks = words.blocks.flatMap((block) => blockWithout(block, overlap));
  const isKept = (one: unknown): boolean => {
    const text = JSON.stringify(one);
    return overlap.without(text) === text;
  };
  return {
    ...words,
    blocks,
    ...omitUndefined({ citations: citations?.filter(isKept), links: links?.filter(isKept) }),
  };
};

/** Ids of trees remain, because clicks are compared with them. */
const proposalWithout = (proposal: Proposal, { without: left }: OverlapCheck): Proposal => {
  const { draft } = proposal;
  const files = proposal.files.map((file) => fileWithout(file, left));
  const facts = proposal.facts.map(({ name, value }) => ({ name, value: left(value) }));
  const texts = proposal.texts.map(({ name, text }) => ({ name, text: left(text) }));
  return {
    ...proposal,
    files,
    facts,
    texts,
    ...omitUndefined({ draft: draft && draftWithout(draft, left) }),
  };
};

/** Removes opaque blocks with erased text, because the provider accepts them only unchanged. */
const blockWithout = (block: AnswerBlock, overlap: OverlapCheck): readonly AnswerBlock[] => {
  switch (block.kind) {
    case "text":
      return [{ ...block, text: overlap.without(block.text) }];
    case "toolUse":
      return [{ ...block, input: maskTexts(block.input, overlap.without) }];
    case "opaque": {
      const raw = JSON.stringify(block.raw);
      return overlap.without(raw) === raw ? [block] : [];
    }
  }
};

/** The transcript has the text of accepted claims. A refused claim keeps its text for *Stop and send this*. */
const claimLeft = (
  { claim, message }: ClaimRow,
  isMeant: boolean,
  { cut }: ErasureRequest,
  overlap: OverlapCheck,
): readonly Claim[] => {
  const { own: _, files: __, ...bare } = claim;
  const empty: Claim = { ...bare, text: "", images: [] };
  const rest = isMeant || message !== null ? null : mapParts(cut(claim, false).left, overlap.without);
  const left = rest === null ? empty : { ...claim, ...rest, ...filesLeft(claim, rest) };
  return left.text === claim.text && left.images.length === claim.images.length ? [] : [left];
};

const hashesOf = (words: StoredContent | undefined): readonly string[] =>
  words?.kind === "said" || words?.kind === "result" ? hashesIn(words) : [];

const hashesIn = ({ images, files = [] }: Pick<Claim, "images" | "files">): readonly string[] =>
  [...images, ...files].map(({ hash }) => hash);
