/** `bash` (BASH-001 to 008): the kernel decides what a command may do; the host infers nothing from its output (D29). */
import { z } from "zod";
import type { ExceededLimit, Probe, RunResult, Sandbox } from "../../../sandbox/types.ts";
import type { ToolOutcome } from "../../ports/tools.ts";
import type { Redactor } from "../../text/secrets/known-values.ts";
import { overrunText } from "../../workspace/checkout/overrun.ts";
import { mayReachNetwork } from "../../machine/provenance.ts";
import type { CallPlace, FindCallPlace } from "../resolve-execution.ts";
import { inDraft } from "../drafts/where.ts";
import type { Classifier } from "../../shell-risk/classifier.ts";
import { factsOf } from "../../shell-risk/danger/facts.ts";
import { defineTool, failure, success, type Tool, type ToolCall, textField } from "../tool.ts";
import type { Background } from "./background.ts";
import { KEEP, outputText } from "./output.ts";

/** D29 and C12, word for word; only after a non-zero exit in Restricted. */
const AGENT_HINT =
  "[sandbox: Restricted mode, read-only, no network; not available to sub-agents, report this with submit_result]";
const RESTRICTED_HINT = "[sandbox: Restricted mode, read-only, no network; use request_mode_upgrade]";

/** For a command that may use the network but has none, which only the operator can change. */
const NOT_SHARED_HINT =
  "[no network: without a network namespace commands would share the host's. The operator can allow user namespaces, start Parley as root, or accept it with PARLEY_SHARED_NETWORK=on]";

/** Added if the command ran without a network and failed. */
const NO_NETWORK_HINT =
  "[no network: safe mode gives none until a person allows it; if the command needs it, call bash again with network: true]";

const SEALED_HINT =
  "[no network: words of others have been read since somebody last let commands use it, and what used it in the background was ended; if the command needs it, call bash again with network: true]";

const DRAFT_HINT = "[sandbox: draft, a copy of the working directory, no network]";
/** Without private mounts, commands must not change modes or times, because they could change those of the checkout. */
const DRAFT_MODES_HINT =
  "[sandbox: draft, a copy of the working directory, no network; this host lets nobody change modes or times of files there]";

const NO_BACKGROUND = "There are no background commands in the draft: use mode default or slow.";

/** BASH-007 is a courtesy: a script that its checks cannot fully read is run, with this note. */
const UNCHECKED =
  "[not checked for blind git add, git push --force and critical rm: the command is too involved to be read to its end]";

/** For any exit status, because a shell may continue after one of its processes was ended. */
const endedBy = (overran: ExceededLimit): string =>
  `[the sandbox ended the command: ${overrunText(overran)}]`;

const CANCELLED = "[command cancelled]";

/** Milliseconds (BASH-002); the limit of `background` is in background.ts. */
const TIMEOUT = { default: 30_000, slow: 15 * 60_000 } as const;

const DESCRIPTION = `Run a command with \`bash -c\` in the working directory and return what it writes to standard output and standard error.

- Every call is a new shell: the current directory, variables and functions of one call are gone in the next.
- There is no terminal and standard input is empty; a command that asks a question gets no answer.
- \`mode\`: \`default\` ends after 30 seconds, \`slow\` after 15 minutes (builds, test suites), both with the output so far. \`background\` returns at once with a process id and an output file that later commands can read, and may run for 24 hours; in Restricted mode it is ended when it has written 16 MiB. Processes left behind by a default or slow command end with it.
- Output above 128 KB is cut in the middle: filter or page long output. \`rg\` and \`pdftotext\` are installed.
- In Restricted mode the kernel lets commands read the working directory and the system's programs and nothing else: writes fail except in the private directory \`$TMPDIR\`, which vanishes with the command, and there is no network. Such a command fails with the kernel's own error, such as \`Permission denied\`, \`Operation not permitted\` or \`Read-only file system\`. Trying again or in another way does not help; if the work needs to write, use a draft, and where a draft is not enough request_mode_upgrade.
- \`where: "draft"\` runs the command in the open draft instead, in every mode: a copy of the working directory that it may write, without a network and never in the background (see the tool draft).
- In Unrestricted mode the host may hold a dangerous command and ask a person first; a denial is final for the turn. With safe mode on, commands have no network: set \`network: true\` where the command needs it (downloads, package managers, pushes), and a person is asked once.
- Blind \`git add\`, \`git push --force\` and \`rm -rf\` on critical directories are refused in every mode.`;

const schema = z.object({
  command: textField
    .refine((command) => !command.includes("\0"), { error: "must not contain a NUL character" })
    .describe("The command or script."),
  mode: z
    .enum(["default", "slow", "background"])
    .optional()
    .describe("How long it may run; default if absent."),
  where: inDraft,
  network: z
    .boolean()
    .optional()
    .describe("Unrestricted mode only: the command needs the network. With safe mode on a person is asked."),
});

