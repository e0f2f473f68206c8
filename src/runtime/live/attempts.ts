import type { Event } from "../../machine/event.ts";
import { attemptText } from "../../machine/retry.ts";
import type { State } from "../../machine/state.ts";
import type { Log } from "../../ports/host.ts";

export const logAttempt = (log: Log, { id, phase }: State, event: Event, after: State): void => {
  const isAsking = phase.kind === "thinking" || phase.kind === "summarizing";
  if (event.kind !== "modelFailed" || !isAsking) return;
  const { attempt } = phase;
  const { kind } = event.failure;
  const of = { conversation: id, attempt: attemptText(attempt), kind };
  const asks = after.phase.kind === "thinking" || after.phase.kind === "summarizing" ? after.phase : null;
  if (asks?.wait) log.warn("model: attempt failed, retry scheduled", { ...of, delay: asks.wait.delay });
  else log.warn("model: last attempt failed", of);
};
