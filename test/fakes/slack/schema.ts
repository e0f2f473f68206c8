/**
 * Slack's shapes, taken from the declarations of its own packages: what it accepts (closed, with the lengths that stand
 * in the doc comments) and what it sends (open: the declarations do not name every field that Slack adds).
 */

import { Ajv, type ValidateFunction } from "ajv";
import { type DefinitionsRequest, definitionsOf } from "../shared/definitions.ts";
import { discriminate } from "../shared/discriminate.ts";
import { withLimits } from "./rules/limits.ts";

/** What the app sends. */
const acceptedTypes = [
  "KnownBlock",
  "AnyChunk",
  "ModalView",
  "HomeView",
  "MessageMetadata",
  "MessageAttachment",
] as const;

/** What Slack sends over a socket. `BlockButtonAction` stands for every `block_actions` payload's frame. */
const eventTypes = [
  "MessageEvent",
  "AppMentionEvent",
  "ReactionAddedEvent",
  "ReactionRemovedEvent",
  "AssistantThreadStartedEvent",
  "AgentSessionStoppedEvent",
  "AppContextChangedEvent",
  "AppHomeOpenedEvent",
  "MemberJoinedChannelEvent",
  "ChannelUnarchiveEvent",
  "GroupUnarchiveEvent",
  "ChannelIDChangedEvent",
  "ChannelCreatedEvent",
  "ChannelRenameEvent",
  "GroupRenameEvent",
  "UserChangeEvent",
] as const;
const payloadTypes = [
  "BlockButtonAction",
  "BlockFeedbackButtonsAction",
  "BlockStaticSelectAction",
  "BlockOverflowAction",
  "MessageShortcut",
  "GlobalShortcut",
  "SlashCommand",
  "ViewSubmitAction",
] as const;

export type Accepted = (typeof acceptedTypes)[number];
export type Emitted = (typeof eventTypes)[number] | (typeof payloadTypes)[number];

export interface SlackSchema {
  readonly accepts: (type: Accepted) => ValidateFunction;
  readonly emits: (type: Emitted) => ValidateFunction;
  /** The answer of a Web API method. */
  readonly answers: (method: string) => ValidateFunction;
}

/** The declared answers, named after the methods: `chat.postMessage` is `ChatPostMessageResponse`. */
const responseName = (method: string): string =>
  `${method
    .split(".")
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("")}Response`;

/** Compiled once a process: it is a constant of the installed packages, and every fake of a test file needs it. */
export const slackSchema = (methods: readonly string[]): Promise<SlackSchema> =>
  (compiled ??= compile(methods));
let compiled: Promise<SlackSchema> | undefined;

const compile = async (methods: readonly string[]): Promise<SlackSchema> => {
  const [content, events, payloads, responses] = await Promise.all([
    definitionsOf(contentRequest),
    definitionsOf({ ...contentRequest, types: eventTypes, isOpen: true, hasDocs: false }),
    definitionsOf({
      packageName: "@slack/bolt",
      files: "dist/types/index.d.ts",
      types: payloadTypes,
      isOpen: true,
      hasDocs: false,
    }),
    definitionsOf({
      packageName: "@slack/web-api",
      files: `dist/types/response/{${methods.map(responseName).join(",")}}.d.ts`,
      types: methods.map(responseName),
      isOpen: true,
      hasDocs: false,
    }),
  ]);
  // `strict: false`: the generator emits annotations that ajv does not know.
  const ajv = new Ajv({ strict: false, discriminator: true });
  ajv.addSchema({ definitions: discriminate(withLimits(content)) }, "content");
  ajv.addSchema({ definitions: events }, "events");
  ajv.addSchema({ definitions: payloads }, "payloads");
  ajv.addSchema({ definitions: responses }, "responses");

  // All at once and beforehand: compiling blocks the event loop for longer than a client waits for a pong.
  const one = (ref: string): ValidateFunction => ajv.compile({ $ref: ref });
  const all = new Map<string, ValidateFunction>([
    ...acceptedTypes.map((type) => [type, one(`content#/definitions/${type}`)] as const),
    ...eventTypes.map((type) => [type, one(`events#/definitions/${type}`)] as const),
    ...payloadTypes.map((type) => [type, one(`payloads#/definitions/${type}`)] as const),
    ...methods.map((method) => [method, one(`responses#/definitions/${responseName(method)}`)] as const),
  ]);
  const known = (name: string): ValidateFunction => {
    const found = all.get(name);
    if (found === undefined) {
      throw new Error(`no schema for ${name}`);
    }
    return found;
  };
  return { accepts: known, emits: known, answers: known };
};

/** What holds blocks, with its doc comments. */
export const contentRequest: DefinitionsRequest = {
  packageName: "@slack/types",
  files: "dist/index.d.ts",
  types: acceptedTypes,
  isOpen: false,
  hasDocs: true,
};
