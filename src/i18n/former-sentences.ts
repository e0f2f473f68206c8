/** Sentences that databases of earlier versions store, by the sentence that replaced each. */

import type { Sentence } from "./say.ts";

export const FORMER_SENTENCES: Readonly<Record<string, Sentence>> = {
  "Asked helpers": "Started sub-agents",
  "Handed in a result": "Submitted a result",
  "Go on, or write again, if it is worth that, or stop. A new thread costs less.":
    "Press Go on or write again if the answer is worth the cost, or stop. A new thread costs less.",
  "It starts again at 00:00 UTC, in {time}.": "The budget starts again at 00:00 UTC, in {time}.",
  "Only the operator can raise it: in the console, or with PARLEY_BUDGET_DAY.":
    "Only the operator can raise this budget: in the console, or with PARLEY_BUDGET_DAY.",
  "Whoever may approve here can raise it: /parley budget {what} DOLLARS. Then try again.":
    "A host approver can raise the budget with /parley budget {what} DOLLARS. Then try again.",
  "What this conversation costs could not be counted, so the model was not asked. The operator finds more in the log.":
    "The cost of this conversation could not be counted, so the model was not called. The operator finds details in the log.",
  "The branch has moved on since this was shown, so please decide again.":
    "The branch has changed since this card was posted, so please decide again.",
  "A host approver can raise it with /parley budget {what} DOLLARS. Then try again.":
    "A host approver can raise the budget with /parley budget {what} DOLLARS. Then try again.",
  "The operator can raise it in the console.": "The operator can raise the budget in the console.",
  "This turn has cost {spent}, and above {most} I ask first.":
    "This turn has cost {spent}. Above a cost of {most}, I ask before I continue.",
  "This thread has grown long (about {tokens} tokens): the next answer is likely to cost about {likely}, and above {most} I ask first.":
    "This thread has grown long (about {tokens} tokens): the next answer is likely to cost about {likely}. If an answer costs more than {most}, I ask first.",
};
