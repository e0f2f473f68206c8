/** `npm run reference`: writes docs/reference.md from the code. */

import { writeFileSync } from "node:fs";
import { file, page } from "./page.ts";

writeFileSync(file, await page());
console.log(`written: ${file}`);
