/**
 * The walk checks its budget at every step and stops cleanly when the budget is used up; the steps listed so far remain valid.
 */
export interface WalkBudget {
  /** Words and characters that expansions and nested scripts may add; each tree starts with the full number. */
  readonly effort: number;
  /** Called before every node; once true, the result remains true. */
  isOver(): boolean;
}

/** `ends`: called until it returns true. */
const createPatience = (effort: number, ends: () => boolean): WalkBudget => {
  let over = false;
  return { effort, isOver: () => (over ||= ends()) };
};

/** Number of checks, and added words and characters. */
const GLANCE = { questions: 1_500, effort: 3_000 } as const;

/**
 * A budget for typical commands of agents: some milliseconds at most. Counts steps instead of time, so that the verdict does
 * not depend on the machine.
 */
export const createQuickBudget = (): WalkBudget => {
  let left: number = GLANCE.questions;
  return createPatience(GLANCE.effort, () => --left < 0);
};

/** A long script needs a fifth of this effort; a self-multiplying script reaches the limit within a second. */
const STUDY_EFFORT = 1_000_000;

/** Steps between two clock readings, which cost more than a step. */
const STEPS = 40;

/** A budget of `millis` of this thread's own time, regardless of the machine's load. */
export const createTimeBudget = (millis: number): WalkBudget => {
  const start = threadMillis();
  let walked = 0;
  return createPatience(STUDY_EFFORT, () => (walked += 1) % STEPS === 0 && threadMillis() - start > millis);
};

const threadMillis = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
