import type { CallKind, Content, Limits, Thread } from "../../ports/surface.ts";
import type { GrowthBudget, CallRank } from "./call-budgets.ts";
import type { StepResult, WantedMessage } from "./plan.ts";
import type { CallSpend } from "./queue.ts";

export const rankOf = (step: StepResult): CallRank => {
  switch (step.kind) {
    case "send":
      return step.wanted.piece.content.tone === "question" ? "question" : "message";
    case "observe":
      return "message";
    case "edit":
      return callOfEdit(step.wanted) === "edit" && step.wanted.open === true ? "growth" : "change";
    case "remove":
      return "change";
    case "show":
      return (step.row?.id ?? null) === null ? "status" : "live";
  }
};

export const spendsOf = (step: StepResult, limits: Limits, thread: Thread): readonly CallSpend[] =>
  callsOf(step, limits, thread).map((call) => ({ call, budget: limits.budgetOf(call, thread, idOf(step)) }));

const callsOf = (step: StepResult, limits: Limits, thread: Thread): readonly CallKind[] => {
  switch (step.kind) {
    case "send": {
      const { content } = step.wanted.piece;
      if (content.files !== undefined) return ["upload"];
      if (content.isFull === true || step.repeat || !limits.begins(thread, content.reply?.person ?? null))
        return ["send"];
      if (step.wanted.open === true) return ["begin", "send"];
      return canBegin(content) ? ["send", "begin"] : ["send"];
    }
    case "observe":
      return ["read"];
    case "edit":
      return [callOfEdit(step.wanted)];
    case "remove":
      return ["delete"];
    case "show":
      return (step.row?.id ?? null) === null
        ? limits.begins(thread, step.wanted.progress?.asker ?? null)
          ? ["begin", "send"]
          : ["send"]
        : ["show"];
  }
};

/** Beginning and then finishing a complete answer avoids a longer wait on some platforms. */
const canBegin = ({ tone, lead, text, plain }: Content): boolean =>
  tone === "turn" && lead === undefined && plain !== true && text !== "";

/** Returns `finish` for a full message and for one of an ended turn, even if its buttons may change later. */
export const callOfEdit = ({ piece, open }: WantedMessage): "edit" | "finish" =>
  piece.final || piece.content.isFull === true || open !== true ? "finish" : "edit";

export const idOf = (step: StepResult): string | null =>
  step.kind === "observe" ? null : (step.row?.id ?? null);

/** Null if the step changes no growing message. */
export const growingOf = (
  step: StepResult,
  { budgetOf }: Limits,
  thread: Thread,
): ((id: string | null) => GrowthBudget) | null => {
  const isShown = step.kind === "show";
  const isOpen = (step.kind === "send" || step.kind === "edit") && step.wanted.open === true;
  if (!isShown && !isOpen) return null;
  return (id) => ({
    grows: budgetOf(isShown ? "show" : "edit", thread, id),
    ends: budgetOf(isShown ? "delete" : "finish", thread, id),
  });
};
