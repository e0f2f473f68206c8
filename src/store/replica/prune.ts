/**
 * Forgets deleted rows, whose keys may name people, once every host knows that they are gone. A host that was away for
 * longer makes its replica anew.
 */

import type { Link } from "./link.ts";
import type { Standing } from "./push.ts";

const PRUNE = `
WITH known AS (SELECT min(applied) AS seq FROM parley.hosts WHERE seen > clock_timestamp() - interval '1 hour'), cut AS (
  UPDATE parley.lease SET pruned = known.seq FROM known WHERE epoch = $1 AND term = $2 AND pruned < known.seq RETURNING pruned
)
DELETE FROM parley.rows USING cut WHERE body IS NULL AND rows.seq <= cut.pruned`;

export const prune = async (link: Link, { epoch, term }: Pick<Standing, "epoch" | "term">): Promise<void> => {
  await link.ask(PRUNE, [epoch, term]);
};
