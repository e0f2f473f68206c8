/**
 * How a message of ours is known again (D10, D21). The nonce makes a repeated send harmless for some minutes, and cannot be
 * read back; what can be read back is a component's number, which is ours to choose: thirty bits of the key's hash.
 * Pure.
 */

import { createHash } from "node:crypto";

/** What Discord takes as a nonce, in characters. */
const NONCE_LENGTH = 25;
/** Above every number that Discord gives out by itself, and below 2³¹. */
const OURS = 2 ** 30;
/** The same below the marks of messages that the ledger has. */
const NOTES = 2 ** 29;

export const nonceOf = (wire: string): string => hashOf(wire).toString("base64url").slice(0, NONCE_LENGTH);

/** The number of the first component of the message that carries the key. */
export const messageKey = (wire: string): number => OURS + (hashOf(wire).readUInt32BE(0) % OURS);

export const isMessageKey = (component: number): boolean => component >= OURS;

/** The same of a line that no ledger has: whoever looks for messages that it has lost passes it by. */
export const noteKey = (key: string): number => NOTES + (hashOf(key).readUInt32BE(0) % NOTES);

/** By which another Parley knows whatever this one writes. */
export const isSign = (component: number): boolean => component >= NOTES;

const hashOf = (wire: string): Buffer => createHash("sha256").update(wire).digest();
