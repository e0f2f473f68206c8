/**
 * GitHub's published OpenAPI description, cut down to the operations that Parley uses (github.json; made from the npm
 * package @octokit/openapi without its prose): what requests must look like, what the fake's answers must look like,
 * and the parts of an answer that no test cares about.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { z } from "zod";
import { complaintOf } from "../shared/complaint.ts";

const schema = z.looseObject({ $ref: z.string().optional() });
const content = z.object({ content: z.record(z.string(), z.object({ schema })).optional() });
const parameterSchema = z.object({
  name: z.string(),
  in: z.string(),
  schema: z.object({ type: z.string().optional(), enum: z.array(z.string()).optional() }),
});
const choice = z.object({ nullable: z.literal(true), enum: z.array(z.unknown()) });
const part = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.record(z.string(), z.record(z.string(), z.unknown())),
});
type Parameter = z.infer<typeof parameterSchema>;
const operationSchema = z.object({
  operationId: z.string(),
  parameters: z.array(z.union([z.object({ $ref: z.string() }), parameterSchema])).default([]),
  requestBody: content.optional(),
  responses: z.record(z.string(), z.union([z.object({ $ref: z.string() }), content])),
});
const description = z
  .object({
    paths: z.record(z.string(), z.record(z.string(), operationSchema)),
    components: z.looseObject({
      schemas: z.record(z.string(), z.unknown()),
      parameters: z.record(z.string(), parameterSchema),
    }),
  })
  .parse(joined(["github.json", "github-merge.json", "github-tend.json"]));

/** GitHub leaves null out of the choices of what may be null; the checker wants it there. */
function nullInEnum(_: string, value: unknown): unknown {
  const { data } = choice.safeParse(value);
  return data === undefined || data.enum.includes(null)
    ? value
    : { ...objectIn(value), enum: [...data.enum, null] };
}

/** Each file has operations and schemas of its own. */
function joined(names: readonly string[]): unknown {
  const parts = names.map((name) =>
    part.parse(JSON.parse(readFileSync(join(import.meta.dirname, name), "utf8"), nullInEnum)),
  );
  const all = (kind: string) => Object.assign({}, ...parts.map(({ components }) => components[kind] ?? {}));
  const kinds = new Set(parts.flatMap(({ components }) => Object.keys(components)));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const each of parts)
    for (const [path, verbs] of Object.entries(each.paths)) paths[path] = { ...paths[path], ...verbs };
  return { ...parts[0], paths, components: Object.fromEntries([...kinds].map((kind) => [kind, all(kind)])) };
}

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, discriminator: false });
ajv.addSchema({ $id: "github", ...description });

export interface Operation {
  /** GitHub's name of it, as `issues/get`. */
  readonly name: string;
  readonly params: Readonly<Record<string, string>>;
  /** What is wrong with a request; null where nothing is. */
  readonly complaint: (body: unknown, query: Readonly<Record<string, string>>) => string | null;
  /** Throws where the fake made what GitHub does not send. */
  readonly mustFit: (status: number, body: unknown) => void;
}

/** Null for what is no operation of the description. */
export const operationOf = (method: string, path: string): Operation | null => {
  for (const { pattern, names, template, verbs } of templates) {
    const found = pattern.exec(path);
    const operation = verbs[method.toLowerCase()];
    if (found === null || operation === undefined) continue;
    const at = `github#/paths/${escaped(template)}/${method.toLowerCase()}`;
    const params = Object.fromEntries(
      names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? "")]),
    );
    return {
      name: operation.operationId,
      params,
      complaint: (body, query) => {
        const strange = strangeIn(query, queryOf(operation));
        if (strange !== null) return strange;
        if (operation.requestBody?.content?.["application/json"] === undefined) return null;
        const fits = checker(`${at}/requestBody/content/application~1json/schema`);
        return fits(body ?? {}) ? null : complaintOf(fits.errors);
      },
      mustFit: (status, body) => {
        const response = operation.responses[String(status)];
        if (response === undefined) throw new Error(`${operation.operationId} has no answer ${status}`);
        if ("$ref" in response || response.content?.["application/json"] === undefined) return;
        const fits = checker(`${at}/responses/${status}/content/application~1json/schema`);
        if (!fits(body)) {
          throw new Error(`the fake's ${operation.operationId} is not GitHub's: ${complaintOf(fits.errors)}`);
        }
      },
    };
  }
  return null;
};

