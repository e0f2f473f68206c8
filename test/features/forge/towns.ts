/** Towns whose bot writes to a forge. */

import type { FeatureTown } from "../../crash/towns.ts";
import { onGitHub, onGitLab } from "../../fakes/side.ts";
import { createForgeTown, settled } from "./crash/town.ts";

export const TOWNS: readonly FeatureTown[] = [onGitHub, onGitLab].map((createSide) => ({
  name: `forge, ${createSide.name}`,
  create: () => createForgeTown(createSide),
  strip: settled,
}));
