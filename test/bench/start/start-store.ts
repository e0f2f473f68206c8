/** Does with the store of a data directory what a start does, and says how many milliseconds each part took. */

import { openStore } from "../../../src/store/sqlite.ts";

const times: number[] = [];
let last = performance.now();
const lap = (): void => {
  const now = performance.now();
  times.push(now - last);
  last = now;
};

const opened = openStore(process.argv[2] ?? "");
if (opened.kind === "failed") throw new Error(opened.message);
const { store } = opened;
lap();
store.unsettled();
lap();
store.openClaims();
lap();
store.list(50, null);
lap();
await store.close();
console.log(JSON.stringify(times));
