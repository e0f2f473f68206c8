/** SOCKS5 (RFC 1928), as much as a client needs here: no authentication, CONNECT. Reading is pure. */

import { readHost, type Target } from "./target.ts";

export const SOCKS_VERSION = 5;

export type Read<T> =
  | { readonly kind: "more" }
  | { readonly kind: "bad" }
  | { readonly kind: "read"; readonly value: T; readonly length: number };

/** The greeting: whether the client is content without authentication. */
export const readGreeting = (bytes: Buffer): Read<boolean> => {
  if (bytes.length < 2) return { kind: "more" };
  const length = 2 + bytes.readUInt8(1);
  if (bytes.readUInt8(0) !== SOCKS_VERSION || length === 2) return { kind: "bad" };
  if (bytes.length < length) return { kind: "more" };
  return { kind: "read", value: bytes.subarray(2, length).includes(0), length };
};

/** What a request asks for: a destination, or the reply that says why it gets none. */
export type Asked =
  | { readonly kind: "target"; readonly target: Target }
  | { readonly kind: "reply"; readonly reply: number };

export const REPLY = {
  done: 0,
  failed: 1,
  refused: 2,
  unreachable: 4,
  noSuchCommand: 7,
  noSuchAddress: 8,
} as const;

const CONNECT = 1;
const ADDRESS_V4 = 1;
const ADDRESS_NAME = 3;
const ADDRESS_V6 = 4;

export const readRequest = (bytes: Buffer): Read<Asked> => {
  if (bytes.length < 5) return { kind: "more" };
  if (bytes.readUInt8(0) !== SOCKS_VERSION || bytes.readUInt8(2) !== 0) return { kind: "bad" };
  const type = bytes.readUInt8(3);
  const at = type === ADDRESS_NAME ? 5 : 4;
  const size = sizeOf(type, bytes.readUInt8(4));
  if (size === null) return { kind: "read", value: { kind: "reply", reply: REPLY.noSuchAddress }, length: 5 };
  const length = at + size + 2;
  if (bytes.length < length) return { kind: "more" };
  const asked = (value: Asked): Read<Asked> => ({ kind: "read", value, length });
  if (bytes.readUInt8(1) !== CONNECT) return asked({ kind: "reply", reply: REPLY.noSuchCommand });
  const host = readHost(textOf(type, bytes.subarray(at, at + size)));
  const port = bytes.readUInt16BE(at + size);
  return asked(
    host === null || port === 0
      ? { kind: "reply", reply: REPLY.refused }
      : { kind: "target", target: { host, port } },
  );
};

/** The answer to a request. The address in it means nothing to anybody here and is zero. */
export const replyBytes = (reply: number): Buffer =>
  Buffer.from([SOCKS_VERSION, reply, 0, ADDRESS_V4, 0, 0, 0, 0, 0, 0]);

const sizeOf = (type: number, first: number): number | null => {
  if (type === ADDRESS_V4) return 4;
  if (type === ADDRESS_V6) return 16;
  return type === ADDRESS_NAME ? first : null;
};

const textOf = (type: number, bytes: Buffer): string => {
  if (type === ADDRESS_V4) return bytes.join(".");
  if (type === ADDRESS_NAME) return bytes.toString("utf8");
  return Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(2 * i).toString(16)).join(":");
};
