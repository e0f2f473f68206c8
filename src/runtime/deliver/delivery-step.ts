/** The ledger records a call before it is made, and its outcome after. */

import type { ConversationId, Millis } from "../../machine/id.ts";
import type { Clock, Log, MaskFile, RandomId } from "../../ports/host.ts";
import type { Blobs } from "../../ports/store.ts";
import {
  type CallKind,
  type Content,
  type DeliveryRow,
  type FileBytes,
  type FilePart,
  type Ledger,
  type Operation,
  type SendOutcome,
  type Renderer,
  type Surface,
  type Thread,
  STATUS_POST,
  whyOf,
} from "../../ports/surface.ts";
import type { DuplicatePosts } from "./twins.ts";
import { copyKey, isCopy, type ThreadLedger } from "./thread-ledger.ts";
import { withBelow } from "./masked.ts";
import type { Pace } from "./pace.ts";
import type { StepResult, WantedMessage } from "./plan.ts";
import { resolveUnknownSends } from "./unknown-sends.ts";
import { pieceHashOf } from "./pieces.ts";
import { callOfEdit } from "./step-rank.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

type Result =
  | { readonly kind: "done"; readonly lasts?: Millis; readonly wait?: Millis }
  | { readonly kind: "throttled"; readonly call: CallKind; readonly retryAfter: Millis }
  /** The content must change before another try. */
  | { readonly kind: "refused" }
  | { readonly kind: "again"; readonly why: string }
  /** The platform does not report which messages it holds. */
  | { readonly kind: "blind"; readonly why: string }
  | { readonly kind: "closed"; readonly why: string };

interface DeliveryStepDeps {
  readonly surface: Surface;
  readonly renderer: Renderer;
  readonly ledger: Ledger;
  readonly blobs: Pick<Blobs, "get">;
  readonly maskFile: MaskFile;
  readonly clock: Clock;
  readonly log: Log;
  readonly randomId: RandomId;
  readonly thread: Thread;
  readonly book: ThreadLedger;
  readonly pace: Pace;
  readonly fault: (conversation: ConversationId, error: unknown) => void;
  readonly twins: Pick<DuplicatePosts, "expect">;
}

export type DeliveryStep = ReturnType<typeof createDeliveryStep>;

/** Failures of one content in a row after which it is sent as plain text. */
const MAX_TRIES = 6;
/** Time before a notice replaces an answer: an outage of posting alone may last minutes, and the answer is worth more. */
const NOTICE_AFTER: Millis = 600_000;
/** Fewer, because later messages wait for a file (WS1). An upload has three calls, and each may fail once. */
const FILE_TRIES = 4;
/** For this long after a dropped file, later files have one try each, so that a queue of files waits only once. */
const DROPPING: Millis = 60_000;

interface Failures {
  readonly count: number;
  readonly since: Millis;
  readonly why: string;
  /** Whether the thread could be read after these failures. */
  readonly isReachable: boolean;
}

