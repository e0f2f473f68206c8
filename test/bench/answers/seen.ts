/**
 * What readers see of answers that stream. Every chunk of an answer carries its number, so that what a message shows says
 * how far the answer has come for whoever reads it: a chunk is seen with the first message that shows it or a later one.
 */

import { monotonic } from "../clock.ts";

/** Milliseconds for each character: 500 a second, as a fast model writes. */
const PER_CHARACTER = 2;
/** Characters of a line, which is one sentence. */
const LINE = 100;

export const intervalOf = (chunk: number): number => chunk * PER_CHARACTER;

/** Chunks of `chunk` characters: 10 are 50 chunks a second, 25 are 20. */
export const chunksOf = (stream: number, characters: number, chunk: number): readonly string[] =>
  Array.from({ length: Math.round(characters / chunk) }, (_, no) => {
    const end = ((no + 1) * chunk) % LINE === 0 ? ".\n" : " ";
    return `#${stream}.${no} and so it goes on and on`.slice(0, chunk - end.length).concat(end);
  });

export interface Stream {
  /** When the question was asked. */
  readonly asked: number;
  /** When the model said each chunk. */
  readonly said: number[];
  /** When each was first seen. */
  readonly seen: number[];
  readonly chunks: number;
  /** The chunks that each message of its thread shows now. */
  readonly shown: Map<string, ReadonlySet<number>>;
}

export const createStream = (chunks: number): Stream => ({
  asked: monotonic(),
  said: [],
  seen: [],
  chunks,
  shown: new Map(),
});

/** A message of the stream's thread has changed; `text` is all that it shows, null where it is gone. */
export const look = (stream: Stream, number: number, message: string, text: string | null): void => {
  const found = new Set<number>();
  for (const [, of, chunk] of (text ?? "").matchAll(/#(\d+)\.(\d+)(?=\D)/g))
    if (Number(of) === number) found.add(Number(chunk));
  stream.shown.set(message, found);
  const newest = Math.max(-1, ...found);
  while (stream.seen.length <= newest) stream.seen.push(monotonic());
};

/** Behind the name of a message: what a file in it holds. */
export const FILE = " file";

/** Chunks that no message or file shows, and those that two messages show. */
export const faultsOf = ({ shown, chunks }: Stream): number => {
  const filed = new Set<number>();
  const times = new Map<number, number>();
  for (const [message, found] of shown)
    for (const chunk of found)
      if (message.endsWith(FILE)) filed.add(chunk);
      else times.set(chunk, (times.get(chunk) ?? 0) + 1);
  const doubled = [...times.values()].filter((count) => count > 1).length;
  return chunks - new Set([...times.keys(), ...filed]).size + doubled;
};

/** Milliseconds from the question to the first of the answer; what never came counts as coming now. */
export const firstOf = ({ asked, seen }: Stream): number => (seen[0] ?? monotonic()) - asked;

/** Milliseconds that each chunk was behind what the model had said; of a model that was never asked, the whole wait. */
export const behind = ({ asked, said, seen }: Stream): readonly number[] =>
  (said.length === 0 ? [asked] : said).map((at, chunk) => (seen[chunk] ?? monotonic()) - at);
