/** Features on the host of a rig, opened as the product opens them. */

import { FEATURES, observeFeatures, type OpenFeatures } from "../../src/app/features.ts";
import { randomId } from "../../src/app/random-id.ts";
import { NO_KNOWLEDGE } from "../../src/ports/knowledge/knowledge.ts";
import type { Core, SetFeature, SetResult } from "../../src/feature.ts";

type Given = Pick<
  Core,
  "ledger" | "feedback" | "answers" | "store" | "chat" | "rows" | "bot" | "surfaces" | "clock" | "log"
>;

/** `own`: parts that a test looks at. `env`: settings of the features. */
export const openFeaturesOf = async (
  parts: Given,
  own: Partial<Core> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<OpenFeatures> => {
  const observing = await observeFeatures(
    FEATURES.flatMap(({ set }) => setOf(set(env))),
    { clock: parts.clock, version: "0", keyOf: () => null },
  );
  if (observing.kind === "invalid") throw new Error(observing.problems.join("\n"));
  return observing.open(coreOf(parts, own));
};

/** Nothing is stored, drawn, reached or read outside of these parts. */
export const coreOf = (parts: Given, own: Partial<Core> = {}): Core => ({
  ...parts,
  version: "0",
  randomId,
  readThread: () => Promise.resolve(null),
  link: () => Promise.resolve(null),
  archives: { of: () => null },
  pagesRead: () => undefined,
  notes: { note: () => null, setNote: () => Promise.resolve({ kind: "done" }) },
  sandbox: { start: () => Promise.reject(new Error("there is no sandbox")) },
  data: "/nonexistent",
  reach: () => Promise.reject(new Error("there is no network")),
  secrets: [],
  repo: null,
  takePicture: () => Promise.reject(new Error("there are no pictures")),
  model: "test",
  operator: { id: "console:operator", mayDrive: true, mayApprove: true },
  operatorToken: "",
  covers: "Tools may write.",
  figures: {
    waiting: () => [],
    parked: () => 0,
    hosts: async () => [],
    knowledge: NO_KNOWLEDGE.figures,
    lateOn: () => ({}),
  },
  ...own,
});

const setOf = (result: SetResult): readonly SetFeature[] => {
  if (result.kind === "invalid") throw new Error(result.issues.map(({ message }) => message).join("\n"));
  return [result.feature];
};
