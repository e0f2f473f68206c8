/** The smallest budget that Claude accepts. */
export const LEAST_THINKING = 1_024;

/** Whether the model refuses a budget and accepts an effort instead. */
export const thinksAsItLikes = (name: string): boolean => {
  const [, generation, minor] = /claude-[a-z]+-(\d{1,2})(?:-(\d{1,2})(?!\d))?/.exec(name) ?? [];
  return Number(generation) >= 5 || (Number(generation) === 4 && Number(minor) >= 6);
};

export const effortOf = (thinking: number): "low" | "medium" | "high" =>
  thinking < 4_000 ? "low" : thinking < 16_000 ? "medium" : "high";

interface Before {
  readonly calls: boolean;
  /** Whether the previous answer starts with a thought. */
  readonly thought: boolean;
}

/** Null for no thinking: the API refuses thinking after calls without a thought. The budget is part of the answer's limit. */
export const budgetIn = (room: number, wanted: number, { calls, thought }: Before): number | null => {
  const budget = Math.min(wanted, room - LEAST_THINKING);
  return budget < LEAST_THINKING || (calls && !thought) ? null : budget;
};
