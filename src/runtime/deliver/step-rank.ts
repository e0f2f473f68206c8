/** How urgent a step is, and which of the platform's calls it makes. Pure. */

import type { CallKind } from "../../ports/surface.ts";
import type { Rank } from "./bucket.ts";
import type { StepResult } from "./delivery-step.ts";

export const rankOf = (step: StepResult): Rank => {
  switch (step.kind) {
    case "send":
      return step.wanted.piece.content.tone === "question" ? "question" : "message";
    case "observe":
      return "message";
    case "edit":
    case "remove":
      return "change";
    case "show":
      return (step.row?.id ?? null) === null ? "status" : "live";
  }
};

export const callOf = (step: StepResult): CallKind => {
  switch (step.kind) {
    case "send":
      return "send";
    case "observe":
      return "read";
    case "edit":
      return "edit";
    case "remove":
      return "delete";
    case "show":
      return (step.row?.id ?? null) === null ? "send" : "edit";
  }
};
