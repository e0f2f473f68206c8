/**
 * The API's shapes, taken from the installed SDK's own declarations, so that this fake cannot have its own idea of them.
 */

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
import { Ajv, type ValidateFunction } from "ajv";
import { definitionsOf } from "../shared/definitions.ts";
import { discriminate } from "../shared/discriminate.ts";

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

const definitions = () =>
  definitionsOf({
    packageName: "@anthropic-ai/sdk",
    files: "resources/{messages/messages,models,shared}.d.ts",
    types: typeNames,
    isOpen: false,
    hasDocs: false,
  });
