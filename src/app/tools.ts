/** Two lists of tools, for conversations and sub-agents, each the same byte for byte in every mode (BED-017, C14). */
import type { Sandbox } from "../../sandbox/types.ts";
import type { Drafts } from "../ports/drafts.ts";
import type { ForgeAccess } from "../ports/forge-access.ts";
import type { Log } from "../ports/host.ts";
import type { Outgoing } from "../ports/outgoing.ts";
import { createTakePicture, type Pictures } from "../ports/pictures.ts";
import type { Blobs } from "../ports/store.ts";
import type { Modes, SessionModes, ToolOutcome, Tools } from "../ports/tools.ts";
import { UNKNOWN } from "../thread/call-text.ts";
import { maskSecrets } from "../text/secrets/known-forms.ts";
import type { CommandPlaces } from "../workspace/checkout/policy.ts";
import { sandboxPathOf } from "../workspace/disk/layout.ts";
import { createAskTool } from "../tools/ask-person.ts";
import { createAttachTool } from "../tools/files/attach-file.ts";
import { createBackground } from "../tools/bash/background.ts";
import { createBashTool } from "../tools/bash/bash.ts";
import { createDangers } from "../tools/bash/dangers.ts";
import { createOutputs } from "../tools/bash/outputs.ts";
import { createRedactor, type Redactor } from "../text/secrets/known-values.ts";
import { withoutControls } from "../tools/bash/terminal.ts";
import { createChangeModeTool } from "../tools/change-mode.ts";
import { createClassifier } from "../shell-risk/classifier.ts";
import { createDraftTool } from "../tools/drafts/open-draft.ts";
import { createProposeTool } from "../tools/drafts/propose.ts";
import { createListModesTool } from "../tools/list-modes.ts";
import { createPatchTool } from "../tools/patch/patch.ts";
import { findPdfProgram } from "../tools/pdf-program.ts";
import { createReadImageTool } from "../tools/pictures/read-image.ts";
import { createResolveExecution } from "../tools/resolve-execution.ts";
import { createUpgradeTool } from "../tools/request-mode-upgrade.ts";
import { createSearchTool, findRipgrep } from "../tools/search/keyword-search.ts";
import { createSpawnTool, type KnowsModel } from "../tools/spawn-agents.ts";
import { createSubmitTools } from "../tools/submit.ts";
import { createThinkTool } from "../tools/think.ts";
import { failure, toolsByName, noteBreak, type Tool, type ToolCall, type ToolKit } from "../tools/tool.ts";
import { writesOf } from "../tools/writing.ts";

interface ToolDeps {
  readonly sandbox: Sandbox;
  readonly places: CommandPlaces;
  readonly pictures: Pictures;
  readonly blobs: Blobs;
  /** Hidden from the model and from threads: keys and tokens of this process. */
  readonly secrets: readonly string[];
  readonly log: Log;
  readonly modes: Modes;
  readonly sessions: SessionModes;
  readonly forge: Pick<ForgeAccess, "pulls">;
  readonly drafts: Drafts;
  readonly outgoing: Outgoing;
  readonly ofFeatures?: (kit: ToolKit) => readonly Tool[];
  readonly knowsModel: KnowsModel;
  /** Model of sub-agents if a call names none; the conversation's model if absent. */
  readonly agentModel?: string;
}

export const createTools = async ({
  sandbox,
  places,
  pictures,
  blobs,
  secrets,
  log,
  modes,
  sessions,
  forge,
  drafts,
  outgoing,
  ofFeatures = () => [],
  knowsModel,
  agentModel,
}: ToolDeps): Promise<Tools> => {
  const ripgrep = await findRipgrep();
  if (ripgrep === null) log.warn("tools: ripgrep not found, keyword_search not available");
  const redactor = createRedactor(secrets, { variants: (secret) => [withoutControls(secret)] });
  const findPlace = createResolveExecution(places, sandbox.probe, ripgrep, findPdfProgram(sandbox.probe));
  const background = createBackground(sandbox, createOutputs(), log);
  const classify = createClassifier();
  const redact = (text: string): string => maskSecrets(redactor.text(text));
  const shared = [
    createBashTool({ sandbox, findPlace, background, redactor, classify }),
    createPatchTool(sandbox, findPlace),
    createThinkTool(),
    createSearchTool(sandbox, findPlace, ripgrep === null ? null : `${sandboxPathOf(sandbox, ripgrep)}/rg`),
  ];
  const ownTools = [
    ...shared,
    createReadImageTool(sandbox, findPlace, createTakePicture({ pictures, blobs })),
    createAttachTool(sandbox, findPlace, blobs, redactor),
    createUpgradeTool(),
    createAskTool(),
    createListModesTool(modes),
    createChangeModeTool({ modes, sessions, log }),
    createSpawnTool(knowsModel, agentModel),
    createDraftTool(drafts, sandbox.probe),
    createProposeTool({ drafts, pulls: forge.pulls(outgoing), blobs, redact }),
  ];
  const tools = listTools(ownTools, ofFeatures({ redact, outgoing }));
  const agentTools = [...shared, ...createSubmitTools()];
  const byName = toolsByName(tools);
  const ofAgents = toolsByName(agentTools);
  const known = (name: string): Tool | undefined => byName.get(name) ?? ofAgents.get(name);
  return {
    specs: tools.map((tool) => tool.spec),
    agentSpecs: agentTools.map((tool) => tool.spec),
    intent: (name, input, folders = []) => known(name)?.intent(input, folders) ?? { intent: "tool" },
    origin: (name) => known(name)?.origin ?? "host",
    look: (name) => known(name)?.look ?? UNKNOWN,
    dangers: createDangers({
      sandbox,
      findPlace,
      classify,
      redactor,
      judgeOf: (name) => known(name)?.judge ?? null,
    }),
    run: async ({ name, input, ...run }, hooks) => {
      const offered = run.isSubAgent === true ? ofAgents : byName;
      const tool = offered.get(name);
      if (tool === undefined) return redacted(unknown(name, offered), redactor);
      return redacted(await settled(tool, input, { ...run, ...hooks }, log), redactor);
    },
    writes: writesOf(tools, log),
    stopBackground: (id) => background.stopAll(id),
  };
};

/** Each tool of a feature precedes the tool that it names. */
export const listTools = (ownTools: readonly Tool[], ofFeatures: readonly Tool[]): readonly Tool[] =>
  ofFeatures.reduce((tools, one) => {
    const next = tools.findIndex(({ spec }) => spec.name === one.before);
    return next === -1 ? [...tools, one] : tools.toSpliced(next, 0, one);
  }, ownTools);

const unknown = (name: string, known: ReadonlyMap<string, Tool>): ToolOutcome =>
  failure(`Unknown tool: ${name.slice(0, 100)}. Available tools: ${[...known.keys()].join(", ")}`);

/** The port must not reject. A fault in Parley or a library becomes this call's error and a log line. */
const settled = async (tool: Tool, input: unknown, call: ToolCall, log: Log): Promise<ToolOutcome> => {
  try {
    return await tool.run(input, call);
  } catch (error) {
    noteBreak(log, { ...call, name: tool.spec.name }, error);
    return failure(`${tool.spec.name} broke inside Parley; what it had done so far is unknown.`);
  }
};

/** Redacts every result as the last step, including diffs and error texts. */
const redacted = (outcome: ToolOutcome, redactor: Redactor): ToolOutcome => ({
  ...outcome,
  text: redactor.text(outcome.text),
  diff: outcome.diff === null ? null : redactor.text(outcome.diff),
});
