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
  /** The same of what people would use instead, measured in the same run; none where nobody does the like. */
  readonly beside: readonly Beside[];
}

export type Beside =
  /** `ratio`: ours in proportion to theirs, round by round; null where theirs is nothing. */
  | ({ readonly kind: "measured"; readonly who: string; readonly ratio: Summary | null } & Summary)
  | { readonly kind: "skipped"; readonly who: string; readonly why: string };

/** Their samples, in the order of ours; or why there are none. */
export type Peers = Readonly<Record<string, readonly number[] | string>>;

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
  /** Who else's figure it is a multiple of. */
  readonly than?: string | undefined;
}

export const atMost = (value: number, of: Target["of"] = "median"): Target => ({ of, is: "at most", value });
/** At most so many times what `than` takes. */
export const atMostOf = (than: string, value: number): Target => ({
  of: "median",
  is: "at most",
  value,
  than,
});
export const atLeast = (value: number): Target => ({ of: "median", is: "at least", value });

/** Throws on an empty list: a benchmark that measured nothing is broken. */
export const measured = (
  what: string,
  unit: string,
  samples: readonly number[],
  target: Target | null = null,
  peers: Peers = {},
): Measured => {
  const summary = summarize(samples);
  const beside = Object.entries(peers).map(([who, theirs]) => besideOf(who, samples, theirs));
  return {
    kind: "measured",
    what,
    unit,
    ...summary,
    target,
    ok: target === null ? null : holds(summary, beside, target),
    beside,
  };
};

const besideOf = (who: string, ours: readonly number[], theirs: readonly number[] | string): Beside => {
  if (typeof theirs === "string") return { kind: "skipped", who, why: theirs };
  const summary = summarize(theirs);
  const ratios = ours
    .map((value, no) => value / (theirs[no] ?? summary.median))
    .filter((ratio) => Number.isFinite(ratio));
  return { kind: "measured", who, ...summary, ratio: ratios.length === 0 ? null : summarize(ratios) };
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

/** Null where it is a multiple of what could not be measured. */
const holds = (
  summary: Summary,
  beside: readonly Beside[],
  { of, is, value, than }: Target,
): boolean | null => {
  const peer = beside.find(({ who }) => who === than);
  const actual = than === undefined ? summary[of] : peer?.kind === "measured" ? peer.ratio?.[of] : undefined;
  if (actual === undefined) return null;
  return is === "at most" ? actual <= value : actual >= value;
};
