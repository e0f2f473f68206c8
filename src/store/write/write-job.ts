/** Writes as data, so that they can be collected and sent to another thread. */

import type { WriteFailure } from "../../ports/host.ts";
import type { StoreParts } from "../tables/all-tables.ts";
import { isWrite, type WriteMember } from "../base/write.ts";

type Writes = { readonly [Port in keyof StoreParts]: WritesOf<Port, StoreParts[Port]> };

type WritesOf<Port, Members> = {
  readonly [Name in keyof Members as Members[Name] extends WriteMember<infer _Given, infer _Answer>
    ? Name
    : never]: Members[Name] extends WriteMember<infer Given, infer Answer>
    ? {
        readonly job: { readonly port: Port; readonly name: Name; readonly given: Given };
        readonly answer: Answer;
      }
    : never;
};

type Each<Of> = Of[keyof Of];
type Known = { readonly [Port in keyof StoreParts]: Each<Writes[Port]> }[keyof StoreParts];

export type WriteJob = Known["job"];

export type WriteAnswer = Known["answer"] | WriteFailure;

/** Runs as part of the open transaction. */
export const runWriteJob = (parts: StoreParts, { port, name, given }: WriteJob): WriteAnswer => {
  const member: unknown = Reflect.get(parts[port], name);
  if (!isWrite<WriteAnswer>(member)) throw new Error(`${name} of ${port} does not write`);
  return member(...given);
};
