/** The parts that read posts of people, on the leading host. */

import type { Core } from "../../../feature.ts";
import type { PricedModel } from "../../../ports/model.ts";
import { createLookRows } from "../store/look-rows.ts";
import type { WatchRows } from "../store/watches.ts";
import { createFirstLooks, type FirstLooksDeps } from "./first-looks.ts";
import { createKnownMatters } from "./known-matters.ts";
import { createLeftOut } from "./left-out.ts";
import { createPostReader } from "./post-reader.ts";

interface PeopleParts {
  readonly rows: WatchRows;
  readonly money: FirstLooksDeps["money"];
  /** PARLEY_WATCH_PEOPLE. */
  readonly isAllowed: boolean;
}

export const openPeople = (core: Core, { rows, money, isAllowed }: PeopleParts) => {
  let priced: PricedModel | null = null;
  const looks = createLookRows(core.rows, core.log);
  const matters = createKnownMatters({ ...core, rows });
  const leftOut = createLeftOut(core);
  const first = createFirstLooks({ ...core, priced: () => priced, looks, rows, matters, leftOut, money });
  const reader = createPostReader({ ...core, isAllowed, rows, looks, first, matters, leftOut });
  return {
    looks,
    leftOut,
    first,
    reader,
    callsModel: (given: PricedModel): void => {
      priced = given;
    },
  };
};
