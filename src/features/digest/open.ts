import type { Core } from "../../feature.ts";
import { createDigests } from "./digests.ts";
import type { Digests } from "./ports.ts";
import { createDigestRows } from "./rows.ts";
import { startWeekly } from "./weekly.ts";

export interface DigestContext {
  readonly digests: Digests;
  readonly operator: Core["operator"];
}

export const openDigests = (
  core: Pick<Core, "rows" | "feedback" | "surfaces" | "bot" | "operator" | "randomId" | "clock" | "log">,
) => {
  const { surfaces, operator } = core;
  const rows = createDigestRows(core.rows, core.log);
  const digests = createDigests({
    ...core,
    rows,
    audience: async (surface, place, root) => {
      const on = surfaces().find(({ name }) => name === surface);
      return (await on?.readThread({ place, root: root ?? place }))?.audience ?? null;
    },
  });
  const own: DigestContext = { digests, operator };
  return { own, start: () => startWeekly({ ...core, digests, rows }) };
};
