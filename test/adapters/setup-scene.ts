/** A setup as its person meets it: answers in order, or settings alone without a terminal. */

import type {
  PlatformSetup,
  PlatformSetupResult,
  SetupAsker,
  SetupContext,
} from "../../src/ports/platform-setup.ts";

export interface SetupScene {
  readonly context: SetupContext;
  /** What was printed, asked and refused, in order. */
  readonly lines: readonly string[];
  /** Sentences by which an answer was refused. */
  readonly refusals: readonly string[];
  /** Files that outlast the command. */
  readonly files: Map<string, string>;
}

/** The command ended because an answer was refused without a terminal, or because none was left. */
export class Ended extends Error {}

export interface SetupGiven {
  /** Typed in order. Unset: no terminal, so that each question takes its setting. */
  readonly typed?: readonly string[];
  readonly settings?: Readonly<Record<string, string>>;
  readonly files?: ReadonlyMap<string, string>;
  readonly update?: boolean;
  readonly yes?: boolean;
  /** Called before each look of a wait. False: the person interrupts. */
  readonly beforeLook?: (count: number) => boolean;
  readonly canKeep?: boolean;
  /** Longest wait for one request, in ms. */
  readonly request?: number;
}

export const setupScene = ({
  typed,
  settings = {},
  files: given = new Map(),
  update = false,
  yes = false,
  beforeLook = (count) => count < 3,
  canKeep = true,
  request = 10_000,
}: SetupGiven): SetupScene => {
  const lines: string[] = [];
  const refusals: string[] = [];
  const files = new Map(given);
  const answers = [...(typed ?? [])];
  const asker: SetupAsker = {
    isInteractive: typed !== undefined,
    ask: async ({ name, text, fallback, check }) => {
      for (;;) {
        const answer = typed === undefined ? (settings[name] ?? fallback) : answers.shift();
        if (answer === undefined) throw new Ended(`Missing: ${name}`);
        lines.push(`? ${text}`);
        const checked = await check(answer === "" ? (fallback ?? "") : answer);
        if (checked.kind === "valid") {
          if (checked.note !== undefined) lines.push(checked.note);
          return checked.value;
        }
        refusals.push(checked.why);
        lines.push(checked.why);
        if (typed === undefined) throw new Ended(checked.why);
      }
    },
    print: (line) => void lines.push(line),
    wait: async (text, _within, look) => {
      lines.push(text);
      for (let count = 0; beforeLook(count); count += 1) {
        const found = await look();
        if (found !== null) return found;
      }
      return null;
    },
  };
  const context: SetupContext = {
    asker,
    setting: (name) => settings[name] ?? null,
    keep: (file, text) => {
      if (!canKeep) return Promise.resolve(false);
      if (text === null) files.delete(file);
      else files.set(file, text);
      return Promise.resolve(true);
    },
    kept: (file) => files.get(file) ?? null,
    options: { update, yes },
    limits: { request, server: 5_000 },
  };
  return { context, lines, refusals, files };
};

/** The result of a setup that goes well. */
export const readyWith = async (
  setup: PlatformSetup,
  { context }: SetupScene,
): Promise<PlatformSetupResult> => {
  const ended = await setup(context);
  if (ended.kind !== "ready") throw new Error(`the setup ended: ${JSON.stringify(ended)}`);
  return ended.result;
};
