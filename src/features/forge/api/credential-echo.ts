/**
 * Removes credentials from answers of forges, because the text of an answer reaches git, tool results and
 * people. A proxy that quotes the request in an error page is enough to leak a credential. Every byte of a
 * credential becomes an x, so that lengths, and with them git's framing, stay the same.
 *
 * The filter recognizes the forms that were sent and their usual encodings: percent encoding, JSON and HTML
 * escapes, base64 within any text, and hexadecimal. A server that has the credential and wants to hide it in
 * an answer can still do so.
 */

import { createEraser, eraseValues } from "./eraser.ts";

type Sent = Headers | Readonly<Record<string, unknown>>;

/** Shorter values are too likely to be ordinary text. */
const MIN_LENGTH = 8;

/** Every form of the credential in the headers of a request: as sent, and as programs rewrite it. */
export const credentialForms = (headers: Sent): readonly string[] => {
  const read = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    return typeof value === "string" ? value : "";
  };
  const [, scheme = "", rest = ""] = /^(\w+) +(\S+)$/.exec(read("authorization")) ?? [];
  const pair = scheme.toLowerCase() === "basic" ? Buffer.from(rest, "base64").toString() : "";
  const password = pair.slice(pair.indexOf(":") + 1);
  const sent = [rest, pair, password, read("private-token")].filter((form) => form.length >= MIN_LENGTH);
  return [...new Set([...sent, ...sent.flatMap(escaped), ...sent.flatMap(encoded)])];
};

const escaped = (value: string): readonly string[] => [
  encodeURIComponent(value),
  encodeURIComponent(value).replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  value.replaceAll("/", "\\/"),
  value.replaceAll(/[/=+:]/g, (mark) => `&#x${mark.charCodeAt(0).toString(16).toUpperCase()};`),
];

const encoded = (value: string): readonly string[] => {
  const bytes = Buffer.from(value);
  const hex = bytes.toString("hex");
  const packed = [0, 1, 2].map((shift) => base64Within(bytes, shift));
  return [
    hex,
    hex.toUpperCase(),
    ...packed,
    ...packed.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
  ];
};

/** The base64 text of these bytes if they start `shift` bytes after a multiple of three, in any surrounding text. */
const base64Within = (bytes: Buffer, shift: number): string => {
  const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
  return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
};

type Fetch = typeof globalThis.fetch;

/** A fetch that removes the credentials of a request from its answer, including the headers. */
export const withoutEcho =
  (fetch: Fetch): Fetch =>
  async (input, init) => {
    const forms = credentialForms(
      new Headers(init?.headers ?? (input instanceof Request ? input.headers : {})),
    );
    const answer = await fetch(input, init);
    return forms.length === 0 ? answer : quiet(answer, forms);
  };

const quiet = (answer: Response, forms: readonly string[]): Response => {
  // One character represents one byte, whatever the encoding of the answer.
  const eraser = createEraser(forms.map((form) => Buffer.from(form).toString("latin1")));
  const body =
    answer.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>({
        transform: (chunk, out) =>
          out.enqueue(Buffer.from(eraser.next(Buffer.from(chunk).toString("latin1")), "latin1")),
        flush: (out) => out.enqueue(Buffer.from(eraser.end(), "latin1")),
      }),
    ) ?? null;
  const headers = [...answer.headers].map(([name, value]): [string, string] => [
    name,
    eraseValues(value, forms),
  ]);
  const { status } = answer;
  const made = new Response(body, { status, statusText: eraseValues(answer.statusText, forms), headers });
  // A constructed response has no `url`, but clients read this property.
  Object.defineProperty(made, "url", { value: eraseValues(answer.url, forms) });
  return made;
};
