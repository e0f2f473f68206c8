import type { Event } from "../../machine/event.ts";
import type { State } from "../../machine/state.ts";
import type { PersonId } from "../../machine/id.ts";

/** A message, a retry or a summary to continue from makes an archived conversation active again. */
export const restoresFromArchive = (
  actor: PersonId | null,
  event: Pick<Event, "kind">,
  after: State,
): boolean =>
  actor !== null &&
  event.kind !== "erased" &&
  (after.phase.kind === "thinking" || after.phase.kind === "summarizing");
