/**
 * A model and tools that do what a test says. Each request takes the next answer of the script; an answer may be
 * text that streams piece by piece, and waits where the test holds it.
 */

import type { FailureKind, StopReason, Usage } from "../../../src/machine/vocabulary.ts";
import type { Model, ModelOutcome } from "../../../src/ports/model.ts";
import type { ToolOutcome, Tools } from "../../../src/ports/tools.ts";
import type { Workspaces } from "../../../src/ports/workspaces.ts";
import type { AnswerBlock } from "../../../src/thread/prompt.ts";
import { createAskTool } from "../../../src/tools/ask-person.ts";
import { plainWorkspaces } from "../../plain-workspaces.ts";
import { looks, originOf } from "../../looks.ts";

export interface Script {
  readonly model: Model;
  readonly tools: Tools;
  readonly workspaces: Workspaces;
  /** Adds the answer to a later request. */
  answer(...answers: readonly Planned[]): void;
  /** Forgets what is still planned. */
  clear(): void;
  /** Which model each request was for. */
  readonly asked: readonly string[];
  /** Adds the outcome of a later tool call. */
  tool(...outcomes: readonly Partial<ToolOutcome>[]): void;
}

export interface Planned {
  /** Streamed one after the other, each after `pause` ms. */
  readonly pieces?: readonly string[];
  readonly pause?: number;
  readonly uses?: readonly { readonly name: string; readonly input: unknown }[];
  /** The request ends when this does. */
  readonly until?: Promise<unknown>;
  readonly fails?: string;
  /** Of which kind; `auth` without. */
  readonly kind?: FailureKind;
  readonly stop?: StopReason;
  /** Tokens that the request had; few without. */
  readonly input?: number;
}

export const createScript = (): Script => {
  const planned: Planned[] = [];
  const outcomes: Partial<ToolOutcome>[] = [];
  const asked: string[] = [];
  let used = 0;
  return {
    asked,
    clear: () => {
      planned.length = 0;
      outcomes.length = 0;
    },
    answer: (...answers) => void planned.push(...answers),
    tool: (...more) => void outcomes.push(...more),
    model: {
      window: () => 200_000,
      respond: async ({ model }, { signal, onText }) => {
        asked.push(model);
        const plan = planned.shift() ?? { pieces: ["Nothing more is in the script."] };
        for (const piece of plan.pieces ?? []) {
          await until(plan.pause === undefined ? undefined : delay(plan.pause), signal);
          if (signal.aborted) return { kind: "aborted" };
          onText(piece);
        }
        await until(plan.until, signal);
        if (signal.aborted) return { kind: "aborted" };
        used += 1;
        return outcome(plan, used);
      },
    },
    tools: {
      specs: [{ name: "bash", description: "runs a command", inputSchema: { type: "object" } }],
      agentSpecs: [],
      intent: (name, input) => {
        if (name === ask.spec.name) return ask.intent(input, []) ?? { intent: "tool" };
        if (name === "agent_change_mode") return { intent: "mode", mode: "triage", branch: false };
        return { intent: name === "request_mode_upgrade" ? "upgrade" : "tool" };
      },
      dangers: ({ input }) => Promise.resolve(JSON.stringify(input).includes("sudo") ? [SUDO] : []),
      run: () => Promise.resolve({ ...PLAIN, ...outcomes.shift() }),
      origin: originOf,
      look: looks,
      stopBackground: () => Promise.resolve(),
    },
    workspaces: plainWorkspaces(() => BASE),
  };
};

const ask = createAskTool();

const BASE = { commit: "8714b73c0ffee0123456789abcdef0123456789a", ref: "main", cwd: "/work" };

const SUDO = {
  category: "SUDO",
  what: "sudo ls",
  why: "it runs with elevated rights",
  risk: "elevated rights",
  changes: ["anything on the host"],
} as const;

const PLAIN: ToolOutcome = {
  text: "",
  images: [],
  diff: null,
  isError: false,
  background: false,
  reached: [],
};

const USAGE: Usage = { input: 1_840, output: 312, cacheRead: 9_200, cacheWrite: 410, costMicroUsd: 14_300 };

const outcome = (plan: Planned, used: number): ModelOutcome => {
  if (plan.fails !== undefined) {
    return { kind: "failed", failure: { kind: plan.kind ?? "auth", message: plan.fails, retryAfter: null } };
  }
  const text = (plan.pieces ?? []).join("");
  const uses = (plan.uses ?? []).map(
    ({ name, input }, index): AnswerBlock => ({ kind: "toolUse", id: `use-${used}-${index}`, name, input }),
  );
  const blocks = [...(text === "" ? [] : [{ kind: "text", text } as const]), ...uses];
  const stop = plan.stop ?? (uses.length > 0 ? "tools" : "end");
  return { kind: "answered", blocks, stop, usage: { ...USAGE, input: plan.input ?? USAGE.input } };
};

const delay = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

const until = (wait: Promise<unknown> | undefined, signal: AbortSignal): Promise<unknown> | undefined =>
  wait === undefined
    ? undefined
    : Promise.race([
        wait,
        new Promise((resolve) => {
          signal.addEventListener("abort", resolve, { once: true });
        }),
      ]);
