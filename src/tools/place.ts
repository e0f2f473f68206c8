/** Where one call's commands and files are: the workspace's policy and home, with ripgrep and the environment. */
import type { Policy, Probe } from "../../sandbox/types.ts";
import type { Places } from "../workspace/places.ts";
import { commandEnvironment } from "./environment.ts";
import { mayReachNetwork } from "./network.ts";
import { ripgrepAt, type Ripgrep } from "./ripgrep.ts";
import type { ToolCall } from "./tool.ts";

export interface Place {
  readonly kind: "place";
  readonly policy: Policy;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** Said beside the output of a command that fails; null where there is nothing to say. */
  readonly hint: string | null;
}

/** Finds the place of a call under the permission that the call was stamped with (D12). Never rejects. */
export type FindPlace = (
  call: ToolCall,
) => Promise<Place | { readonly kind: "failed"; readonly message: string }>;

export const createFindPlace =
  (places: Places, probe: Pick<Probe, "mounts">, ripgrep: Ripgrep | null): FindPlace =>
  async (call) => {
    const found = await places.policy(call.conversation.id, call.permission);
    if (found.kind === "failed") return found;
    const mounts = ripgrep === null ? [] : [ripgrep.mount];
    return {
      kind: "place",
      policy: {
        ...found.policy,
        network: mayReachNetwork(call) ? found.policy.network : "none",
        mounts: [...found.policy.mounts, ...mounts],
      },
      home: found.home,
      hint: found.hint ?? null,
      env: commandEnvironment(found, ripgrep === null ? null : ripgrepAt(ripgrep, probe)),
    };
  };
