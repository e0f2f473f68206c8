/**
 * Does with the store of a data directory what a start does, reads the first page of its list and takes steps; says how
 * many milliseconds each of these took.
 */

import { openStore } from "../../store/open-store.ts";
import { beginTalk, TURN, turn } from "../talk.ts";

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
store.unsettled();
store.openClaims();
lap();
store.list(50, null);
lap();
const talk = await beginTalk(store);
await turn(talk);
last = performance.now();
const TURNS = 25;
for (let no = 0; no < TURNS; no++) await turn(talk);
lap();
await store.close();
const [asked, listed, stepped = 0] = times;
console.log(JSON.stringify([asked, listed, stepped / (TURNS * TURN)]));
