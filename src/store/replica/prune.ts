/**
 * Forgets deleted rows, whose keys may name people, once every host knows that they are gone, and what became of no errand.
 * A host that was away for longer makes its replica anew.
 */

import type { Link } from "./link.ts";

const PRUNE = `
WITH known AS (SELECT min(applied) AS seq FROM parley.hosts WHERE seen > clock_timestamp() - interval '1 hour'), cut AS (
  UPDATE parley.lease SET pruned = known.seq FROM known WHERE pruned < known.seq RETURNING pruned
), old AS (
  DELETE FROM parley.errands WHERE made < clock_timestamp() - interval '1 hour'
)
DELETE FROM parley.rows USING cut WHERE body IS NULL AND rows.seq <= cut.pruned`;

export const prune = async (link: Link): Promise<void> => {
  await link.ask(PRUNE);
};
