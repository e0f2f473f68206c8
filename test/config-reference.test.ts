import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { file, page } from "./docs/reference/page.ts";

it("docs/reference.md is what the code gives now", async () => {
  const remedy = "docs/reference.md differs from the code: run `npm run reference` and commit it";
  expect(readFileSync(file, "utf8"), remedy).toBe(await page());
});
