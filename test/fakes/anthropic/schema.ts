/**
 * The API's shapes, taken from the installed SDK's own declarations, so that this fake cannot have its own idea of them.
 * Generating takes seconds and is kept under node_modules/.cache for the SDK's version.
 */

import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type {
  Message,
  MessageCountTokensParams,
  MessageCreateParamsNonStreaming,
  MessageCreateParamsStreaming,
  MessageTokensCount,
  RawMessageStreamEvent,
} from "@anthropic-ai/sdk/resources/messages/messages";
import type { ModelInfo } from "@anthropic-ai/sdk/resources/models";
import type { ErrorResponse } from "@anthropic-ai/sdk/resources/shared";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { z } from "zod";
import { type Definitions, discriminate } from "./discriminate.ts";

interface WireTypes {
  readonly MessageCreateParamsStreaming: MessageCreateParamsStreaming;
  readonly MessageCreateParamsNonStreaming: MessageCreateParamsNonStreaming;
  readonly MessageCountTokensParams: MessageCountTokensParams;
  readonly Message: Message;
  readonly MessageTokensCount: MessageTokensCount;
  readonly RawMessageStreamEvent: RawMessageStreamEvent;
  readonly ModelInfo: ModelInfo;
  readonly ErrorResponse: ErrorResponse;
}

export type WireSchema = { readonly [Name in keyof WireTypes]: ValidateFunction<WireTypes[Name]> };

/** Compiled once a process: it is a constant of the installed SDK, and every fake of a test file needs it. */
export const wireSchema = (): Promise<WireSchema> => (compiled ??= compile());
let compiled: Promise<WireSchema> | undefined;

/** The most specific complaint of a failed validation, as `path: reason`. */
export const complaintOf = (errors: readonly ErrorObject[] | null | undefined): string => {
  const deepest = (errors ?? []).toSorted((a, b) => rankOf(b) - rankOf(a))[0];
  if (deepest === undefined) {
    return "the schema is not satisfied";
  }
  const path = deepest.instancePath.slice(1).replaceAll("/", ".");
  return `${path === "" ? "request" : path}: ${reasonOf(deepest)}`;
};

/** Throws when the fake itself made what the SDK's types do not allow. */
export const mustFit = (fits: ValidateFunction, made: unknown): void => {
  if (!fits(made)) {
    throw new Error(`the fake made what the SDK does not know: ${complaintOf(fits.errors)}`);
  }
};

const rankOf = (error: ErrorObject): number =>
  error.instancePath.split("/").length * 2 + (error.keyword === "anyOf" ? 0 : 1);

const reasonOf = (error: ErrorObject): string => {
  const said = z
    .object({ tag: z.string(), tagValue: z.unknown() })
    .or(z.object({ additionalProperty: z.string() }))
    .safeParse(error.params);
  if (!said.success) {
    return error.message ?? error.keyword;
  }
  return "tag" in said.data
    ? `unknown ${said.data.tag} ${JSON.stringify(said.data.tagValue)}`
    : `extra input "${said.data.additionalProperty}" is not permitted`;
};

const compile = async (): Promise<WireSchema> => {
  // `strict: false`: the generator emits annotations that ajv does not know.
  const ajv = new Ajv({ strict: false, discriminator: true });
  ajv.addSchema({ definitions: discriminate(await definitions()) }, "wire");
  const one = <Name extends keyof WireTypes>(name: Name): ValidateFunction<WireTypes[Name]> =>
    ajv.compile<WireTypes[Name]>({ $ref: `wire#/definitions/${name}` });
  return {
    MessageCreateParamsStreaming: one("MessageCreateParamsStreaming"),
    MessageCreateParamsNonStreaming: one("MessageCreateParamsNonStreaming"),
    MessageCountTokensParams: one("MessageCountTokensParams"),
    Message: one("Message"),
    MessageTokensCount: one("MessageTokensCount"),
    RawMessageStreamEvent: one("RawMessageStreamEvent"),
    ModelInfo: one("ModelInfo"),
    ErrorResponse: one("ErrorResponse"),
  };
};

const typeNames: readonly (keyof WireTypes)[] = [
  "MessageCreateParamsStreaming",
  "MessageCreateParamsNonStreaming",
  "MessageCountTokensParams",
  "Message",
  "MessageTokensCount",
  "RawMessageStreamEvent",
  "ModelInfo",
  "ErrorResponse",
];

const definitionsSchema = z.record(z.string(), z.record(z.string(), z.unknown()));

const definitions = async (): Promise<Definitions> => {
  const sdk = dirname(createRequire(import.meta.url).resolve("@anthropic-ai/sdk"));
  const manifest = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(sdk, "package.json"), "utf8")));
  const folder = join(sdk, "..", "..", ".cache", "parley");
  const file = join(folder, `anthropic-sdk-${manifest.version}-wire.json`);

  const cached = await readFile(file, "utf8").catch(() => undefined);
  if (cached !== undefined) {
    return definitionsSchema.parse(JSON.parse(cached));
  }
  const made = definitionsSchema.parse(await generate(join(sdk, "resources")));
  await mkdir(folder, { recursive: true });
  // Several test processes may be here at once: each writes its own file and the rename is atomic.
  const own = `${file}.${process.pid}`;
  await writeFile(own, JSON.stringify(made));
  await rename(own, file);
  return made;
};

const generate = async (resources: string): Promise<unknown> => {
  const { createGenerator } = await import("ts-json-schema-generator");
  const generator = createGenerator({
    path: `${resources}/{messages/messages,models,shared}.d.ts`,
    skipTypeCheck: true,
    jsDoc: "none",
    topRef: true,
    expose: "export",
    additionalProperties: false,
  });
  return Object.assign({}, ...typeNames.map((name) => generator.createSchema(name).definitions));
};
