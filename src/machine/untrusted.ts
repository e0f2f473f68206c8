/**
 * What the model has read that no person of the conversation said to it: named in every question, because it may have
 * made the model ask. The host counts; nothing here is the model's word. Pure.
 */

import type { Quoted, Reached } from "./words.ts";

/** Over the conversation's life. */
export interface Untrusted extends Quoted {
  /** Hosts that calls reached, each once, at most HOSTS of them. */
  readonly hosts: readonly string[];
}

const HOSTS = 10;

const NONE: Untrusted = { messages: 0, previews: 0, files: 0, pictures: 0, hosts: [] };

type Counting = { readonly untrusted?: Untrusted };

export const withQuoted = <S extends Counting>(state: S, quoted: Quoted | undefined): S => {
  if (quoted === undefined) return state;
  const before = state.untrusted ?? NONE;
  return {
    ...state,
    untrusted: {
      ...before,
      messages: before.messages + quoted.messages,
      previews: before.previews + quoted.previews,
      files: before.files + quoted.files,
      pictures: before.pictures + quoted.pictures,
      ...rare(before, quoted),
    },
  };
};

/** Of what most conversations have none. */
const rare = (before: Quoted, quoted: Quoted): Pick<Quoted, "summaries" | "events"> => {
  const summaries = (before.summaries ?? 0) + (quoted.summaries ?? 0);
  const events = (before.events ?? 0) + (quoted.events ?? 0);
  return { ...(summaries === 0 ? {} : { summaries }), ...(events === 0 ? {} : { events }) };
};

export const withReached = <S extends Counting>(state: S, reached: readonly Reached[]): S => {
  const before = state.untrusted ?? NONE;
  const hosts = new Set([
    ...before.hosts,
    ...reached.flatMap(({ host, allowed }) => (allowed ? [host] : [])),
  ]);
  return hosts.size === before.hosts.length || before.hosts.length >= HOSTS
    ? state
    : { ...state, untrusted: { ...before, hosts: [...hosts].slice(0, HOSTS) } };
};

/** One sentence for people; `code` writes names of hosts. */
export const untrustedText = (untrusted: Untrusted | undefined, code: (text: string) => string): string =>
  `Untrusted sources read so far, besides the checkout: ${untrustedRead(untrusted, code)}.`;

/** The list in it: `none`, or `2 quoted messages, 1 file`. */
export const untrustedRead = (untrusted: Untrusted | undefined, code: (text: string) => string): string => {
  const { messages, previews, files, pictures, hosts, summaries = 0, events = 0 } = untrusted ?? NONE;
  const read = [
    ...(events === 0 ? [] : ["the event that began it"]),
    ...(summaries === 0 ? [] : ["the summary of an earlier conversation"]),
    ...counted(messages, "quoted message"),
    ...counted(previews, "link preview"),
    ...counted(files, "file"),
    ...counted(pictures, "picture"),
    ...(hosts.length === 0 ? [] : [`answers from ${hosts.map(code).join(", ")}`]),
  ];
  return read.length === 0 ? "none" : read.join(", ");
};

const counted = (count: number, what: string): readonly string[] =>
  count === 0 ? [] : [`${count} ${what}${count === 1 ? "" : "s"}`];
