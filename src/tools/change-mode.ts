/** `agent_change_mode` (TUL-007): the host asks people about every valid call. The tool runs only after their approval. */

import { z } from "zod";
import type { ActResult } from "../ports/bot.ts";
import type { Log } from "../ports/host.ts";
import { type Modes, organisationOf, type SessionModes, type ToolOutcome } from "../ports/tools.ts";
import { defineTool, failure, success, type Tool, type ToolCall } from "./tool.ts";

const MAX_REASON = 2_000;

/** TUL-007 5.3 and 5.2 in this order; `sessionId`, `org` and `user` are never read from a call (3.3). */
const DESCRIPTION = [
  "Changes the mode for the current agent session to the specified mode string. Call only after the user confirms a mode change, and provide a short 'reason' describing why this mode fits the current request. Set branch=true when the user wants the new work to start as a separate session.",
  "First, propose a specific target mode and ask whether the user wants to (1) stay in the current mode, (2) switch this session to that mode, or (3) switch and start a new session. Call this tool only for options (2) or (3): use branch=false for switching the current session, and branch=true when the user wants to switch and start a new session.",
  "The host asks the person itself, with three buttons, before anything changes; the result says what they chose. A mode never changes the permission. Use it sparingly; agent_list_modes lists the modes.",
].join("\n");

/** Every field is optional, so that each rule of 3.4 can answer with its required text. */
const schema = z.object({
  mode: z.string().optional().describe("Key of the mode to change to."),
  branch: z
    .boolean()
    .optional()
    .describe("false: keep working in this session. true: the work starts as a new session in that mode."),
  reason: z.string().optional().describe("Short explanation of why this mode fits the current request."),
});

interface ChangeModeDeps {
  readonly modes: Modes;
  readonly sessions: SessionModes | null;
  readonly log: Pick<Log, "error"> | null;
}

/** Returns an error without a context (3.4). */
interface ChangeModeTool extends Tool {
  run(input: unknown, call: ToolCall | null): Promise<ToolOutcome>;
}

/** Conversation ids are the session ids of TUL-007. */
const SESSION = /^c-./;

type Wish =
  | { readonly kind: "valid"; readonly mode: string; readonly branch: boolean; readonly reason: string }
  | { readonly kind: "invalid"; readonly text: string };

/** Throws if a required dependency is missing (TUL-007 3.2). */
export const createChangeModeTool = ({ modes, sessions, log }: ChangeModeDeps): ChangeModeTool => {
  if (sessions === null) throw new TypeError("ModeChangeTool requires a session manager.");
  if (log === null) throw new TypeError("ModeChangeTool requires a log.");
  const tool = defineTool({
    name: "agent_change_mode",
    description: DESCRIPTION,
    origin: "host",
    look: {
      past: "Asked for the work mode {object}",
      now: "asking for the work mode {object}",
      fields: ["mode"],
      icon: "lock",
      face: "code",
    },
    judge: null,
    schema,
    tooLarge: `The reason may have ${MAX_REASON} characters.`,
    run: () => Promise.resolve(failure(FAILED)),
  });
  return {
    ...tool,
    spec: { ...tool.spec, inputSchema: { ...tool.spec.inputSchema, required: ["mode", "branch", "reason"] } },
    intent: (input) => {
      const wish = wishOf(input);
      const known = wish.kind === "valid" && modes.all.some(({ key }) => key === wish.mode);
      return known ? { intent: "mode", mode: wish.mode, branch: wish.branch } : null;
    },
    run: async (input, call) => {
      const wish = wishOf(input);
      if (wish.kind === "invalid" && wish.text === NO_ARGUMENTS) return failure(wish.text);
      if (call === null) return failure(NO_CONTEXT);
      const { conversation, confirmed } = call;
      if (!SESSION.test(conversation.id)) {
        log.error(NO_SESSION);
        return failure(NO_SESSION);
      }
      if (wish.kind === "invalid") return failure(wish.text);
      // An unconfirmed call names no known mode, because the host asks about all others (C31).
      if (confirmed === undefined) return failure(FAILED);
      const { mode, reason } = wish;
      const why = await failureOf(() =>
        sessions.setSessionMode(conversation.id, mode, reason, organisationOf(conversation), confirmed.by),
      );
      if (why === null)
        return success(JSON.stringify({ success: true, mode, branch: confirmed.branch, reason }));
      log.error("session: work mode not changed", {
        conversation: conversation.id,
        why,
      });
      return failure(FAILED);
    },
  };
};

/** Returns null if the mode is set. A manager that throws counts as failed. */
const failureOf = async (set: () => Promise<ActResult>): Promise<string | null> => {
  try {
    const result = await set();
    switch (result.kind) {
      case "done":
        return null;
      case "refused":
        return result.why === "no_op" ? null : result.why;
      case "failed":
        return `${result.code}: ${result.message}`;
      case "unknown":
        return "there is no such conversation";
    }
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : typeof error;
  }
};

const wishOf = (input: unknown): Wish => {
  const given = z.looseObject({}).safeParse(input);
  if (!given.success || Object.keys(given.data).length === 0) return invalid(NO_ARGUMENTS);
  const { mode, branch, reason } = given.data;
  if (typeof mode !== "string" || mode.trim() === "") return invalid(NO_MODE);
  if (typeof branch !== "boolean") return invalid(NO_BRANCH);
  if (typeof reason !== "string" || reason.trim() === "") return invalid(NO_REASON);
  if (reason.length > MAX_REASON) return invalid(`The reason may have ${MAX_REASON} characters.`);
  return { kind: "valid", mode: mode.trim(), branch, reason };
};

const invalid = (text: string): Wish => ({ kind: "invalid", text });

const NO_ARGUMENTS = "ModeChangeTool requires a non-empty arguments object.";
const NO_CONTEXT = "ModeChangeTool requires a valid execution context.";
const NO_SESSION = "ModeChangeTool cannot change mode because the session id is missing.";
const NO_MODE = "ModeChangeTool requires a non-empty 'mode' string.";
const NO_BRANCH = "ModeChangeTool requires a 'branch' boolean flag.";
const NO_REASON =
  "ModeChangeTool requires a non-empty 'reason' string explaining why the mode change is needed.";
const FAILED = "ModeChangeTool failed to change the session mode.";
