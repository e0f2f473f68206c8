/** The demo model driven to the end of a turn: real commands in a real directory, the core's own way with messages. */

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { rgPath } from "@vscode/ripgrep";
import { onTestFinished } from "vitest";
import { createDemoModel } from "../../../src/features/demo/model.ts";
import type { Clock } from "../../../src/ports/host.ts";
import type { ModelOutcome } from "../../../src/ports/model.ts";
import type { AnswerBlock, PromptBlock, PromptMessage } from "../../../src/thread/prompt.ts";
import { applyPatches } from "../../../src/tools/patch/apply-patches.ts";
import { unless } from "../../../src/tools/tool.ts";
import { patchInput } from "../../../src/tools/patch/patch-input.ts";
import { rankFiles, readLines, writeFiles } from "../../../src/tools/search/search-hits.ts";
import { request, text, user } from "../../model/harness.ts";

const run = promisify(execFile);

interface Result {
  readonly text: string;
  readonly isError: boolean;
}

/** What a call comes to, and the notes that follow the round's results. */
export type Tool = (
  name: string,
  input: Readonly<Record<string, unknown>>,
) => Promise<Result & { readonly note?: string }>;

interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface Told {
  /** The calls of each response. */
  readonly rounds: readonly (readonly Call[])[];
  readonly final: string;
  readonly messages: readonly PromptMessage[];
}

/** Fires at once, in a later turn of the event loop. */
export const instant: Clock = {
  now: () => 0,
  after: (_, fire) => {
    const timer = setImmediate(fire);
    return () => clearImmediate(timer);
  },
};

const PREFACE = text("[Parley] This conversation works on a checkout of its own.\nRepository: /somewhere");

export const say = (said: string, tool: Tool, before: readonly PromptMessage[] = []): Promise<Told> =>
  finish(before.length === 0 ? [user(PREFACE, text(said))] : [...before, user(text(said))], tool);

/** Answers calls until the turn is over; fails after six responses. */
export const finish = async (messages: readonly PromptMessage[], tool: Tool): Promise<Told> => {
  const rounds: (readonly Call[])[] = [];
  let history = messages;
  for (let response = 1; response <= 6; response += 1) {
    const outcome = await respond(history);
    const calls = outcome.blocks.flatMap((block) => (block.kind === "toolUse" ? [block] : []));
    history = [...history, { role: "assistant", content: outcome.blocks }];
    if (outcome.stop === "end") return { rounds, final: textOf(outcome.blocks), messages: history };
    rounds.push(calls.map(({ name, input }) => ({ name, input: Object(input) })));
    history = [...history, await resultsOf(calls, tool)];
  }
  throw new Error(`no end after six responses: ${JSON.stringify(rounds)}`);
};

export const respond = async (
  messages: readonly PromptMessage[],
): Promise<ModelOutcome & { kind: "answered" }> => {
  const model = createDemoModel({ clock: instant });
  const deltas: string[] = [];
  const signal = new AbortController().signal;
  const outcome = await model.respond(request(messages), { signal, onText: (delta) => deltas.push(delta) });
  if (outcome.kind !== "answered") throw new Error(`expected an answer, got ${JSON.stringify(outcome)}`);
  if (deltas.join("") !== textOf(outcome.blocks)) throw new Error("what streamed is not what was answered");
  return outcome;
};

const textOf = (blocks: readonly AnswerBlock[]): string =>
  blocks.map((block) => (block.kind === "text" ? block.text : "")).join("");

const resultsOf = async (
  calls: readonly (AnswerBlock & { kind: "toolUse" })[],
  tool: Tool,
): Promise<PromptMessage> => {
  const results: PromptBlock[] = [];
  const notes: PromptBlock[] = [];
  for (const { id, name, input } of calls) {
    const { note, ...result } = await tool(name, Object(input));
    results.push({ kind: "toolResult", id, ...result, images: [] });
    if (note !== undefined) notes.push(text(note));
  }
  return user(...results, ...notes);
};

/** How the person answers a request to write; `applies`: a draft can be opened, and the person applies its result. */
export type Person = "approves" | "denies" | "applies";

