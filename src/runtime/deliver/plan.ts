/**
 * P1 Nothing is sent while the arrival of an earlier message is uncertain. P2 New messages are sent in the order of `wanted`
 * and before anything else, so that neither edits nor progress delay them. While the platform blocks uploads, a file delays
 * only the later messages of its own post. A grown message is completed before the next message of its post is sent, because
 * until then it may have to be re-created below later ones. P3 Progress is removed once its replacement is posted, and shown
 * again below it (D22). P4 A posted message is never sent again, and one with the right content is left unchanged. P5 A message
 * that a person deleted stays deleted.
 */

import type { DeliveryRow, MessagePiece, Progress } from "../../ports/surface.ts";

export interface WantedMessage {
  readonly piece: MessagePiece;
  readonly post: string;
  readonly hash: string;
  /** Belongs to a running turn: edited no more often than progress. */
  readonly open?: true;
  readonly progress?: Progress;
}

export interface SurfaceAbilities {
  /** Whether the platform can report which messages it holds. */
  readonly observe: boolean;
  /** False while the route is throttled. */
  readonly send: boolean;
  readonly upload: boolean;
  edit(row: DeliveryRow, wanted: WantedMessage): boolean;
  readonly remove: boolean;
  /** False while showing or editing progress would be too soon. */
  readonly show: boolean;
  /** Like `show`, for the message of a running turn. */
  readonly grow: boolean;
  /** Keys of messages that are edited only once more, with their final content (edit storms). */
  readonly finalOnly: ReadonlySet<string>;
}

export const EVERYTHING: SurfaceAbilities = {
  observe: true,
  send: true,
  upload: true,
  edit: () => true,
  remove: true,
  show: true,
  grow: true,
  finalOnly: new Set(),
};

export type NextSend =
  | { readonly kind: "observe" }
  | {
      readonly kind: "send";
      readonly wanted: WantedMessage;
      readonly row: DeliveryRow | null;
      readonly repeat: boolean;
    }
  | { readonly kind: "edit"; readonly wanted: WantedMessage; readonly row: DeliveryRow; readonly id: string }
  | { readonly kind: "remove"; readonly row: DeliveryRow; readonly id: string }
  /** A row that names no existing message and that nothing wants. */
  | { readonly kind: "forget"; readonly row: DeliveryRow }
  | { readonly kind: "show"; readonly wanted: WantedMessage; readonly row: DeliveryRow | null };

export type StepResult = Exclude<NextSend, { kind: "forget" }>;

export const plan = (
  wanted: readonly WantedMessage[],
  status: WantedMessage | null,
  rows: readonly DeliveryRow[],
  can: SurfaceAbilities,
): NextSend | null => {
  const known = new Map(rows.map((row) => [row.key, row]));
  const needed = new Set([...wanted, ...(status === null ? [] : [status])].map(({ piece }) => piece.key));
  if (rows.some((row) => row.state === "sending")) return null;
  const unknown = rows.find((row) => row.state === "unknown");
  if (unknown !== undefined) return unsure(unknown, wanted, status, can);
  const unsent = wanted.filter(({ piece }) => isUnsent(known.get(piece.key)));
  const first = firstOf(unsent, can);
  if (first !== undefined && maySend(first, can))
    return edit(before(first, wanted), known, can) ?? send(first, known, false);
  const idle = rows.find((row) => (row.state === "planned" || row.state === "gone") && !needed.has(row.key));
  if (idle !== undefined) return { kind: "forget", row: idle };
  return (
    (unsent.length === 0 ? removal(rows, needed, can) : null) ??
    edit(wanted, known, can) ??
    (unsent.length === 0 ? show(status, known, can) : null)
  );
};

const firstOf = (unsent: readonly WantedMessage[], can: SurfaceAbilities): WantedMessage | undefined => {
  const held = new Set<string>();
  return unsent.find((one) => {
    if (!can.upload && one.piece.content.files !== undefined) held.add(one.post);
    return !held.has(one.post);
  });
};

const before = (one: WantedMessage, wanted: readonly WantedMessage[]): readonly WantedMessage[] =>
  wanted.slice(0, wanted.indexOf(one)).filter(({ post }) => post === one.post);

/** P1. If the platform cannot be asked, the repeated message says that it may be a repeat. */
const unsure = (
  row: DeliveryRow,
  wanted: readonly WantedMessage[],
  status: WantedMessage | null,
  can: SurfaceAbilities,
): NextSend | null => {
  if (can.observe) return { kind: "observe" };
  const again = wanted.find(({ piece }) => piece.key === row.key);
  if (again !== undefined) {
    return maySend(again, can) ? { kind: "send", wanted: again, row, repeat: true } : null;
  }
  return status?.piece.key === row.key && can.show
    ? { kind: "show", wanted: status, row }
    : { kind: "forget", row };
};

const send = (wanted: WantedMessage, known: ReadonlyMap<string, DeliveryRow>, repeat: boolean): NextSend => ({
  kind: "send",
  wanted,
  row: known.get(wanted.piece.key) ?? null,
  repeat,
});

const removal = (
  rows: readonly DeliveryRow[],
  needed: ReadonlySet<string>,
  can: SurfaceAbilities,
): NextSend | null => {
  if (!can.remove) return null;
  for (const row of rows) {
    if (row.state === "sent" && row.id !== null && !needed.has(row.key)) {
      return { kind: "remove", row, id: row.id };
    }
  }
  return null;
};

const edit = (
  wanted: readonly WantedMessage[],
  known: ReadonlyMap<string, DeliveryRow>,
  can: SurfaceAbilities,
): NextSend | null => {
  for (const one of wanted) {
    const row = known.get(one.piece.key);
    if (row === undefined || row.state !== "sent" || row.id === null || row.hash === one.hash) continue;
    if (one.open === true && !can.grow) continue;
    if (!can.edit(row, one)) continue;
    if (one.piece.final || !can.finalOnly.has(row.key)) return { kind: "edit", wanted: one, row, id: row.id };
  }
  return null;
};

const show = (
  status: WantedMessage | null,
  known: ReadonlyMap<string, DeliveryRow>,
  can: SurfaceAbilities,
): NextSend | null => {
  if (status === null || !can.show) return null;
  const row = known.get(status.piece.key) ?? null;
  if (row?.state === "gone" || (row?.state === "sent" && row.hash === status.hash)) return null;
  return row?.state === "sent" && can.finalOnly.has(row.key) ? null : { kind: "show", wanted: status, row };
};

const maySend = ({ piece }: WantedMessage, can: SurfaceAbilities): boolean =>
  piece.content.files === undefined ? can.send : can.upload;

const isUnsent = (row: DeliveryRow | undefined): boolean => row === undefined || row.state === "planned";
