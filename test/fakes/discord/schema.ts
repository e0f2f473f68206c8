/**
 * Discord's published OpenAPI description, as the npm package `discord-api-spec` carries it: what requests must look
 * like, and what the fake's own answers must look like.
 */

import { z } from "zod";
// @ts-expect-error -- the package's schemas come without declarations
import * as published from "discord-api-spec/zod";
import type { Complaint } from "./outcome.ts";

type Path = readonly (string | number)[];

interface Issue {
  readonly code: string;
  readonly path: Path;
  readonly message: string;
  readonly values?: readonly unknown[] | undefined;
  readonly minimum?: number | bigint | undefined;
  readonly maximum?: number | bigint | undefined;
  readonly origin?: string | undefined;
  readonly expected?: string | undefined;
  /** Of a union: what each alternative has to say. */
  readonly errors?: readonly (readonly Issue[])[] | undefined;
}

/** What is wrong with `value` as the description's schema of that name; empty when nothing is. */
export const complaintsOf = (name: string, value: unknown): readonly Complaint[] => {
  const result = checkerOf(name).safeParse(value);
  return result.success ? [] : (result.error?.issues ?? []).flatMap((issue) => complaints(issue, value));
};

/** Throws when the fake itself made what Discord does not send. */
export const mustFit = (name: string, made: unknown): void => {
  const [first] = complaintsOf(name, comparable(made));
  if (first !== undefined) {
    throw new Error(`the fake's ${name} is not Discord's: ${first.path.join(".")}: ${first.message}`);
  }
};

/**
 * The schemas take times in UTC with a Z only, and Discord writes +00:00. They know one type of reference (0), and Discord
 * sends 1 with a forward (the reference page on message references has both).
 */
const comparable = (made: unknown): unknown =>
  JSON.parse(JSON.stringify(made), (key, value: unknown) => {
    if (key === "message_reference" && Object(value).type === 1) return { ...Object(value), type: 0 };
    return typeof value === "string" ? value.replace(/^(\d{4}-\S+)\+00:00$/, "$1Z") : value;
  });

const schemas: unknown = published;
const checker = z.custom<{
  safeParse(value: unknown): { success: boolean; error?: { issues: readonly Issue[] } };
}>((value) => typeof value === "object" && value !== null && "safeParse" in value);

const checkerOf = (name: string): z.output<typeof checker> =>
  checker.parse(z.record(z.string(), z.unknown()).parse(schemas)[`${name}Schema`]);

const complaints = (issue: Issue, value: unknown, under: Path = []): readonly Complaint[] => {
  const path = [...under, ...issue.path];
  if (issue.code === "invalid_union" && issue.errors !== undefined) {
    return nearest(issue.errors).flatMap((inner) => complaints(inner, value, path));
  }
  return [{ path, ...said(issue, at(value, path)) }];
};

/** Of the alternatives of a union the one whose tag fits, which goes wrong latest. */
const nearest = (alternatives: readonly (readonly Issue[])[]): readonly Issue[] =>
  alternatives.toSorted((a, b) => wrongTags(a) - wrongTags(b) || a.length - b.length)[0] ?? [];

const wrongTags = (issues: readonly Issue[]): number =>
  issues.filter(({ path, code }) => path.at(-1) === "type" && code === "invalid_value").length;

const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null
        ? Object.entries(inner).find(([name]) => name === String(key))?.[1]
        : undefined,
    value,
  );

const said = (issue: Issue, given: unknown): Pick<Complaint, "code" | "message"> => {
  if (given === undefined) return { code: "BASE_TYPE_REQUIRED", message: "This field is required" };
  switch (issue.code) {
    case "too_big":
    case "too_small":
      return size(issue);
    case "invalid_value":
      return {
        code: "BASE_TYPE_CHOICES",
        message: `Value must be one of {${(issue.values ?? []).join(", ")}}.`,
      };
    case "invalid_format":
      return { code: "STRING_TYPE_REGEX", message: "String value did not match validation regex." };
    default:
      return { code: "BASE_TYPE_BAD_TYPE", message: `Expected ${issue.expected ?? "another type"}.` };
  }
};

const size = ({ code, origin, minimum, maximum }: Issue): Pick<Complaint, "code" | "message"> => {
  const isLength = origin === "string" || origin === "array";
  if (!isLength) {
    return code === "too_big"
      ? { code: "NUMBER_TYPE_MAX", message: `int value should be less than or equal to ${maximum}.` }
      : { code: "NUMBER_TYPE_MIN", message: `int value should be greater than or equal to ${minimum}.` };
  }
  return code === "too_big"
    ? { code: "BASE_TYPE_MAX_LENGTH", message: `Must be ${maximum} or fewer in length.` }
    : { code: "BASE_TYPE_MIN_LENGTH", message: `Must be at least ${minimum} in length.` };
};
