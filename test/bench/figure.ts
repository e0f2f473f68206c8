/** A measured quantity: samples summed up by quantiles, beside what is asked of it. */

export type Figure = Measured | Skipped;

export interface Measured extends Summary {
  readonly kind: "measured";
  readonly what: string;
  /** `ms`, `MB`, `/s`, or `x` for a ratio. */
  readonly unit: string;
  readonly target: Target | null;
  /** Null where nothing is asked. */
  readonly ok: boolean | null;
}

export interface Skipped {
  readonly kind: "skipped";
  readonly what: string;
  readonly why: string;
}

export interface Summary {
  readonly samples: number;
  readonly p5: number;
  readonly median: number;
  readonly p95: number;
  readonly p99: number;
}

export interface Target {
  readonly of: "median" | "p95" | "p99";
  readonly is: "at most" | "at least";
  readonly value: number;
}

export const atMost = (value: number, of: Target["of"] = "median"): Target => ({ of, is: "at most", value });
export const atLeast = (value: number): Target => ({ of: "median", is: "at least", value });

/** Throws on an empty list: a benchmark that measured nothing is broken. */
export const measured = (
  what: string,
  unit: string,
  samples: readonly number[],
  target: Target | null = null,
): Measured => {
  const summary = summarize(samples);
  return {
    kind: "measured",
    what,
    unit,
    ...summary,
    target,
    ok: target === null ? null : holds(summary, target),
  };
};

export const skipped = (what: string, why: string): Skipped => ({ kind: "skipped", what, why });

export const summarize = (samples: readonly number[]): Summary => {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (share: number): number => quantile(sorted, share);
  return { samples: sorted.length, p5: at(0.05), median: at(0.5), p95: at(0.95), p99: at(0.99) };
};

/** Between the two nearest samples in proportion. */
const quantile = (sorted: readonly number[], share: number): number => {
  const place = share * (sorted.length - 1);
  const low = sorted[Math.floor(place)];
  const high = sorted[Math.ceil(place)];
  if (low === undefined || high === undefined) throw new Error("nothing was measured");
  return low + (high - low) * (place - Math.floor(place));
};

const holds = (summary: Summary, { of, is, value }: Target): boolean =>
  is === "at most" ? summary[of] <= value : summary[of] >= value;
