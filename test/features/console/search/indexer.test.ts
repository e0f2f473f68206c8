/** The index is kept up without anybody's waiting, and a disk that refuses is asked again. */

import type { SearchIndex } from "../../../../src/features/console/search/ports.ts";
import { expect, it } from "vitest";
import { createIndexer } from "../../../../src/features/console/search/indexer.ts";
import { silentLog } from "../../../../src/store/base/silent-log.ts";

type Answer = Awaited<ReturnType<SearchIndex["index"]>>;

const world = (answers: readonly Answer[]) => {
  const left = [...answers];
  const timers: { readonly delay: number; readonly fire: () => void }[] = [];
  const asked: number[] = [];
  const indexer = createIndexer({
    search: {
      index: () => {
        asked.push(left.length);
        return Promise.resolve(left.shift() ?? { kind: "indexed", isDone: true });
      },
    },
    clock: {
      now: () => 0,
      after: (delay, fire) => {
        const timer = { delay, fire };
        timers.push(timer);
        return () => void timers.splice(timers.indexOf(timer), 1);
      },
    },
    log: silentLog,
  });
  return { indexer, timers, asked };
};

const MORE: Answer = { kind: "indexed", isDone: false };

it("what comes together is taken up together, a while later and to its end", async () => {
  const { indexer, timers, asked } = world([MORE, MORE]);
  for (let no = 0; no < 100; no += 1) indexer.heard();
  expect(timers.map(({ delay }) => delay)).toEqual([2_000]);
  timers.pop()?.fire();
  await indexer.catchUp();
  expect(asked.length).toBeGreaterThanOrEqual(3);
  indexer.heard();
  expect(timers).toHaveLength(1);
});

it("somebody who searches while the index is being brought up waits for what was stored before", async () => {
  const { indexer, asked } = world([MORE]);
  const first = indexer.catchUp();
  const second = indexer.catchUp();
  await Promise.all([first, second]);
  expect(asked).toHaveLength(3);
});

it("a disk that refuses ends the run and is asked again later; a closed one is not", async () => {
  const refused: Answer = { kind: "failed", code: "disk_full", message: "full" };
  const { indexer, timers, asked } = world([refused, MORE, MORE, MORE]);
  await indexer.catchUp();
  expect(asked).toHaveLength(1);
  expect(timers.map(({ delay }) => delay)).toEqual([60_000]);
  await indexer.close();
  expect(timers).toEqual([]);
  indexer.heard();
  expect(timers).toEqual([]);
});