export const createDeliveryStep = (deps: DeliveryStepDeps) => {
  const { surface, renderer, ledger, blobs, log, thread, book, pace, clock } = deps;
  /** Keyed by the hash of the content. Null if our own code failed: the content is then sent as plain text. */
  const refusals = new Map<string, { readonly why: string; readonly own: boolean } | null>();
  /** Hashes of the content that replaces refused content. */
  const substitutes = new Set<string>();
  const missed = new Set<string>();
  /** Wires of messages that grow as a platform stream and have no end yet. */
  const growing = new Set<string>();
  const failures = new Map<string, Failures>();
  /** Time of the last dropped file; null if the platform has accepted a file since. */
  let dropped: Millis | null = null;
  const isDropping = (): boolean => dropped !== null && clock.now() - dropped < DROPPING;

  const send = async (step: StepResult & { kind: "send" }, by: CallKind): Promise<Result> => {
    const { piece, hash } = step.wanted;
    const row = step.row ?? fresh(step.wanted);
    const worn = await wornOut(row, step.wanted);
    if (worn !== null) return worn;
    const content = step.repeat ? renderer.repeated(piece.content) : piece.content;
    const open = by === "begin" ? { isOpen: true as const } : {};
    const result =
      content.files === undefined
        ? await call(
            { kind: "send", thread, wire: row.wire, hash, content, ...open },
            row,
            by,
            hash,
            // A begun message is ended by a separate call; until then the ledger must not claim that it holds this content.
            step.wanted.open === true || by === "begin",
          )
        : await tried(step.wanted, await upload(row, hash, content, content.files));
    if (result.kind === "done" && by === "begin" && step.wanted.open !== true) unfinished(row.key);
    if (result.kind === "done" && missed.delete(row.wire)) await removeTwin(row.key);
    return result;
  };

  /** Skips the pause after the last try of a file. If its outcome is unknown, the next step asks whether the file arrived. */
  const tried = async (wanted: WantedMessage, result: Result): Promise<Result> => {
    if (result.kind === "done") dropped = null;
    const failed = failures.get(wanted.hash);
    const row = book.get(wanted.piece.key);
    if (result.kind !== "again" || failed === undefined || row === undefined) return result;
    if (!failed.isReachable && !(isDropping() && (await canOpen(wanted.hash, failed)))) return result;
    return row.state === "unknown" ? { kind: "refused" } : ((await wornOut(row, wanted)) ?? result);
  };

  const unfinished = (key: string): void => {
    const row = book.get(key);
    if (row !== undefined) book.note({ ...row, hash: null });
  };

  /** Missing bytes count as refused bytes, so that the message says so. */
  const upload = async (
    row: DeliveryRow,
    hash: string,
    content: Content,
    parts: readonly FilePart[],
  ): Promise<Result> => {
    const files: FileBytes[] = [];
    let count = 0;
    for (const { source, ...part } of parts) {
      const bytes = await bytesOf(source);
      if (bytes === null) return refuse(row, hash, `the bytes of ${part.name} are no longer stored`, true);
      const masked = await deps.maskFile(bytes);
      if (masked.kind === "beyond") return refuse(row, hash, `${part.name}: ${masked.why}`, true);
      files.push({ ...part, bytes: masked.bytes });
      count += masked.count;
    }
    const told = count === 0 ? content : withBelow(content, renderer.masked(count));
    return call({ kind: "upload", thread, wire: row.wire, hash, content: told, files }, row, "upload", hash);
  };

  const bytesOf = (source: FilePart["source"]): Promise<Uint8Array | null> =>
    source.kind === "blob" ? blobs.get(source.hash) : Promise.resolve(Buffer.from(source.text));

  /** If the first request of a message was slow rather than lost, both messages exist now. */
  const removeTwin = async (key: string): Promise<void> => {
    const row = book.get(key);
    if (row === undefined) return;
    const seen = await surface.observe(thread, ledger.before(thread.conversation, key), [row.wire]);
    if (seen.kind !== "seen" || !seen.messages.some(({ wire }) => wire === row.wire)) return;
    await Promise.all(resolveUnknownSends([row], seen.messages, book.rows()).map(book.keep));
  };

  /** Repeated failures lead to plain text, then to a notice: no delivery blocks its thread. Null if another try is allowed. */
  const wornOut = async (row: DeliveryRow, { piece, hash }: WantedMessage): Promise<Result | null> => {
    const failed = failures.get(hash);
    if (failed === undefined || substitutes.has(hash)) return null;
    const isFile = piece.content.files !== undefined;
    if (failed.count < (isFile ? FILE_TRIES : MAX_TRIES) && !(isFile && failed.isReachable)) return null;
    if (!isFile && piece.content.plain !== true) {
      failures.delete(hash);
      log.warn("delivery: message failed repeatedly, sent as plain text", {
        conversation: thread.conversation,
        why: failed.why,
      });
      refusals.set(hash, null);
      return { kind: "refused" };
    }
    if (!isFile && clock.now() - failed.since < NOTICE_AFTER) return null;
    if (!failed.isReachable) {
      // A platform that accepts nothing says nothing about this content. One more try decides if the thread can be read.
      await canOpen(hash, failed);
      return null;
    }
    failures.delete(hash);
    if (isFile) dropped = clock.now();
    return refuse(row, hash, failed.why);
  };

  const canOpen = async (hash: string, failed: Failures): Promise<boolean> => {
    const { kind } = await surface.open(thread);
    if (kind === "done") failures.set(hash, { ...failed, isReachable: true });
    return kind === "done";
  };

  const countFailure = (outcome: SendOutcome, hash: string | null): void => {
    if (hash === null) return;
    if (outcome.kind === "done") return void failures.delete(hash);
    if (outcome.kind === "gone" || outcome.kind === "throttled") return;
    const { count, since, isReachable } = failures.get(hash) ?? {
      count: 0,
      since: clock.now(),
      isReachable: false,
    };
    failures.set(hash, { count: count + 1, since, why: whyOf(outcome), isReachable });
  };

  const edit = async ({ wanted, row, id }: StepResult & { kind: "edit" }): Promise<Result> => {
    const { piece, hash } = wanted;
    const worn = await wornOut(row, wanted);
    if (worn !== null) return worn;
    const kind = wanted.open === true && !piece.final ? "edit" : "finish";
    const { content } = piece;
    return call(
      { kind, thread, wire: row.wire, id, hash, content },
      row,
      callOfEdit(wanted),
      hash,
      wanted.open,
    );
  };

  const remove = async ({ row: before, id }: StepResult & { kind: "remove" }): Promise<Result> => {
    const row = await released(before, id);
    if (book.owes()) return { kind: "again", why: "the disk refuses the ledger" };
    const result = await call({ kind: "delete", thread, wire: row.wire, id }, row, "delete", null);
    if (result.kind !== "done") return result;
    pace.forget(row.key);
    await book.drop(row.key);
    return result;
  };

  /** Frees the key before the call: if the response is lost and the post is wanted again, it becomes another message. */
  const released = async (row: DeliveryRow, id: string): Promise<DeliveryRow> => {
    if (row.post === STATUS_POST || isCopy(row)) return row;
    const copy = { ...row, key: copyKey(row.key, id), post: STATUS_POST };
    await book.keep(copy);
    await book.drop(row.key);
    return copy;
  };

  /** The first progress message is recorded in the ledger because it must be removed; its edits are not (T3). */
  const show = async (step: StepResult & { kind: "show" }, by: CallKind): Promise<Result> => {
    const { piece, hash } = step.wanted;
    const row = step.row ?? fresh(step.wanted);
    const { content } = piece;
    const { progress } = step.wanted;
    const made = progress === undefined || by === "send" ? {} : { progress };
    const operation = { kind: "status", thread, wire: row.wire, id: row.id, content, ...made } as const;
    if (row.id !== null) return change(operation, row, hash);
    const result = await call(operation, row, by, hash);
    if (result.kind === "refused") await book.keep({ ...row, state: "gone" });
    return result;
  };

  /** A failed edit of progress delays nothing else: the next edit brings newer text anyway. */
  const change = async (
    operation: Operation & { kind: "status" },
    row: DeliveryRow,
    hash: string,
  ): Promise<Result> => {
    const outcome = await surface.apply(operation);
    switch (outcome.kind) {
      case "done":
        book.note({ ...row, hash });
        return done(outcome);
      case "refused":
      case "unknown":
        book.note({ ...row, hash });
        return { kind: "done" };
      case "throttled":
        pace.throttled(row.key);
        return { kind: "throttled", call: "show", retryAfter: outcome.retryAfter };
      case "gone":
        if (outcome.what === "thread") return { kind: "closed", why: outcome.why };
        await book.keep({ ...row, state: "gone" });
        return { kind: "done" };
    }
  };

  const observe = async (): Promise<Result> => {
    const doubtful = book.rows().filter((row) => row.state === "unknown");
    const [first] = doubtful;
    if (first === undefined) return { kind: "done" };
    const sought = doubtful.map(({ wire }) => wire);
    const since = ledger.before(thread.conversation, first.key);
    const seen = await surface.observe(thread, since, sought);
    if (seen.kind === "seen") {
      const rows = resolveUnknownSends(doubtful, seen.messages, book.rows());
      for (const row of rows) {
        if (row.state === "planned") missed.add(row.wire);
        // A copy that is to be removed is never sent again.
        const isMissed = !isCopy(row) && !seen.messages.some(({ wire }) => wire === row.wire);
        // The unanswered request may arrive late. The mark is written first, for a process that ends between the two writes.
        if (isMissed || book.isMarked(row)) await deps.twins.expect(row, since);
      }
      await Promise.all(rows.map(book.keep));
      return { kind: "done" };
    }
    if (seen.kind === "gone") return { kind: "closed", why: seen.why };
    if (seen.kind === "refused" && seen.permanent) return { kind: "blind", why: seen.why };
    return trouble(seen, "read");
  };

  /** For a growing message only its existence is recorded, so that its end is always sent and edits cost no disk write. */
  const call = async (
    operation: Operation,
    row: DeliveryRow,
    kind: CallKind,
    hash: string | null,
    isOpen = false,
  ): Promise<Result> => {
    const isGrowth = isOpen && kind === "edit";
    if (!isGrowth && !(await book.write({ ...row, state: "sending" })))
      return { kind: "again", why: "the disk refuses the ledger" };
    const outcome = await surface.apply(operation);
    const after = rowAfter(outcome, row, hash);
    if (!isGrowth || outcome.kind !== "done") await book.keep(isOpen ? { ...after, hash: null } : after);
    if (isOpen && outcome.kind === "done") book.note(after);
    if (outcome.kind === "done") growing[isOpen ? "add" : "delete"](row.wire);
    // If the response was lost, the message may have begun to grow.
    if (outcome.kind === "unknown" && isOpen) growing.add(row.wire);
    countFailure(outcome, hash);
    if (outcome.kind === "throttled" && (kind === "edit" || kind === "finish")) pace.throttled(row.key);
    if (isReplaced(outcome)) await letGo(row);
    return interpret(outcome, row, kind, hash);
  };

  /** Messages after a replaced one must be below the replacement, so they are re-created as well. */
  const letGo = async (replaced: DeliveryRow): Promise<void> => {
    const later = book
      .rows()
      .filter(
        ({ post, key, id }) => post === replaced.post && id !== null && indexOf(key) > indexOf(replaced.key),
      );
    for (const row of later) {
      await book.keep({ ...row, key: copyKey(row.key, row.id ?? "") });
      await book.drop(row.key);
    }
  };

  const interpret = async (
    outcome: SendOutcome,
    row: DeliveryRow,
    call: CallKind,
    hash: string | null,
  ): Promise<Result> => {
    switch (outcome.kind) {
      case "done":
        return done(outcome);
      case "gone":
        return outcome.what === "message" && row.id !== null
          ? { kind: "done" }
          : { kind: "closed", why: outcome.why };
      case "refused":
        if (!outcome.permanent) return { kind: "again", why: outcome.why };
        if (outcome.fault !== true || hash === null || substitutes.has(hash))
          return refuse(row, hash, outcome.why);
        deps.fault(thread.conversation, outcome.why);
        refusals.set(hash, null);
        return { kind: "refused" };
      case "throttled":
      case "unknown":
        return trouble(outcome, call);
    }
  };

  /** Leaves the message as it is. A message that still grows is removed, because readers would wait for its end. */
  const giveUp = async (row: DeliveryRow): Promise<void> => {
    if (row.id === null || !growing.delete(row.wire)) return book.keep({ ...row, state: "gone" });
    await book.keep({ ...row, key: copyKey(row.key, row.id), post: STATUS_POST, state: "sent" });
    await book.keep({ ...row, id: null, state: "gone" });
  };

  /** A message whose substitute is refused too is given up. */
  const refuse = async (row: DeliveryRow, hash: string | null, why: string, own = false): Promise<Result> => {
    const what = own ? "delivery: file not sent" : "delivery: message refused by the platform";
    log.error(what, { conversation: thread.conversation, why });
    if (hash === null || substitutes.has(hash)) await giveUp(row);
    else refusals.set(hash, { why, own });
    return { kind: "refused" };
  };

  /** Returns plain text if our own code failed, otherwise a notice that names the reason. */
  const acceptable = (wanted: WantedMessage): WantedMessage => {
    const refusal = refusals.get(wanted.hash);
    if (refusal === undefined) return wanted;
    const { piece } = wanted;
    const isPlain = piece.content.plain === true;
    const content: Content =
      refusal === null && !isPlain
        ? { ...piece.content, plain: true }
        : renderer.refused(refusal?.why ?? "its form fails", piece.content, refusal?.own ?? true);
    const hash = pieceHashOf(content);
    if (content.plain !== true) substitutes.add(hash);
    return acceptable({ ...wanted, piece: { ...piece, content }, hash });
  };

  const fresh = ({ piece, post }: WantedMessage): DeliveryRow => ({
    key: piece.key,
    post,
    wire: deps.randomId(),
    id: null,
    hash: null,
    state: "planned",
  });

  return {
    carry: (step: StepResult, by: CallKind): Promise<Result> => {
      switch (step.kind) {
        case "send":
          return send(step, by);
        case "edit":
          return edit(step);
        case "remove":
          return remove(step);
        case "show":
          return show(step, by);
        case "observe":
          return observe();
      }
    },
    acceptable,
  };
};

