/** Writes that the disk refuses are values; any other error is a programming error and is thrown. */

import Database from "better-sqlite3";
import { DONE, type WriteFailure } from "../../ports/host.ts";

/** After a failure, the enclosing transaction undoes the changes (batch.ts). */
export const attemptWrite = <T>(write: () => T): T | WriteFailure => {
  try {
    return write();
  } catch (error) {
    if (error instanceof Database.SqliteError) return failureOf(error);
    if (error instanceof RangeError) return writeFailed(`a value cannot be stored: ${error.message}`);
    throw error;
  }
};

const WRITE: unique symbol = Symbol("write");

/** The group collects calls of this member, and the writer thread executes them. */
export type WriteMember<Given extends readonly unknown[], Answer> = ((
  ...given: Given
) => Answer | WriteFailure) & {
  readonly [WRITE]: true;
};

export type ReadMembers<Port> = {
  readonly [K in keyof Port as Port[K] extends { readonly [WRITE]: true } ? never : K]: Port[K];
};

/** A port with direct database access: members with a promise write synchronously. */
export type DirectPort<Port> = {
  readonly [K in keyof Port]: Port[K] extends (...given: infer Given) => Promise<infer Answer>
    ? WriteMember<Given, Exclude<Answer, WriteFailure>>
    : Port[K];
};

export type GroupedPort<Members> = {
  readonly [K in keyof Members]: Members[K] extends WriteMember<infer Given, infer Answer>
    ? (...given: Given) => Promise<Answer | WriteFailure>
    : Members[K];
};

/** The arguments and results must be cloneable. */
export const writing = <Given extends readonly unknown[], Answer>(
  does: (...given: Given) => Answer,
): WriteMember<Given, Answer> => {
  const write = (...given: Given): Answer | WriteFailure => attemptWrite(() => does(...given));
  return Object.assign(write, { [WRITE]: true } as const);
};

export const doing = <Given extends readonly unknown[]>(does: (...given: Given) => unknown) =>
  writing((...given: Given) => {
    does(...given);
    return DONE;
  });

export const isWrite = <Answer>(member: unknown): member is WriteMember<readonly unknown[], Answer> =>
  typeof member === "function" && WRITE in member;

/** A write that contradicts stored rows, or a value that no row can hold: trying again cannot help. */
export const writeFailed = (message: string): WriteFailure => ({ kind: "failed", code: "conflict", message });

type SqliteError = Pick<InstanceType<typeof Database.SqliteError>, "code" | "message">;

export const isBusy = ({ code }: SqliteError): boolean => code.startsWith("SQLITE_BUSY");

export const failureOf = (error: SqliteError): WriteFailure => ({ kind: "failed", ...diagnose(error) });

const diagnose = ({ code, message }: SqliteError): Pick<WriteFailure, "code" | "message"> => {
  if (code === "SQLITE_FULL") return { code: "disk_full", message: "the disk of the data directory is full" };
  if (code.startsWith("SQLITE_READONLY"))
    return { code: "read_only", message: "the data directory is read-only" };
  if (code.startsWith("SQLITE_CONSTRAINT")) return { code: "conflict", message: `${code}: ${message}` };
  return { code: "io", message: `${code}: ${message}` };
};
