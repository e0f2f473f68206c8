/**
 * Safe mode's classification of a call into the nine danger categories (Phase 5, C26).
 *
 * The rules use parsed commands and resolved paths, never substrings: text that a command only prints, searches for or uses as
 * a name is no danger. Like all analysis of commands, the classification only prevents accidents; the kernel enforces the
 * limits of a call.
 */
import { posix } from "node:path";
import { z } from "zod";
import { type Danger, explain, finding, type DangerFinding, UNREAD } from "./danger/danger.ts";
import type { CheckoutFacts } from "./danger/facts.ts";
import type { Memory, ReadScript, RuleContext } from "./danger/rule-context.ts";
import { plainWord, leadingText } from "./shell/word.ts";
import { fileAccessFindings } from "./programs/file-access.ts";
import type { Redirect, SimpleCommand } from "./shell/command.ts";
import type { ParsedScript } from "./shell/shell.ts";
import { refuse } from "./refusals.ts";
import { commandFindings } from "./programs/command-findings.ts";
import { rememberFiles, rememberRedirect } from "./programs/executed-files.ts";

/** The dangerous part of an input: its script, or the path that is written or read. */
export type InputKind = "script" | "write" | "read";

export interface ToolUse {
  readonly judge: InputKind;
  readonly input: unknown;
}

export interface ClassifiedCall {
  /** Reason why nobody can approve the call (BASH-007); null if the call can be approved. */
  readonly refusal: string | null;
  readonly dangers: readonly Danger[];
  /**
   * Checkout paths that the call writes and the facts do not contain. If a path is untracked, the same call with that fact is
   * FS_DELETE_OVERWRITE (D30). If all paths are tracked or new, nothing is added.
   */
  readonly unsettled: readonly string[];
  /**
   * Checkout files that the call runs and the facts do not contain. Once their text is known, the call is judged by that text
   * too.
   */
  readonly runs: readonly string[];
  /**
   * False if a part was not read, because the part is too long, too deep or slow to parse. The findings remain valid, and more
   * may exist.
   */
  readonly complete: boolean;
}

/**
 * Pure if `read`, which parses a script or declines, is pure. Never throws. An input that its tool would refuse is no danger.
 */
export const classify = (call: ToolUse, facts: CheckoutFacts, read: ReadScript): ClassifiedCall => {
  const reading = new Set<string>();
  const memory: Memory = {
    facts,
    read,
    judge: (name, script) => {
      if (reading.has(name)) return [];
      reading.add(name);
      const findings = judgeScript(script, memory);
      reading.delete(name);
      return findings;
    },
    made: new Map(),
    unsettled: new Set(),
    runs: new Set(),
    fetched: false,
    incomplete: false,
  };
  const { what, findings, refusal } = judge(call, memory);
  return {
    refusal,
    dangers: findings.length === 0 ? [] : explain(findings, what),
    unsettled: [...memory.unsettled].slice(0, MAX_UNSETTLED),
    runs: [...memory.runs],
    complete: !memory.incomplete,
  };
};

const MAX_UNSETTLED = 256;

/** Result for a call that cannot be read completely: its unread part counts as running unseen code. */
export const unreadable = (
  call: ToolUse,
  glanced: ClassifiedCall,
  skim: (script: string) => ParsedScript,
): ClassifiedCall => {
  const command = whatOf(call);
  const known = glanced.dangers.filter(({ category }) => category !== "EXEC_ARBITRARY");
  const dangers = [...known, ...explain([UNREAD.bounds], command)];
  return { ...glanced, dangers, refusal: refuse(skim(command)) };
};

const whatOf = ({ input }: ToolUse): string => BashInput.safeParse(input).data?.command ?? "";

interface Judged {
  readonly what: string;
  readonly findings: readonly DangerFinding[];
  readonly refusal: string | null;
}

const NOTHING: Judged = { what: "", findings: [], refusal: null };

const judge = ({ judge: how, input }: ToolUse, memory: Memory): Judged =>
  how === "script" ? judgeScriptInput(input, memory) : judgePath(input, how, memory);

