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

/** Questions that a hundred steps of the grammar count for: they take as long as walking this many nodes. */
const READING_WEIGHT = 40;

/** `ends` is asked with the weight of each question until it says so. */
const createPatience = (effort: number, ends: (weight: number, broken: boolean) => boolean): Patience => {
  let over = false;
  const asked = (weight: number, broken = false): boolean => (over ||= ends(weight, broken));
  return {
    effort,
    endsReading: (broken) => asked(READING_WEIGHT, broken),
    endsWalk: () => asked(1),
    over: () => over,
  };
};

/** Questions that a glance answers, and the words and characters it adds. */
const GLANCE = { questions: 1_500, effort: 3_000 } as const;

/**
 * Enough for what agents write every minute, and for nothing with a syntax error, on which the grammar is slow: some
 * milliseconds at most. Counted and not timed, so that the verdict on a command does not depend on the machine.
 */
export const createGlance = (): Patience => {
  let left: number = GLANCE.questions;
  return createPatience(GLANCE.effort, (weight, broken) => {
    left -= weight;
    return broken || left < 0;
  });
};

/** A long script needs a fifth of it; one that multiplies itself meets it within a second. */
const STUDY_EFFORT = 1_000_000;

/** For `millis` of this thread's own time, whatever else the machine is doing. To look at the clock costs more than a node does. */
export const createStudy = (millis: number): Patience => {
  const start = threadMillis();
  let walked = 0;
  return createPatience(STUDY_EFFORT, (weight) => {
    walked += weight;
    if (walked < READING_WEIGHT) return false;
    walked = 0;
    return threadMillis() - start > millis;
  });
};

const threadMillis = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
