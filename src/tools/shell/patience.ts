/**
 * How much reading a script is worth. The reader asks at every step and stops in good order when there is no
 * patience left; what it has listed by then stands.
 */
export interface Patience {
  /** What expansions and nested scripts may add, in words and characters; each tree begins with all of it. */
  readonly effort: number;
  /** Asked after every hundred steps of the grammar; `broken` from the first syntax error on. */
  endsReading(broken: boolean): boolean;
  /** Asked before every node that is walked. */
  endsWalk(): boolean;
  /** True once it has ended something. */
  over(): boolean;
}

/** Questions that a glance answers, and the words and characters it adds. */
const GLANCE = { questions: 1_500, effort: 3_000 } as const;

/** Questions that a hundred steps of the grammar count for: they take as long as walking this many nodes. */
const READING_WEIGHT = 40;

/**
 * Enough for what agents write every minute, and for nothing with a syntax error, on which the grammar is slow: some
 * milliseconds at most. Counted and not timed, so that the verdict on a command does not depend on the machine.
 */
export const createGlance = (): Patience => {
  let left: number = GLANCE.questions;
  let over = false;
  const ends = (broken: boolean, weight: number): boolean => {
    left -= weight;
    over ||= broken || left < 0;
    return over;
  };
  return {
    effort: GLANCE.effort,
    endsReading: (broken) => ends(broken, READING_WEIGHT),
    endsWalk: () => ends(false, 1),
    over: () => over,
  };
};

/** A long script needs a fifth of it; one that multiplies itself meets it within a second. */
const STUDY_EFFORT = 1_000_000;

/** Nodes walked between two looks at the clock, which cost more than a node does. */
const LOOK = 64;

/** For `millis` of this thread's own time, whatever else the machine is doing. */
export const createStudy = (millis: number): Patience => {
  const start = threadMillis();
  let over = false;
  let walked = 0;
  const ends = (): boolean => {
    over ||= threadMillis() - start > millis;
    return over;
  };
  return {
    effort: STUDY_EFFORT,
    endsReading: ends,
    endsWalk: () => {
      walked += 1;
      return walked % LOOK === 0 ? ends() : over;
    },
    over: () => over,
  };
};

const threadMillis = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
