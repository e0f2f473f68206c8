/** `npm run reference`: writes docs/reference.md, docs/design/sources.md and the guides' pictures from the code and its tests. */

import { writeFileSync } from "node:fs";
import { file, page } from "./page.ts";
import { pictures } from "./pictures.ts";
import { sources, sourcesFile } from "./sources.ts";

for (const [path, text] of [[file, await page()], [sourcesFile, sources()], ...pictures()] as const) {
  writeFileSync(path, text);
  console.log(`written: ${path}`);
}
