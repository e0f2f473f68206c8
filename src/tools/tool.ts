import { z } from "zod";
import type { Intent, ResultOrigin } from "../machine/vocabulary.ts";
import type { ToolSpec } from "../ports/conversation.ts";
import type { ForgeResult } from "../ports/forge.ts";
import type { Log } from "../ports/host.ts";
import type { Outgoing } from "../ports/outgoing.ts";
import type { ToolHooks, ToolOutcome, ToolRun, Writes } from "../ports/tools.ts";
import { omitUndefined } from "../text/omit-undefined.ts";
import type { CallWording } from "../thread/call-text.ts";
import type { InputKind } from "../shell-risk/classify.ts";
import { unreadableInputText } from "../text/unreadable-input.ts";

export interface Tool {
  readonly spec: ToolSpec;
  /** Author of the text of its results (L15). */
  readonly origin: ResultOrigin;
  readonly look: CallWording;
  /** How safe mode judges the input; null if the input is harmless or people are asked about each call. */
  readonly judge: InputKind | null;
  /** Never throws or rejects; `input` is unchecked model output. */
  run(input: unknown, call: ToolCall): Promise<ToolOutcome>;
  /** Action of the core before the call may run; null if the call runs at once. */
  intent(input: unknown, folders: readonly string[]): Intent | null;
  /** For a tool that asks people before it writes. Throws `Unable`. */
  readonly writes?: Writes;
  /** For a feature's tool: name of the next core tool in the list; at the end if absent. */
  readonly before?: string;
}

export type ToolCall = Omit<ToolRun, "name" | "input"> & ToolHooks;

export interface ToolKit {
  /** Removes keys and tokens of this process. */
  readonly redact: (text: string) => string;
  readonly outgoing: Outgoing;
}

interface Definition<S extends z.ZodType>
  extends Pick<Tool, "origin" | "look" | "judge" | "writes" | "before"> {
  readonly name: string;
  /** Static (BED-017, C14): the same in every mode and every conversation. */
  readonly description: string;
  readonly schema: S;
  /** Advice after the refusal of an input above MAX_INPUT. */
  readonly tooLarge: string;
  /** An answer that is given before the input is checked; null continues. */
  readonly gate?: (call: ToolCall, input: unknown) => ToolOutcome | null;
  /** Converts input variants of models to the canonical form. */
  readonly accept?: (input: unknown) => unknown;
  /** `folders`: the conversation's repositories, if it has several. */
  readonly intent?: (input: z.output<S>, folders: readonly string[]) => Intent | null;
  readonly run: (input: z.output<S>, call: ToolCall) => Promise<ToolOutcome>;
}

/** Bytes of a call's input as JSON: 60k tokens by the originals' measure (BASH-005, PATCH-008). */
const MAX_INPUT = 60 * 1024;

/** Reason why a call fails, in one sentence: thrown within a tool, an error result at its edge. */
export class Unable extends Error {
  /** Whether the write may have happened nevertheless. */
  readonly perhaps: boolean;
  constructor(why: string, perhaps = false) {
    super(why);
    this.perhaps = perhaps;
  }
}

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

/** The error is `Invalid input: …` on one line, with the path of every problem. */
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

/** Logs an internal error by name alone, because its message may contain anything. */
export const noteBreak = (
  log: Pick<Log, "error">,
  { conversation, name }: Pick<ToolRun, "conversation" | "name">,
  error: unknown,
): void =>
  log.error("tools: call failed", {
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
