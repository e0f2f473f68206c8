/**
 * How much walking a script is worth. The walk asks at every step and stops in good order when there is no patience left;
 * what it has listed by then stands.
 */
export interface WalkBudget {
  /** What expansions and nested scripts may add, in words and characters; each tree begins with all of it. */
  readonly effort: number;
  /** Asked before every node that is walked, and the same from then on. */
  isOver(): boolean;
}

/** `ends` is asked until it says so. */
const createPatience = (effort: number, ends: () => boolean): WalkBudget => {
  let over = false;
  return { effort, isOver: () => (over ||= ends()) };
};

/** Questions that a glance answers, and the words and characters it adds. */
const GLANCE = { questions: 1_500, effort: 3_000 } as const;

/**
 * Enough for what agents write every minute: some milliseconds at most. Counted and not timed, so that the verdict on a
 * command does not depend on the machine.
 */
export const createQuickBudget = (): WalkBudget => {
  let left: number = GLANCE.questions;
  return createPatience(GLANCE.effort, () => --left < 0);
};

/** A long script needs a fifth of it; one that multiplies itself meets it within a second. */
const STUDY_EFFORT = 1_000_000;

/** Steps between two looks at the clock, which cost more than a step does. */
const STEPS = 40;

/** For `millis` of this thread's own time, whatever else the machine is doing. */
export const createTimeBudget = (millis: number): WalkBudget => {
  const start = threadMillis();
  let walked = 0;
  return createPatience(STUDY_EFFORT, () => (walked += 1) % STEPS === 0 && threadMillis() - start > millis);
};

const threadMillis = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
