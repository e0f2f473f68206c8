/**
 * Identifies Parley's own messages (D10, D21). The nonce makes a repeated send harmless for some minutes, but
 * cannot be read back. A component's number can be read back, and Parley can choose it: thirty bits of the
 * key's hash. Pure.
 */

import { createHash } from "node:crypto";

/** Maximum number of characters in a nonce. */
const NONCE_LENGTH = 25;
/** Above every number that Discord assigns by itself, and below 2³¹. */
const OURS = 2 ** 30;
/** Start of a separate range, below the marks of messages in the ledger. */
const NOTES = 2 ** 29;

export const nonceOf = (wire: string): string => hashOf(wire).toString("base64url").slice(0, NONCE_LENGTH);

/** Number for the first component of the message that carries the key. */
export const messageKey = (wire: string): number => OURS + (hashOf(wire).readUInt32BE(0) % OURS);

export const isMessageKey = (component: number): boolean => component >= OURS;

/** Number for a line that is in no ledger. The search for lost messages ignores these. */
export const noteKey = (key: string): number => NOTES + (hashOf(key).readUInt32BE(0) % NOTES);

/** Whether any Parley wrote the message, also another one. */
export const isSign = (component: number): boolean => component >= NOTES;

const hashOf = (wire: string): Buffer => createHash("sha256").update(wire).digest();
