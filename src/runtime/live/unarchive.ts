import type { Event } from "../../machine/event.ts";
import type { State } from "../../machine/state.ts";
import type { PersonId } from "../../machine/id.ts";

/**
 * Whether an archived conversation becomes active again: a person sent a message, retried, or asked for a summary to continue
 * from. Pure.
 */
export const restoresFromArchive = (
  actor: PersonId | null,
  event: Pick<Event, "kind">,
  after: State,
): boolean =>
  actor !== null &&
  event.kind !== "erased" &&
  (after.phase.kind === "thinking" || after.phase.kind === "summarizing");