type Described = z.infer<typeof operationSchema>;

const queryOf = ({ parameters }: Described): readonly Parameter[] =>
  parameters
    .flatMap((one) => ("$ref" in one ? (description.components.parameters[lastOf(one.$ref)] ?? []) : one))
    .filter((one) => one.in === "query");

const lastOf = (ref: string): string => ref.split("/").at(-1) ?? "";

/** What of a query GitHub does not know or does not take. */
const strangeIn = (query: Readonly<Record<string, string>>, known: readonly Parameter[]): string | null => {
  for (const [name, value] of Object.entries(query)) {
    const schema = known.find((one) => one.name === name)?.schema;
    if (schema === undefined) return `there is no parameter ${name}`;
    if (schema.enum?.includes(value) === false) return `${name} is none of ${schema.enum.join(", ")}`;
    if (schema.type === "integer" && !/^\d+$/.test(value)) return `${name} is no number`;
  }
  return null;
};

const escaped = (template: string): string => encodeURI(template.replaceAll("/", "~1"));

/** What is written out wins over a parameter in its place. */
const templates = Object.entries(description.paths)
  .map(([template, verbs]) => ({
    template,
    verbs,
    names: [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name),
    // Without a path, the root of the repository is meant.
    pattern: new RegExp(
      `^${template.replace("/{path}", "(?:/([^/]+))?").replaceAll(/\{\w+\}/g, "([^/]+)")}$`,
    ),
  }))
  .toSorted((a, b) => a.names.length - b.names.length);

const checkers = new Map<string, ValidateFunction>();

const checker = (ref: string): ValidateFunction => {
  const known = checkers.get(ref) ?? ajv.compile({ $ref: ref });
  checkers.set(ref, known);
  return known;
};

type Json = Readonly<Record<string, unknown>>;

/** The least that the schema of that name demands, with what matters laid over it. */
export const filled = (name: string, over: Json): Json => ({
  ...objectIn(least(description.components.schemas[name], false)),
  ...over,
});

/** The same for an item of a list that the description names. */
export const filledItem = (name: string, over: Json): Json => ({
  ...objectIn(least(listed.parse(description.components.schemas[name]).items, false)),
  ...over,
});

const listed = z.looseObject({ items: z.unknown() });

function objectIn(value: unknown): Json {
  return z.record(z.string(), z.unknown()).parse(value);
}

const shape = z.looseObject({
  $ref: z.string().optional(),
  type: z.string().optional(),
  nullable: z.boolean().optional(),
  enum: z.array(z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  allOf: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
});

/** `mayBeNull`: whether null will do where the schema allows it. */
const least = (given: unknown, mayBeNull = true): unknown => {
  const one = shape.parse(given ?? {});
  if (one.$ref !== undefined) {
    return least(description.components.schemas[one.$ref.split("/").at(-1) ?? ""], mayBeNull);
  }
  if (one.nullable === true && mayBeNull) return null;
  if (one.enum !== undefined) return one.enum[0];
  const first = [...(one.anyOf ?? []), ...(one.oneOf ?? [])].find(
    (each) => mayBeNull || shape.parse(each).type !== "null",
  );
  if (first !== undefined) return least(first, mayBeNull);
  if (one.allOf !== undefined) return Object.assign({}, ...one.allOf.map((part) => objectIn(least(part))));
  if (one.type !== undefined && one.type !== "object") return LEAST[one.type];
  return Object.fromEntries(
    (one.required ?? []).map((name) => [name, least(one.properties?.[name])] as const),
  );
};

const LEAST: Readonly<Record<string, unknown>> = {
  null: null,
  string: "",
  integer: 0,
  number: 0,
  boolean: false,
  array: [],
};
