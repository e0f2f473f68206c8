/** A pull request with faults, and a review of them. */

export const HEAD = "d".repeat(40);

export const PATCH = [
  "@@ -1,2 +1,3 @@",
  " // How often a failed request is sent again.",
  "-export const ATTEMPTS = 0;",
  "+export const ATTEMPTS = 3;",
  "+export const PAUSE = 0;",
].join("\n");

/** The patch of the next head, in which the lines have other numbers. */
export const MOVED_PATCH = [
  "@@ -1,2 +1,4 @@",
  " // How often a failed request is sent again.",
  "+// The pause is in seconds.",
  "-export const ATTEMPTS = 0;",
  "+export const ATTEMPTS = 3;",
  "+export const PAUSE = 0;",
].join("\n");

export const COMMENTS = [
  {
    path: "src/retry.js",
    line: 3,
    startLine: 2,
    body: "Without a pause, all attempts meet the same failure.",
  },
  { path: "src/retry.js", line: 2, side: "old", body: "This zero was the fault." },
  { path: "src/retry.js", line: 1, body: "The comment could name the unit." },
] as const;

export const REVIEW = { number: 2, summary: "Two faults, and the direction is right.", comments: COMMENTS };
