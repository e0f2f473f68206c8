/** Features on the host of a rig, opened as the product opens them. */

import { FEATURES, openFeatures, type OpenFeatures } from "../../src/app/features.ts";
import { randomId } from "../../src/app/random-id.ts";
import type { Core, SetFeature } from "../../src/feature.ts";

type Given = Pick<Core, "ledger" | "feedback" | "rows" | "bot" | "surfaces" | "clock" | "log">;

/** None of them has settings. */
export const openFeaturesOf = (parts: Given): Promise<OpenFeatures> =>
  openFeatures(FEATURES.flatMap(setOf), {
    ...parts,
    randomId,
    repo: null,
    takePicture: () => Promise.reject(new Error("there are no pictures")),
    model: "test",
    operator: { id: "console:operator", mayDrive: true, mayApprove: true },
    operatorToken: "",
    covers: "Tools may write.",
  });

const setOf = ({ set }: (typeof FEATURES)[number]): readonly SetFeature[] => {
  const result = set({});
  return result.kind === "set" ? [result.feature] : [];
};