const UPGRADED =
  "[Parley] The conversation is now in Unrestricted mode: a person approved it. Tools may write in the working directory, and patch is available.";

/** The commands, the search and the patch as the tools do them, without the sandbox. */
export const toolsIn = (cwd: string, person: Person = "denies"): Tool => {
  let mayWrite = false;
  return async (name, input) => {
    switch (name) {
      case "think":
        return { text: "recorded", isError: false };
      case "keyword_search":
        return { text: await search(cwd, strings(input["search_terms"])), isError: false };
      case "bash":
        return bash(cwd, String(input["command"]));
      case "request_mode_upgrade":
        if (mayWrite) return { text: "Already in Unrestricted mode", isError: true };
        if (person !== "approves") {
          return { text: "Denied by user: the conversation stays in Restricted mode.", isError: true };
        }
        mayWrite = true;
        return {
          text: "Approved: the conversation is now in Unrestricted mode.",
          isError: false,
          note: UPGRADED,
        };
      case "draft":
        return person === "applies"
          ? { text: "The draft is open.", isError: false }
          : { text: "No draft can be opened here.", isError: true };
      case "propose":
        return { text: "Done, as a person approved it.", isError: false };
      case "patch":
        // A draft is the directory itself here.
        return mayWrite || input["where"] === "draft"
          ? patch(cwd, input)
          : { text: "Patch tool is disabled in Restricted mode.", isError: true };
      default:
        return { text: `Unknown tool: ${name}`, isError: true };
    }
  };
};

const patch = async (cwd: string, raw: unknown): Promise<Result> => {
  const { path, patches } = patchInput.parse(raw);
  const file = join(cwd, path);
  const before = existsSync(file) ? readFileSync(file, "utf8") : null;
  return unless<Result>(
    async () => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, applyPatches(before, patches, new Map()).text);
      return { text: "<patches_applied>all</patches_applied>", isError: false };
    },
    ({ message }) => ({ text: message, isError: true }),
  );
};

/** A git repository of these files, removed after the test. */
export const repository = async (files: Readonly<Record<string, string | Uint8Array>>): Promise<string> => {
  const cwd = await mkdtemp(join(tmpdir(), "parley-demo-"));
  onTestFinished(() => rm(cwd, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, path)), { recursive: true });
    await writeFile(join(cwd, path), content);
  }
  const { text: said, isError } = await bash(
    cwd,
    "git init -q -b main . && git add -- . && git -c user.name=t -c user.email=t@t commit -q --allow-empty -m first",
  );
  if (isError) throw new Error(said);
  return cwd;
};

const strings = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

const bash = async (cwd: string, command: string): Promise<Result> =>
  run("/bin/bash", ["--noprofile", "--norc", "-c", command], { cwd, maxBuffer: 2 ** 24 }).then(
    ({ stdout, stderr }) => ({ text: stdout + stderr, isError: false }),
    (error: { code?: unknown; stdout?: string; stderr?: string }) => ({
      text: `[command failed: exit code ${String(error.code)}]\n${error.stdout ?? ""}${error.stderr ?? ""}`,
      isError: true,
    }),
  );

/** As `keyword_search` does it: each term by itself, those with over 64 KB left out, at most 24,000 characters. */
const search = async (cwd: string, terms: readonly string[]): Promise<string> => {
  const found = await Promise.all(
    terms.map(async (term) => {
      const options = [
        "--null",
        "--no-heading",
        "-n",
        "-H",
        "-i",
        "-C10",
        "--hidden",
        "--glob=!.git",
        "--max-columns=300",
      ];
      const { stdout } = await run(rgPath, [...options, "-e", term, "./"], { cwd, maxBuffer: 2 ** 26 }).catch(
        (error: { stdout?: string }) => ({ stdout: error.stdout ?? "" }),
      );
      return { term, lines: readLines(stdout), isTooMuch: Buffer.byteLength(stdout) > 65_536 };
    }),
  );
  const files = rankFiles(found.filter(({ isTooMuch }) => !isTooMuch));
  return files.length === 0 ? "No matches found for the given search terms." : writeFiles(files, 24_000);
};
