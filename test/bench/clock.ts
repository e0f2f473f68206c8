/** Milliseconds of the machine's monotonic clock: the same for all its processes, whatever happens to the date. */

export const monotonic = (): number => Number(process.hrtime.bigint()) / 1e6;
