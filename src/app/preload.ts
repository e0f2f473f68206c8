/** Loads the code of an active host during standby, because loading takes longer than the rest of a takeover. */

import type { Config } from "./settings/config.ts";

export const preload = (config: Config): Promise<unknown> =>
  Promise.allSettled([
    import("../../adapters/http/listener.ts"),
    import("../model/router.ts"),
    import("../tools/pictures/pictures.ts"),
    import("./tools.ts"),
    import("../workspace/workspaces.ts"),
    ...config.features.map(({ preload: code }) => code()),
    ...(config.ANTHROPIC_API_KEY === undefined ? [] : [import("../model/anthropic.ts")]),
    ...config.platforms.flatMap(({ configure }) => {
      const state = configure(config);
      return state.kind === "ready" ? [state.load()] : [];
    }),
  ]);
