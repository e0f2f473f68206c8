/** How the time of a function grows with its text: a ratio, so that neither a slow machine nor a busy one decides. */

/** Ten times the text takes ten times as long if time is linear, a hundred times if it is quadratic. */
const SIZES: Sizes = [5_000, 50_000];
const MOST_GROWTH = 40;
/** The machine may be busy and the collector at work: the best of so many counts. */
const TRIES = 6;
/** Microseconds that each time counts as, at least: shorter ones are noise. */
const TICK = 2_000;

/** UTF-16 code units, the second ten times the first. */
type Sizes = readonly [number, number];
/** A piece that is repeated, or the text of a size. */
type Made = string | ((size: number) => string);

/** Null if the time for a repeated piece grows with the text; else how it grew. */
export const growthFault = (
  read: (text: string) => unknown,
  made: Made,
  [small, large]: Sizes = SIZES,
): string | null => {
  const least = spent(read, textOf(made, small), TICK);
  return faultOf(made, spent(read, textOf(made, large), least * MOST_GROWTH) / least);
};

/** The same for a function that answers later. It counts the time of the whole thread meanwhile. */
export const laterGrowthFault = async (
  read: (text: string) => Promise<unknown>,
  made: Made,
  [small, large]: Sizes = SIZES,
): Promise<string | null> => {
  const least = await spentLater(read, textOf(made, small), TICK);
  return faultOf(made, (await spentLater(read, textOf(made, large), least * MOST_GROWTH)) / least);
};

const textOf = (made: Made, size: number): string =>
  typeof made === "string" ? made.repeat(Math.ceil(size / made.length)) : made(size);

const faultOf = (made: Made, growth: number): string | null => {
  const name = typeof made === "string" ? JSON.stringify(made) : "the text";
  return growth <= MOST_GROWTH ? null : `${name} took ${growth.toFixed(0)} times as long`;
};

/** Of this thread alone. `enough`: no more than this is not measured again. */
const spent = (read: (text: string) => unknown, text: string, enough: number): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let no = 0; no < TRIES && least > enough; no += 1) {
    const before = process.threadCpuUsage();
    read(text);
    least = Math.min(least, since(before));
  }
  return Math.max(TICK, least);
};

const spentLater = async (
  read: (text: string) => Promise<unknown>,
  text: string,
  enough: number,
): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (let no = 0; no < TRIES && least > enough; no += 1) {
    const before = process.threadCpuUsage();
    await read(text);
    least = Math.min(least, since(before));
  }
  return Math.max(TICK, least);
};

const since = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
};
