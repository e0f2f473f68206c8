/** The parser of a setting records whether its value is secret, so that a new setting needs only its parser to be masked. */

import { readFileSync } from "node:fs";
import { z } from "zod";
import { plainUrl } from "./kinds.ts";

/** `whole`: hides all. `part`: hides passwords and queries. `file`: hides the text of the named file. */
export type SecretForm = "whole" | "part" | "file";

interface Mark {
  readonly secrecy: SecretForm;
  readonly secretsIn: (value: unknown) => readonly string[];
}

/** Checks such as `min` keep a parser's mark. */
const marks = z.registry<Mark>();

export const markedSecret = <Parser extends z.ZodType>(
  parser: Parser,
  secrecy: SecretForm,
  text: (value: string) => readonly string[],
): Parser => {
  marks.add(parser, { secrecy, secretsIn: (value) => (typeof value === "string" ? text(value) : []) });
  return parser;
};

/** Restricts header values, because Node's error names a value that it cannot send. */
const printable = () => z.string().regex(/^[ -~]+$/, "must consist of printable ASCII characters");

export const secret = markedSecret(printable(), "whole", (value) => [value]);

export const secretValues = <Parser extends z.ZodType>(parser: Parser): Parser => {
  const values = z.record(z.string(), z.string()).catch({});
  marks.add(parser, {
    secrecy: "whole",
    secretsIn: (value) => Object.values(values.parse(value)).filter(isLong),
  });
  return parser;
};

/** Collectors and proxies accept keys in the query of an address. */
export const secretAddress = markedSecret(plainUrl, "part", (value) => {
  const url = URL.parse(value);
  if (url === null) return [];
  const written = url.search.split(/[?&]/).map((pair) => pair.slice(pair.indexOf("=") + 1));
  return [...url.searchParams.values(), ...written].filter(isLong);
});

export const proxyAddress = markedSecret(
  printable().refine((value) => {
    const url = URL.parse(value);
    return url !== null && /^https?:$/.test(url.protocol) && url.pathname === "/" && url.search === "";
  }, "must be the address of an HTTP proxy, such as http://proxy.example:3128"),
  "part",
  (value) => passwordsIn(value).filter(isLong),
);

export const databaseAddress = markedSecret(
  printable().regex(/^postgres(ql)?:\/\/./, "must be an address such as postgres://parley@db.example/parley"),
  "part",
  (value) => passwordsIn(value),
);

export const secretFile = markedSecret(z.string(), "file", (path) => {
  const text = textOfFile(path).trim();
  return text === "" ? [] : [text];
});

export const secrecyOf = (parser: z.core.$ZodType): SecretForm | null => markOf(parser)?.secrecy ?? null;

export const secretsAmong = (
  shape: Readonly<Record<string, z.core.$ZodType>>,
  values: Readonly<Record<string, unknown>>,
): readonly string[] =>
  Object.entries(shape).flatMap(([name, parser]) => markOf(parser)?.secretsIn(values[name]) ?? []);

export const readSettings = <S extends z.ZodObject>(
  settings: S,
  given: Readonly<Record<string, string | undefined>>,
):
  | { readonly kind: "settings"; readonly values: z.infer<S>; readonly secrets: readonly string[] }
  | { readonly kind: "invalid"; readonly issues: readonly z.core.$ZodIssue[] } => {
  const { data, error } = settings.safeParse(given);
  return data === undefined
    ? { kind: "invalid", issues: error?.issues ?? [] }
    : { kind: "settings", values: data, secrets: secretsAmong(settings.shape, data) };
};

const markOf = (parser: z.core.$ZodType): Mark | null => {
  const mark = marks.get(parser);
  if (mark !== undefined) return mark;
  if (parser instanceof z.ZodOptional || parser instanceof z.ZodDefault) return markOf(parser.unwrap());
  return parser instanceof z.ZodPipe ? markOf(parser.in) : null;
};

/** Returns passwords both as written and decoded. */
const passwordsIn = (value: string): readonly string[] => {
  const url = URL.parse(value);
  const query = url?.searchParams.get("password") ?? "";
  const { password = "" } = url ?? {};
  return [password, decoded(password), query].filter((one) => one !== "");
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export const textOfFile = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};

/** Shorter headers and parts of addresses are ordinary words, and masking them would make all text unreadable. */
const isLong = (value: string): boolean => value.length >= 8;
