/** Webhooks with their configuration, behind the console's door: off unless there is a secret. */

import type { HookDeps } from "../../adapters/hooks/hooks.ts";
import { addressOf } from "../ports/address.ts";
import type { Beside } from "../ports/beside.ts";
import { type Bound, reposOf } from "../ports/conversation.ts";
import type { Config } from "./settings/config.ts";

export const openHooks = async (
  { PARLEY_HOOK_SECRET: master }: Pick<Config, "PARLEY_HOOK_SECRET">,
  parts: Omit<HookDeps, "master">,
): Promise<Beside | null> => {
  if (master === undefined) return null;
  const { createHooks } = await import("../../adapters/hooks/hooks.ts");
  return createHooks({ ...parts, master });
};

/** Host and path, as a forge's events name them, of what is on one. */
export const reposAtForge = (bound: Bound | null): readonly string[] => {
  if (bound === null) return [];
  return reposOf(bound).flatMap((repo) => {
    const address = addressOf(repo);
    return address === null ? [] : [`${address.host}/${address.owner}/${address.name}`.toLowerCase()];
  });
};
