/** Features on the host of a rig, opened as the product opens them. */

import { FEATURES, observeFeatures, type OpenFeatures } from "../../src/app/features.ts";
import { randomId } from "../../src/app/random-id.ts";
import { NO_KNOWLEDGE } from "../../src/ports/knowledge/knowledge.ts";
import type { Core, Feature, SetFeature } from "../../src/feature.ts";

type Given = Pick<
  Core,
  | "ledger"
  | "feedback"
  | "purse"
  | "answers"
  | "store"
  | "chat"
  | "rows"
  | "bot"
  | "surfaces"
  | "clock"
  | "log"
>;

/** None of them has settings. */
export const openFeaturesOf = async (
  parts: Given,
  features: readonly Feature[] = FEATURES,
): Promise<OpenFeatures> => {
  const observing = await observeFeatures(features.flatMap(setOf), { clock: parts.clock, version: "0" });
  return observing.open({
    ...parts,
    randomId,
    repo: null,
    takePicture: () => Promise.reject(new Error("there are no pictures")),
    model: "test",
    operator: { id: "console:operator", mayDrive: true, mayApprove: true },
    operatorToken: "",
    covers: "Tools may write.",
    knowledge: { stands: () => [] },
    lines: {
      tip: () => Promise.resolve({ kind: "failed" }),
      compare: () => Promise.resolve({ kind: "failed" }),
    },
    forgeNameOf: () => null,
    readThread: () => Promise.resolve(null),
    link: () => Promise.resolve(null),
    answerChanged: () => undefined,
    answerPlaced: () => undefined,
    host: null,
    leads: () => true,
    figures: {
      waiting: () => [],
      parked: () => 0,
      hosts: async () => [],
      knowledge: NO_KNOWLEDGE.figures,
      lateOn: () => ({}),
    },
  });
};

const setOf = ({ set }: Feature): readonly SetFeature[] => {
  const result = set({});
  return result.kind === "set" ? [result.feature] : [];
};
