/**
 * npm run crash [-- DAYS [SEED]]: the whole crash matrix, and as many troubled days as wanted (500). Exit status 1
 * where a thread came out otherwise than on a day without trouble.
 */

import { createTown } from "./day.ts";
import { endEverywhere, failEverywhere, refuseEverywhere, type Report, troubledDays } from "./matrix.ts";

const [days = "500", seed = String(Date.now() % 2 ** 32)] = process.argv.slice(2);

const told = (name: string, { days: lived, failures, events }: Report): number => {
  console.log(`${name}: ${lived.length} days, ${events} events replayed, ${failures.length} failures`);
  for (const failure of failures) console.error(failure);
  return failures.length;
};

const town = await createTown();
let failed = told("ends at every point", await endEverywhere(town));
failed += told("faults at every call", await failEverywhere(town));
failed += told("a disk that refuses", await refuseEverywhere(town));
failed += told(`troubled days of seed ${seed}`, await troubledDays(town, Number(seed), Number(days)));
for (const violation of town.fake.violations) console.error(violation);
failed += town.fake.violations.length;
await town.fake.close();
process.exitCode = failed === 0 ? 0 : 1;
