/** How the time of a function grows with its text: a ratio, so that neither a slow machine nor a busy one decides. */

/** Ten times the text takes ten times as long if time is linear, a hundred times if it is quadratic. */
const [SMALL, LARGE] = [5_000, 50_000];
const MOST_GROWTH = 40;
/** The machine may be busy and the collector at work: the best of so many counts. */
const TRIES = 3;
/** Microseconds that each time counts as, at least: shorter ones are noise. */
const TICK = 2_000;

/** Of this thread alone. `enough`: no more than this is not measured again. */
const spent = (read: (text: string) => unknown, text: string, enough: number): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let no = 0; no < TRIES && least > enough; no += 1) {
    const before = process.threadCpuUsage();
    read(text);
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, user + system);
  }
  return Math.max(TICK, least);
};

/** Null if the time for a repeated piece grows with the text; else how it grew. */
export const growthFault = (read: (text: string) => unknown, piece: string): string | null => {
  const of = (size: number): string => piece.repeat(Math.ceil(size / piece.length));
  const small = spent(read, of(SMALL), TICK);
  const growth = spent(read, of(LARGE), small * MOST_GROWTH) / small;
  return growth <= MOST_GROWTH ? null : `${JSON.stringify(piece)} took ${growth.toFixed(0)} times as long`;
};
