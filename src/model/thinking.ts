/** How a number of tokens for thinking is told to Claude, whoever serves it, and to models that have words for it. */

/** The least that Claude takes as a budget. */
export const LEAST_THINKING = 1_024;

/** Models that refuse a budget and take an effort. */
export const thinksAsItLikes = (name: string): boolean => {
  const [, generation, minor] = /claude-[a-z]+-(\d{1,2})(?:-(\d{1,2})(?!\d))?/.exec(name) ?? [];
  return Number(generation) >= 5 || (Number(generation) === 4 && Number(minor) >= 6);
};

export const effortOf = (thinking: number): "low" | "medium" | "high" =>
  thinking < 4_000 ? "low" : thinking < 16_000 ? "medium" : "high";

/** What the answer before has. */
interface Before {
  readonly calls: boolean;
  /** It begins with a thought. */
  readonly thought: boolean;
}

/**
 * The budget is part of the answer's; null for none. Calls that came without a thought, from another model or before
 * thinking was switched on, are answered without one: the API refuses them else.
 */
export const budgetIn = (room: number, wanted: number, { calls, thought }: Before): number | null => {
  const budget = Math.min(wanted, room - LEAST_THINKING);
  return budget < LEAST_THINKING || (calls && !thought) ? null : budget;
};
