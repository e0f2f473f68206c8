/** All of it, for `npm run crash -- adversary`. */

import { attack, nothing } from "./attack.ts";
import { triage, type Triaged } from "./triage.ts";

const TRIAGES = 200;
const TOLD = 20;

/** Prints what came out; answers whether nothing did. */
export const adversary = (sequences: number, seed: number): boolean => {
  const out = nothing();
  for (let index = 0; index < sequences; index += 1) attack(seed + index, out);
  const { problems, ...figures } = out;
  console.log(JSON.stringify({ seed, ...figures, problems: problems.length }, null, 2));
  for (const problem of problems.slice(0, TOLD)) console.error(problem);
  const told: Triaged = { calls: 0, lost: [] };
  for (let index = 0; index < TRIAGES; index += 1) triage(seed + index, told);
  const share = (100 * told.lost.length) / told.calls;
  console.log(
    `${TRIAGES} honest triages: ${told.lost.length} of ${told.calls} calls lost, ${share.toFixed(2)} %`,
  );
  return problems.length === 0 && out.leaked === 0 && out.effects === 0 && share < 2;
};