const BashInput = z.object({ command: z.string(), network: z.boolean().optional() });

const judgeScriptInput = (input: unknown, memory: Memory): Judged => {
  const parsed = BashInput.safeParse(input);
  if (!parsed.success) return NOTHING;
  const { command, network = false } = parsed.data;
  const script = memory.read(command);
  memory.incomplete ||= script === null || (script.kind === "unparseable" && script.reason === "bounds");
  const findings = script === null ? [] : judgeParsed(script, memory);
  const granted = findings.some(({ category }) => OPENING.has(category));
  const asked = network && !granted ? [finding("NETWORK_RISK", "asks for the network")] : [];
  const refusal = script === null ? null : refuse(script);
  return { what: command, findings: [...findings, ...asked], refusal };
};

/** Categories that open the network for the command. */
const OPENING: ReadonlySet<string> = new Set(["NETWORK_RISK", "DEPS_INSTALL_UPDATE"]);

/** Maximum characters of a displayed path; longer texts are no paths. */
const MAX_PATH = 4_096;

const PathInput = z.object({ path: z.string() });

const judgePath = (input: unknown, access: "read" | "write", memory: Memory): Judged => {
  const parsed = PathInput.safeParse(input);
  if (!parsed.success) return NOTHING;
  const { path } = parsed.data;
  const findings = fileAccessFindings(plainWord(path), access, { memory });
  // D30: the thread displays a patch, so only changes that the thread cannot display or restore count.
  const counted = findings.filter(({ category }) => category !== "DEPS_INSTALL_UPDATE");
  return {
    what: `${access === "write" ? "Change" : "Read"} ${posix.normalize(path.slice(0, MAX_PATH))}`,
    findings: counted,
    refusal: null,
  };
};

const judgeScript = (script: string, memory: Memory): readonly DangerFinding[] => {
  const parsed = memory.read(script);
  if (parsed !== null) return judgeParsed(parsed, memory);
  memory.incomplete = true;
  return [];
};

/** Maximum number of a script's commands and redirections to judge; an approver could not review more. */
const MAX_JUDGED = 4_000;

const judgeParsed = ({ steps, ...parsed }: ParsedScript, memory: Memory): readonly DangerFinding[] => {
  const findings: DangerFinding[] = [];
  let starts = 0;
  for (const step of steps.slice(0, MAX_JUDGED)) {
    if (step.kind === "redirect") {
      for (const each of redirectFindings(step, { memory })) findings.push(each);
      rememberRedirect(step, memory);
      continue;
    }
    const scene: RuleContext = { command: step, memory };
    for (const each of commandFindings(scene)) findings.push(each);
    rememberFiles(scene);
    if (multiplies(step)) starts += 1;
  }
  if (starts > 1) findings.push(finding("SYSTEM_IMPACT", "starts itself again and again", "high"));
  if (parsed.kind === "unparseable") findings.push(UNREAD[parsed.reason]);
  if (steps.length > MAX_JUDGED) findings.push(UNREAD.bounds);
  return findings;
};

/** Whether a function calls itself without an argument that could end the recursion. A fork bomb contains two such calls. */
const multiplies = ({ program, via, args }: SimpleCommand): boolean =>
  program !== null && args.length === 0 && via.includes(program);

/** bash opens a network connection for such a path. */
const CONNECTION = /^\/dev\/(?:tcp|udp)\//;

const redirectFindings = (
  redirect: Redirect,
  scene: Omit<RuleContext, "command">,
): readonly DangerFinding[] => {
  const path = leadingText(redirect.target);
  if (CONNECTION.test(path)) return [finding("NETWORK_RISK", `connects to ${path}`)];
  if (redirect.access === "read") return fileAccessFindings(redirect.target, "look", scene);
  const empties = redirect.content?.pieces.length === 0 && !redirect.operator.startsWith(">>");
  return fileAccessFindings(
    redirect.target,
    empties || redirect.operator === ">|" ? "destroy" : "write",
    scene,
  );
};
