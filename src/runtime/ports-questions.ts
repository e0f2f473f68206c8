/** What a step does to questions, declared on the caller's floor. */

import type { Millis, PersonId, QuestionId } from "../core/id.ts";
import type { Ask, Choice } from "../core/words.ts";

export type QuestionChange =
  | {
      readonly kind: "asked";
      readonly wire: string;
      readonly question: QuestionId;
      readonly type: Ask["kind"];
      readonly at: Millis;
      /** Canonical JSON of what people are shown; words by id. */
      readonly shown: string;
      /** SHA-256 of `shown`, so that a decision binds to it. */
      readonly fingerprint: string;
    }
  | {
      readonly kind: "decided";
      readonly question: QuestionId;
      readonly choice: Choice;
      readonly by: PersonId;
      readonly at: Millis;
    }
  | { readonly kind: "withdrawn"; readonly question: QuestionId; readonly by: PersonId; readonly at: Millis };
