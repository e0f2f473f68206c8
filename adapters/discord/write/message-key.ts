/**
 * Identifies Parley's own messages (D10, D21). The nonce makes a repeated send harmless for some minutes, but
 * cannot be read back. A component's number can be read back, and Parley can choose it: thirty bits of the
 * key's hash. Pure.
 */

import { createHash } from "node:crypto";

const NONCE_LENGTH = 25;
/** Above every number that Discord assigns by itself, and below 2³¹. */
const OURS = 2 ** 30;
/** First number for notes. All numbers for notes are below `OURS`, where the numbers for messages in the ledger start. */
const NOTES = 2 ** 29;

export const nonceOf = (wire: string): string => hashOf(wire).toString("base64url").slice(0, NONCE_LENGTH);

/** Number for the first component of the message that carries the key. */
export const messageKey = (wire: string): number => OURS + (hashOf(wire).readUInt32BE(0) % OURS);

export const isMessageKey = (component: number): boolean => component >= OURS;

/** Number for a line that is in no ledger. The search for lost messages ignores such numbers. */
export const noteKey = (key: string): number => NOTES + (hashOf(key).readUInt32BE(0) % NOTES);

/** Whether a Parley installation wrote the message, not necessarily this one. */
export const isSign = (component: number): boolean => component >= NOTES;

const hashOf = (wire: string): Buffer => createHash("sha256").update(wire).digest();
