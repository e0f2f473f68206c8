/**
 * Expects an answer's first words soon if the last answer began soon. A status would then be visible for a moment
 * only, and the stream of the answer sets the same status. If the words do not come in time, the next turns set their
 * status at once.
 */

import type { ConversationId, Millis } from "../../../src/machine/id.ts";
import type { Clock } from "../../../src/ports/host.ts";

const SOON: Millis = 600;

interface Work {
  readonly at: Millis;
  /** Whether the first words are expected soon. */
  isExpected: boolean;
  isTimed: boolean;
}

export const createQuickAnswers = (clock: Clock) => {
  const begun = new Map<ConversationId, Work>();
  let isQuick = false;
  return {
    /** Called at each change of a turn. */
    works: (id: ConversationId, isWorking: boolean): void => {
      if (!isWorking) begun.delete(id);
      else if (!begun.has(id)) begun.set(id, { at: clock.now(), isExpected: isQuick, isTimed: false });
    },
    /** The answer is visible. */
    begins: (id: ConversationId): void => {
      const work = begun.get(id);
      if (work === undefined) return;
      isQuick = clock.now() - work.at < SOON;
      work.isExpected = false;
    },
    /** Whether the status can wait for the first words. If they do not come in time, `late` is called. */
    expects: (id: ConversationId, late: () => void): boolean => {
      const work = begun.get(id);
      if (work?.isExpected !== true) return false;
      if (work.isTimed) return true;
      work.isTimed = true;
      const rest = SOON - (clock.now() - work.at);
      clock.after(Math.max(0, rest), () => {
        if (begun.get(id) !== work || !work.isExpected) return;
        work.isExpected = isQuick = false;
        late();
      });
      return true;
    },
  };
};