interface BashDeps {
  readonly sandbox: Pick<Sandbox, "run" | "probe">;
  readonly findPlace: FindCallPlace;
  readonly background: Background;
  readonly redactor: Redactor;
  readonly classify: Classifier;
}

export const createBashTool = (deps: BashDeps): Tool =>
  defineTool({
    name: "bash",
    description: DESCRIPTION,
    origin: "checkout",
    look: {
      past: "Ran {object}",
      now: "running {object}",
      fields: ["command"],
      icon: "terminal",
      face: "code",
      commits: true,
    },
    judge: "script",
    schema,
    tooLarge: "Put the script into a file and run that.",
    run: async ({ command, mode = "default", where }, call) => {
      if (command.trim() === "") return failure("Command cannot be empty");
      if (where === "draft" && mode === "background") return failure(NO_BACKGROUND);
      const verdict = await deps.classify({ judge: "script", input: { command } }, NO_FACTS, call.signal);
      if (verdict === null) return failure(CANCELLED);
      if (verdict.refusal !== null) return failure(verdict.refusal);
      const outcome = await runCommand(deps, { command, mode, where }, call);
      return verdict.complete ? outcome : { ...outcome, text: withLine(outcome.text, UNCHECKED) };
    },
  });

/** Refusals do not depend on the place, so no facts are needed. */
const NO_FACTS = factsOf("/", null);

interface Command {
  readonly command: string;
  readonly mode: "background" | keyof typeof TIMEOUT;
  readonly where: "draft" | undefined;
}

const runCommand = async (
  deps: BashDeps,
  { command, mode, where }: Command,
  call: ToolCall,
): Promise<ToolOutcome> => {
  if (deps.background.kill(call.conversation.id, command)) return success("");
  const place = await deps.findPlace(call, where);
  if (call.signal.aborted) return failure(CANCELLED);
  const argv = ["/bin/bash", "--noprofile", "--norc", "-c", command];
  return mode === "background"
    ? deps.background.start(argv, place, call)
    : foreground(deps, argv, place, call, TIMEOUT[mode]);
};

const foreground = async (
  { sandbox, redactor }: BashDeps,
  argv: readonly string[],
  place: CallPlace,
  call: ToolCall,
  timeoutMs: number,
): Promise<ToolOutcome> => {
  const result = await sandbox.run(
    { policy: place.policy, argv, env: place.env, timeoutMs, keep: KEEP },
    { signal: call.signal },
  );
  const hints = [place.hint, hintOf(place, call, sandbox.probe)].filter((hint) => hint !== null);
  const outcome = resultOf(result, redactor, timeoutMs, hints.length === 0 ? null : hints.join("\n"));
  if (result.kind === "failed") return outcome;
  const { overran, destinations = [] } = result;
  const text = overran === undefined ? outcome.text : withLine(outcome.text, endedBy(overran));
  return { ...outcome, text, reached: destinations };
};

const resultOf = (
  result: RunResult,
  redactor: Redactor,
  timeoutMs: number,
  hint: string | null,
): ToolOutcome => {
  switch (result.kind) {
    case "exited": {
      const text = outputText(result, redactor);
      const { code: exit } = result;
      if (exit === 0) return { ...success(text), exit };
      return { ...failure(withHint(`[command failed: exit code ${exit}]\n${text}`, hint)), exit };
    }
    case "signalled": {
      // Exit status as a shell computes it; the limits of the sandbox end a command this way.
      const exit = 128 + result.signal;
      return { ...failure(`[command failed: exit code ${exit}]\n${outputText(result, redactor)}`), exit };
    }
    case "timedOut":
      return failure(`[command timed out after ${timeoutMs / 1000}s]\n${outputText(result, redactor)}`);
    case "killed":
      return failure(CANCELLED);
    case "failed":
      return failure(`Failed to spawn process: ${result.reason}`);
  }
};

const hintOf = (
  { policy }: CallPlace,
  call: ToolCall,
  { egress, mounts }: Pick<Probe, "egress" | "mounts">,
): string | null => {
  if (policy.profile === "draft") return mounts ? DRAFT_HINT : DRAFT_MODES_HINT;
  if (call.permission === "restricted") return call.isSubAgent === true ? AGENT_HINT : RESTRICTED_HINT;
  if (!mayReachNetwork(call)) return call.sealed === true ? SEALED_HINT : NO_NETWORK_HINT;
  return egress === "none" ? NOT_SHARED_HINT : null;
};

const withHint = (text: string, hint: string | null): string => (hint === null ? text : withLine(text, hint));

const withLine = (text: string, line: string): string =>
  text === "" || text.endsWith("\n") ? `${text}${line}` : `${text}\n${line}`;
