/** What a fake was told to do next: entries are tried in the order they were given. */

interface ScheduleEntry<Request, Value> {
  readonly match: (request: Request) => boolean;
  /** How often the entry may be taken; `Infinity` keeps it for good. */
  readonly times: number;
  readonly value: Value;
}

export interface Schedule<Request, Value> {
  push(entry: ScheduleEntry<Request, Value>): void;
  /** For all that match, until what it returns is called. */
  keep(value: Value, match: (request: Request) => boolean): () => void;
  /** The first entry that matches, left where it is. */
  peek(request: Request): Value | undefined;
  /** The first entry that matches; one of its times is used up. */
  take(request: Request): Value | undefined;
  /** Times left in all entries together, so that a test can see that all it scripted was used. */
  pending(): number;
}

export const createSchedule = <Request, Value>(): Schedule<Request, Value> => {
  let entries: readonly ScheduleEntry<Request, Value>[] = [];

  return {
    push: (entry) => {
      entries = [...entries, entry];
    },
    keep: (value, match) => {
      let over = false;
      const entry = { match: (request: Request) => !over && match(request), times: Infinity, value };
      entries = [...entries, entry];
      return () => {
        over = true;
      };
    },
    peek: (request) => entries.find((entry) => entry.match(request))?.value,
    take: (request) => {
      const taken = entries.find((entry) => entry.match(request));
      entries = entries.flatMap((entry) => (entry === taken ? spent(entry) : [entry]));
      return taken?.value;
    },
    pending: () => entries.reduce((sum, entry) => sum + entry.times, 0),
  };
};

const spent = <Request, Value>(
  entry: ScheduleEntry<Request, Value>,
): readonly ScheduleEntry<Request, Value>[] =>
  entry.times > 1 ? [{ ...entry, times: entry.times - 1 }] : [];
