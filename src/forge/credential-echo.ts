/**
 * What a forge was shown must not come back in what it says: its words go on to git, into answers of tools and into
 * sentences for people. A proxy that quotes the request in its error page is enough. Every byte of a credential in an
 * answer becomes an x, so that lengths, and with them git's framing, stay what they were.
 *
 * Known are the forms in which it was sent and what programs that quote make of those: percent signs, JSON's and HTML's
 * escapes, base64 of whatever it stands in, hexadecimal. Who has the credential and means to hide it in an answer can.
 */

type Sent = Headers | Readonly<Record<string, unknown>>;

/** Shorter ones are too likely to be ordinary text. */
const MIN_LENGTH = 8;
/** Means nothing to Markdown. */
const ERASED = "x";

/** Every form of the credential that these headers of a request show, as it is and as programs rewrite it. */
export const shownIn = (headers: Sent): readonly string[] => {
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

const escaped = (form: string): readonly string[] => [
  encodeURIComponent(form),
  encodeURIComponent(form).replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  form.replaceAll("/", "\\/"),
  form.replaceAll(/[/=+:]/g, (mark) => `&#x${mark.charCodeAt(0).toString(16).toUpperCase()};`),
];

const encoded = (form: string): readonly string[] => {
  const bytes = Buffer.from(form);
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

/** Takes a text without what `forms` are; it may be longer than what was sent to it so far. */
export interface Eraser {
  /** What is certain of a growing answer. */
  next(chunk: Uint8Array): Buffer<ArrayBuffer>;
  /** What was held back, because a credential could have begun there. */
  end(): Buffer<ArrayBuffer>;
}

export const createEraser = (forms: readonly string[]): Eraser => {
  const needles = forms.map((form) => Buffer.from(form)).toSorted((a, b) => b.length - a.length);
  let held = Buffer.alloc(0);
  return {
    next: (chunk) => {
      const bytes = Buffer.concat([held, chunk]);
      for (const needle of needles) eraseIn(bytes, needle);
      const certain = bytes.length - beginningAtEnd(bytes, needles);
      held = bytes.subarray(certain);
      return bytes.subarray(0, certain);
    },
    end: () => {
      const rest = held;
      held = Buffer.alloc(0);
      return rest;
    },
  };
};

const eraseIn = (bytes: Buffer, needle: Buffer): void => {
  for (let at = bytes.indexOf(needle); at !== -1; at = bytes.indexOf(needle, at + needle.length)) {
    bytes.fill(ERASED, at, at + needle.length);
  }
};

/** How many bytes at the end are the beginning of a needle. */
const beginningAtEnd = (bytes: Buffer, needles: readonly Buffer[]): number =>
  needles.reduce((most, needle) => {
    for (let length = Math.min(needle.length - 1, bytes.length); length > most; length -= 1) {
      if (bytes.compare(needle, 0, length, bytes.length - length) === 0) return length;
    }
    return most;
  }, 0);

export const erased = (text: string, forms: readonly string[]): string =>
  forms
    .toSorted((a, b) => b.length - a.length)
    .reduce((left, form) => left.replaceAll(form, ERASED.repeat(form.length)), text);

/** Whether something may have been taken out of it. */
export const mayLack = (text: string): boolean => text.includes(ERASED.repeat(MIN_LENGTH));

type Fetch = typeof globalThis.fetch;

/** A fetch whose answers, headers among them, do not hold what their requests have shown. */
export const withoutEcho =
  (fetch: Fetch): Fetch =>
  async (input, init) => {
    const forms = shownIn(new Headers(init?.headers ?? (input instanceof Request ? input.headers : {})));
    const answer = await fetch(input, init);
    return forms.length === 0 ? answer : quiet(answer, forms);
  };

const quiet = (answer: Response, forms: readonly string[]): Response => {
  const eraser = createEraser(forms);
  const body =
    answer.body?.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform: (chunk, out) => out.enqueue(eraser.next(chunk)),
        flush: (out) => out.enqueue(eraser.end()),
      }),
    ) ?? null;
  const headers = [...answer.headers].map(([name, value]): [string, string] => [name, erased(value, forms)]);
  const { status } = answer;
  const made = new Response(body, { status, statusText: erased(answer.statusText, forms), headers });
  // A made answer has no address, which clients read.
  Object.defineProperty(made, "url", { value: erased(answer.url, forms) });
  return made;
};
