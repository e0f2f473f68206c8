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

export const nonceOf = (wire: string): string => hashOf(wire).toString("base64url").slice(0, NONCE_LENGTH);

/** The number of the first component of the message that carries the key. */
export const markOf = (wire: string): number => OURS + (hashOf(wire).readUInt32BE(0) % OURS);

const hashOf = (wire: string): Buffer => createHash("sha256").update(wire).digest();