const done = ({ lasts, wait }: SendOutcome & { readonly kind: "done" }): Result => ({
  kind: "done",
  ...omitUndefined({ lasts, wait }),
});

/** A call without effect leaves the row as `before`. */
const rowAfter = (outcome: SendOutcome, before: DeliveryRow, hash: string | null): DeliveryRow => {
  switch (outcome.kind) {
    case "done":
      return { ...before, state: "sent", id: outcome.id, hash };
    case "throttled":
    case "refused":
      return before;
    case "gone":
      if (isReplaced(outcome)) return { ...before, id: null, hash: null, state: "planned" };
      return outcome.what === "message" && before.id !== null ? { ...before, state: "gone" } : before;
    case "unknown":
      return before.id === null ? { ...before, state: "unknown" } : { ...before, hash: null };
  }
};

const isReplaced = (outcome: SendOutcome): boolean =>
  outcome.kind === "gone" && outcome.what === "message" && outcome.isReplaced === true;

const indexOf = (key: string): number => Number(/#(\d+)/.exec(key)?.[1] ?? 0);

const trouble = (outcome: Exclude<SendOutcome, { kind: "done" | "gone" }>, call: CallKind): Result =>
  outcome.kind === "throttled"
    ? { kind: "throttled", call, retryAfter: outcome.retryAfter }
    : { kind: "again", why: outcome.why };
