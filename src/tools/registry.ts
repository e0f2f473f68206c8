/** The tools of a parent conversation: the same list, byte for byte, in every mode (BED-017, C14). */
import type { Sandbox } from "../../sandbox/types.ts";
import type { Blobs, Log } from "../runtime/ports.ts";
import type { Modes, ToolOutcome, Tools } from "../runtime/ports-tools.ts";
import type { Pictures } from "../runtime/ports-pictures.ts";
import type { Places } from "../workspace/places.ts";
import { createBackground } from "./background.ts";
import { createBashTool } from "./bash.ts";
import { createSearchTool } from "./keyword-search.ts";
import { createChangeModeTool, modeIntent } from "./change-mode.ts";
import { createClassifier } from "./danger/classifier.ts";
import { createDangers } from "./dangers.ts";
import { createListModesTool } from "./list-modes.ts";
import { createPatchTool } from "./patch.ts";
import { createFindPlace } from "./place.ts";
import { createReadImageTool } from "./read-image.ts";
import { createRedactor, type Redactor } from "./redact.ts";
import { createUpgradeTool, isUpgradeRequest } from "./request-mode-upgrade.ts";
import { findRipgrep, ripgrepAt } from "./ripgrep.ts";
import { createJudge } from "./safety/judge.ts";
import { createShellParser } from "./safety/shell.ts";
import { withoutControls } from "./terminal.ts";
import { createThinkTool } from "./think.ts";
import { failure, type Tool, type ToolCall } from "./tool.ts";

export interface ToolDeps {
  readonly sandbox: Sandbox;
  readonly places: Places;
  readonly pictures: Pictures;
  readonly blobs: Blobs;
  /** Values that must not be shown to the model or in a thread: keys and tokens of this process. */
  readonly secrets: readonly string[];
  readonly log: Log;
  readonly modes: Modes;
}

export const createTools = async ({
  sandbox,
  places,
  pictures,
  blobs,
  secrets,
  log,
  modes,
}: ToolDeps): Promise<Tools> => {
  const [ripgrep, shell] = await Promise.all([findRipgrep(), createShellParser()]);
  if (ripgrep === null) log.warn("no ripgrep for this machine: keyword_search is not available");
  const redactor = createRedactor(secrets, (secret) => [withoutControls(secret)]);
  const findPlace = createFindPlace(places, sandbox.probe, ripgrep);
  const background = createBackground(sandbox, log);
  const judge = createJudge(shell);
  const tools = [
    createBashTool({ sandbox, findPlace, background, redactor, judge }),
    createPatchTool(sandbox, findPlace),
    createThinkTool(),
    createSearchTool(sandbox, findPlace, ripgrep === null ? null : `${ripgrepAt(ripgrep, sandbox.probe)}/rg`),
    createReadImageTool(sandbox, findPlace, pictures, blobs),
    createUpgradeTool(),
    createListModesTool(modes),
    createChangeModeTool(),
  ];
  const byName = new Map(tools.map((tool) => [tool.spec.name, tool]));
  const unknown = (name: string): ToolOutcome =>
    failure(`Unknown tool: ${name.slice(0, 100)}. Available tools: ${[...byName.keys()].join(", ")}`);
  return {
    specs: tools.map((tool) => tool.spec),
    intent: (name, input) =>
      isUpgradeRequest(name, input)
        ? { intent: "upgrade" }
        : (modeIntent(modes, name, input) ?? { intent: "tool" }),
    dangers: createDangers({ sandbox, findPlace, judge, classify: createClassifier(shell), redactor }),
    run: async ({ conversation, base, permission, grants, safeMode, name, input }, { signal }) => {
      const tool = byName.get(name);
      if (tool === undefined) return redacted(unknown(name), redactor);
      const call = { conversation, base, permission, grants, safeMode, signal };
      return redacted(await settled(tool, input, call, log), redactor);
    },
    stopBackground: (id) => background.stopAll(id),
  };
};

/** The port must not reject: a fault of ours, or of a library, is this call's error and a line in the log. */
const settled = async (tool: Tool, input: unknown, call: ToolCall, log: Log): Promise<ToolOutcome> => {
  try {
    return await tool.run(input, call);
  } catch (error) {
    log.error("a tool broke", {
      tool: tool.spec.name,
      error: error instanceof Error ? error.name : typeof error,
    });
    return failure(`${tool.spec.name} broke inside Parley; what it had done so far is unknown.`);
  }
};

/** The last thing that happens to every result, diffs and error texts included. */
const redacted = (outcome: ToolOutcome, redactor: Redactor): ToolOutcome => ({
  ...outcome,
  text: redactor.text(outcome.text),
  diff: outcome.diff === null ? null : redactor.text(outcome.diff),
});
