/** `npm run reference`: writes docs/reference.md and docs/design/sources.md from the code and its tests. */

import { writeFileSync } from "node:fs";
import { file, page } from "./page.ts";
import { sources, sourcesFile } from "./sources.ts";

for (const [path, text] of [
  [file, await page()],
  [sourcesFile, sources()],
] as const) {
  writeFileSync(path, text);
  console.log(`written: ${path}`);
}
