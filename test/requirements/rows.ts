/** Every row of the checklist, in the order of the source documents. */

import { agents } from "./agents.ts";
import { context } from "./context.ts";
import { design } from "./design.ts";
import { draft } from "./draft.ts";
import { ends } from "./ends.ts";
import { invariants } from "./invariants.ts";
import { permissions } from "./permissions.ts";
import { phase5 } from "./phase-5.ts";
import type { Row } from "./row.ts";
import { tul007 } from "./tul-007.ts";
import { turns } from "./turns.ts";

export const rows: readonly Row[] = [
  ...turns,
  ...ends,
  ...agents,
  ...permissions,
  ...context,
  ...draft,
  ...invariants,
  ...tul007,
  ...phase5,
  ...design,
];
