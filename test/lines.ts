/** `npm run lines`: lines of the core, the adapters and each feature (D49). The core may have 42,000. */

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
/** Rooms of `src` that are not of the core. */
const BESIDE = ["features", "shell-risk", "app"];
const MOST = 42_000;

const linesIn = (folder: string): number =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .reduce((sum, name) => sum + readFileSync(join(root, folder, name), "utf8").split("\n").length - 1, 0);

const besides = BESIDE.reduce((sum, name) => sum + linesIn(`src/${name}`), 0);
const core = linesIn("src") - besides;
const rows: readonly (readonly [string, number])[] = [
  [`core (at most ${MOST.toLocaleString("en")})`, core],
  ...readdirSync(join(root, "src/features")).map((name) => [name, linesIn(`src/features/${name}`)] as const),
  ["src/shell-risk", linesIn("src/shell-risk")],
  ["src/app", linesIn("src/app")],
  ["adapters", linesIn("adapters")],
  ["sandbox", linesIn("sandbox")],
];
for (const [name, lines] of rows) console.log(`${name.padEnd(26)}${lines.toLocaleString("en").padStart(8)}`);
