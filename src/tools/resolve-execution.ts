import type { Mount, SandboxPolicy, Probe } from "../../sandbox/types.ts";
import { mayReachNetwork } from "../machine/provenance.ts";
import type { Program } from "./pdf-program.ts";
import { type ToolCall, Unable } from "./tool.ts";
import { PLAIN_ENVIRONMENT, type CommandPlaces } from "../workspace/checkout/policy.ts";
import { isThere } from "../workspace/disk/durable.ts";
import { SANDBOX_PATHS, sandboxPathOf } from "../workspace/disk/layout.ts";

export interface CallPlace {
  readonly policy: SandboxPolicy;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** Directory for the output of Restricted background commands, on the host and as commands see it. */
  readonly outputs: { readonly directory: string; readonly seen: string };
  readonly hint: string | null;
}

/** Uses the call's stamped permission (D12), or its draft. */
export type FindCallPlace = (call: ToolCall, where?: "draft") => Promise<CallPlace>;

export const createResolveExecution =
  (
    places: CommandPlaces,
    probe: Pick<Probe, "mounts">,
    ripgrep: Mount | null,
    pdf: Program | null = null,
  ): FindCallPlace =>
  async (call, where) => {
    if (where === "draft" && call.isSubAgent === true) throw new Unable(NOT_OF_AGENTS);
    const found = await places.policy(call.conversation.id, where ?? call.permission, call.writes);
    if (found.kind === "failed") throw new Unable(found.message);
    const { outputs } = found;
    const shown = { source: outputs, target: SANDBOX_PATHS.background, write: false };
    const mounts = [
      ...(ripgrep === null ? [] : [ripgrep]),
      ...(pdf?.mounts ?? []),
      // Mounted only once the first background command has run.
      ...((await isThere(outputs)) ? [shown] : []),
    ];
    return {
      policy: {
        ...found.policy,
        network: mayReachNetwork(call) ? found.policy.network : "none",
        mounts: [...found.policy.mounts, ...mounts],
      },
      home: found.home,
      outputs: { directory: outputs, seen: sandboxPathOf({ probe }, shown) },
      hint: found.hint ?? null,
      env: {
        ...pdf?.env,
        ...commandEnvironment(
          found,
          [ripgrep, pdf?.bin].flatMap((bin) => (bin ? [sandboxPathOf({ probe }, bin)] : [])),
        ),
      },
    };
  };

const NOT_OF_AGENTS = "The draft is not available to sub-agents; report this with submit_result";

/** There is no terminal, so programs are told not to prompt, page or draw. */
const FIXED: Readonly<Record<string, string>> = {
  ...PLAIN_ENVIRONMENT,
  USER: "parley",
  LOGNAME: "parley",
  SHELL: "/bin/bash",
  EDITOR: "/bin/false",
  VISUAL: "/bin/false",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_SEQUENCE_EDITOR: "sh -c 'echo interactive rebase needs an editor and there is none >&2; exit 1'",
  GIT_TERMINAL_PROMPT: "0",
  // At some tiers the checkout belongs to another uid than the command's.
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "safe.directory",
  GIT_CONFIG_VALUE_0: "*",
};

/** Inherits nothing from the host, so the environment can contain no secret. `extraEnv` overrides the fixed values. */
export const commandEnvironment = (
  place: { readonly home: string; readonly extraEnv: Readonly<Record<string, string>> },
  bins: readonly string[],
): Readonly<Record<string, string>> => ({
  ...FIXED,
  ...place.extraEnv,
  HOME: place.home,
  PATH: [PLAIN_ENVIRONMENT.PATH, ...bins].join(":"),
});
