/** When a conversation that was put away is back. Pure. */

import type { Event } from "../../machine/event.ts";
import type { State } from "../../machine/state.ts";
import type { PersonId } from "../../machine/id.ts";

/** Somebody set it to work: by a message, another try, or a summary to go on with. */
export const restoresFromArchive = (
  actor: PersonId | null,
  event: Pick<Event, "kind">,
  after: State,
): boolean =>
  actor !== null &&
  event.kind !== "erased" &&
  (after.phase.kind === "thinking" || after.phase.kind === "summarizing");
