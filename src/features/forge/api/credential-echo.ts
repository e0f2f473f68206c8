/**
 * What a forge was shown must not come back in what it says: its words go on to git, into answers of tools and into
 * sentences for people. A proxy that quotes the request in its error page is enough. Every byte of a credential in an
 * answer becomes an x, so that lengths, and with them git's framing, stay what they were.
 *
 * Known are the forms in which it was sent and what programs that quote make of those: percent signs, JSON's and HTML's
 * escapes, base64 of whatever it stands in, hexadecimal. Who has the credential and means to hide it in an answer can.
 */

import { createEraser, eraseValues } from "./eraser.ts";

type Sent = Headers | Readonly<Record<string, unknown>>;

/** Shorter ones are too likely to be ordinary text. */
const MIN_LENGTH = 8;

/** Every form of the credential that these headers of a request show, as it is and as programs rewrite it. */
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

/** What base64 of any text has where these bytes stand in it, `shift` bytes behind a multiple of three. */
const base64Within = (bytes: Buffer, shift: number): string => {
  const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
  return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
};

type Fetch = typeof globalThis.fetch;

/** A fetch whose answers, headers among them, do not hold what their requests have shown. */
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
  // A byte is a character here, whatever the answer's encoding.
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
  // A made answer has no address, which clients read.
  Object.defineProperty(made, "url", { value: eraseValues(answer.url, forms) });
  return made;
};
