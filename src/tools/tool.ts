/** What a tool is to the registry, and how one is made of a schema and a function. */
import { z } from "zod";
import type { Intent, ResultOrigin } from "../machine/words.ts";
import type { ToolSpec } from "../ports/conversation.ts";
import type { ForgeResult } from "../ports/forge.ts";
import type { Log } from "../ports/host.ts";
import type { Outgoing } from "../ports/outgoing.ts";
import type { ToolHooks, ToolOutcome, ToolRun, Writes } from "../ports/tools.ts";
import { omitUndefined } from "../text/given.ts";
import type { CallWording } from "../thread/call-text.ts";
import type { InputKind } from "../shell-risk/classify.ts";
import { unreadableInputText } from "../text/unreadable-input.ts";

export interface Tool {
  readonly spec: ToolSpec;
  /** The author of its results' text (L15). */
  readonly origin: ResultOrigin;
  readonly look: CallWording;
  /** How safe mode reads its input; null: the input can do nothing, or people are asked about each call. */
  readonly judge: InputKind | null;
  /** Never throws or rejects; `input` is whatever the model wrote. */
  run(input: unknown, call: ToolCall): Promise<ToolOutcome>;
  /** What the core does with a call before it may run; null where it runs at once. */
  intent(input: unknown, folders: readonly string[]): Intent | null;
  /** Of a tool that puts before people what it would do. Throws `Unable`. */
  readonly writes?: Writes;
  /** Of a feature's tool: name of the core's tool that it is listed before. Absent: it is listed last. */
  readonly before?: string;
}

/** Whose call it is, under which permission, and the way to end it. */
export type ToolCall = Omit<ToolRun, "name" | "input"> & ToolHooks;

/** Tools of features are made with this. */
export interface ToolKit {
  /** Takes out keys and tokens of this process. */
  readonly redact: (text: string) => string;
  readonly outgoing: Outgoing;
}

interface Definition<S extends z.ZodType>
  extends Pick<Tool, "origin" | "look" | "judge" | "writes" | "before"> {
  readonly name: string;
  /** Static (BED-017, C14): the same in every mode and every conversation. */
  readonly description: string;
  readonly schema: S;
  /** What to do instead, said after the refusal of an input above MAX_INPUT. */
  readonly tooLarge: string;
  /** An answer that comes before the input is checked; null goes on. */
  readonly gate?: (call: ToolCall, input: unknown) => ToolOutcome | null;
  /** Makes the canonical form of what models write instead. */
  readonly accept?: (input: unknown) => unknown;
  /** What a valid call means to the core; null where it runs. `folders`: the conversation's repositories, where it has several. */
  readonly intent?: (input: z.output<S>, folders: readonly string[]) => Intent | null;
  readonly run: (input: z.output<S>, call: ToolCall) => Promise<ToolOutcome>;
}

/** Bytes of a call's input as JSON: 60k tokens by the originals' measure (BASH-005, PATCH-008). */
const MAX_INPUT = 60 * 1024;

/** Why a call comes to nothing, in one sentence: thrown within a tool, an error of the call at its edge. */
export class Unable extends Error {
  /** It may have been done all the same. */
  readonly perhaps: boolean;
  constructor(why: string, perhaps = false) {
    super(why);
    this.perhaps = perhaps;
  }
}

/** What a port answered; throws where it says why it does not. */
export const valueOf = <T>(
  answer:
    | ForgeResult<T>
    | { readonly kind: "done"; readonly value: T }
    | { readonly kind: "failed"; readonly message: string },
): T => {
  if (answer.kind === "trouble") throw new Unable(answer.why, answer.perhaps);
  if (answer.kind === "failed") throw new Unable(answer.message);
  return answer.value;
};

/** The edge: `otherwise` makes an answer of why not. */
export const unless = async <T>(work: () => Promise<T>, otherwise: (error: Unable) => T): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Unable) return otherwise(error);
    throw error;
  }
};

export const defineTool = <S extends z.ZodType>(definition: Definition<S>): Tool => ({
  spec: {
    name: definition.name,
    description: definition.description,
    inputSchema: jsonSchema(definition.schema),
  },
  origin: definition.origin,
  look: definition.look,
  judge: definition.judge,
  run: async (input, call) => {
    const early = definition.gate?.(call, input) ?? null;
    if (early !== null) return early;
    const size = Buffer.byteLength(JSON.stringify(input) ?? "");
    if (size > MAX_INPUT) {
      return failure(
        `Input too large (${size} bytes). Maximum is ${MAX_INPUT} bytes. ${definition.tooLarge}`,
      );
    }
    return unless(
      async () => definition.run(readInput(definition.schema, definition.accept?.(input) ?? input), call),
      ({ message }) => failure(message),
    );
  },
  intent: (input, folders) => {
    if (definition.intent === undefined) return null;
    const parsed = parseInput(definition.schema, input);
    return parsed.kind === "invalid" ? null : definition.intent(parsed.input, folders);
  },
  ...omitUndefined({ writes: definition.writes, before: definition.before }),
});

export const toolsByName = (tools: readonly Tool[]): ReadonlyMap<string, Tool> =>
  new Map(tools.map((tool) => [tool.spec.name, tool]));

/** A string that UTF-8 can hold. */
export const textField = z
  .string()
  .refine((text) => text.isWellFormed(), { error: "must not contain half of a surrogate pair" });

type Parsed<T> =
  | { readonly kind: "input"; readonly input: T }
  | { readonly kind: "invalid"; readonly message: string };

/** `Invalid input: …` on one line, every problem with the place it is at. */
const parseInput = <S extends z.ZodType>(schema: S, input: unknown): Parsed<z.output<S>> => {
  const unreadable = unreadableInputText(input);
  if (unreadable !== null) return { kind: "invalid", message: `Invalid input: ${unreadable}.` };
  const parsed = schema.safeParse(input);
  if (parsed.success) return { kind: "input", input: parsed.data };
  const problems = parsed.error.issues.map((issue) => {
    const message = issue.message.replace(/^Invalid input: /, "");
    return issue.path.length === 0 ? message : `${issue.path.join(".")}: ${message}`;
  });
  return { kind: "invalid", message: `Invalid input: ${problems.join("; ")}` };
};

export const readInput = <S extends z.ZodType>(schema: S, input: unknown): z.output<S> => {
  const parsed = parseInput(schema, input);
  if (parsed.kind === "invalid") throw new Unable(parsed.message);
  return parsed.input;
};

const jsonSchema = (schema: z.ZodType): Readonly<Record<string, unknown>> => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return rest;
};

/** A fault of ours, or of a library: what it says may hold anything. */
export const noteBreak = (
  log: Pick<Log, "error">,
  { conversation, name }: Pick<ToolRun, "conversation" | "name">,
  error: unknown,
): void =>
  log.error("a tool broke", {
    conversation: conversation.id,
    tool: name,
    error: error instanceof Error ? error.name : typeof error,
  });

export const success = (text: string): ToolOutcome => ({ ...EMPTY, text });

export const failure = (text: string): ToolOutcome => ({ ...EMPTY, text, isError: true });

const EMPTY: ToolOutcome = {
  text: "",
  images: [],
  diff: null,
  isError: false,
  background: false,
  reached: [],
};
