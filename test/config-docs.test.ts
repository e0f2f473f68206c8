/** What a change to code or pages has to take along. Quick, and run wherever something lands. */

import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { usageText } from "../src/app/cli/parley.ts";
import { isSetupAnswer } from "../src/app/cli/setup/setup-options.ts";
import { variables } from "../src/app/settings/config.ts";
import { root } from "./app/cli/host.ts";
import { elsewhere } from "./docs/elsewhere.ts";
import { file, page } from "./docs/reference/page.ts";
import { pictures } from "./docs/reference/pictures.ts";
import { sources, sourcesFile } from "./docs/reference/sources.ts";
import { runs, starts } from "./docs/runs.ts";
import { pages, readPage, toldCommands } from "./docs/told.ts";

const USAGE = await usageText();

it("docs/reference.md is what the code gives now", async () => {
  const remedy = "docs/reference.md differs from the code: run `npm run reference` and commit it";
  expect(readFileSync(file, "utf8"), remedy).toBe(await page());
});

it("docs/design/sources.md is what the checklist's rows give now", () => {
  const remedy =
    "docs/design/sources.md differs from test/requirements: run `npm run reference` and commit it";
  expect(readFileSync(sourcesFile, "utf8"), remedy).toBe(sources());
});

it("the pictures of the guides are what the golden threads give now", () => {
  const remedy = "docs/threads differs from test/threads/golden: run `npm run reference` and commit it";
  for (const [path, svg] of pictures()) expect(readFileSync(path, "utf8"), remedy).toBe(svg);
});

it("every command of the pages is run by a test, or is said not to be and why", () => {
  const known = new Set([...starts, ...[...runs, ...elsewhere].flatMap(({ told }) => told)]);
  const remedy = "add it to test/docs/runs.ts, or to test/docs/elsewhere.ts with the reason";
  const told = toldCommands();
  expect(
    told.filter(({ command }) => !known.has(command)),
    remedy,
  ).toEqual([]);
  const left = new Set(told.map(({ command }) => command));
  expect(
    [...known].filter((command) => !left.has(command)),
    "no page has these any more",
  ).toEqual([]);
});

it("every setting that a page names is one", () => {
  const named = pages.flatMap((one) =>
    [...readPage(one).matchAll(/\b(?:PARLEY|SLACK|DISCORD|ANTHROPIC|OTEL)_[A-Z0-9_]+/g)].map(([name]) => ({
      page: one,
      name,
    })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ name }) => !isSetting(name) && !isSetupAnswer(name))).toEqual([]);
});

it("every command that the changelog names is there to be typed", () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readPage("package.json")));
  const named = [...readPage("CHANGELOG.md").matchAll(/`(npm run|(?:npx )?parley) ([a-z]\S*?)(?=[`\s])/g)];
  expect(named.length).toBeGreaterThan(3);
  const isThere = ([, how = "", name = ""]: RegExpExecArray): boolean =>
    how === "npm run" ? name in scripts : new RegExp(`^  ${name}\\b`, "m").test(USAGE);
  expect(named.filter((one) => !isThere(one)).map(([all]) => all)).toEqual([]);
});

it("whoever is said to run a command elsewhere is there", () => {
  for (const { by, told } of elsewhere) {
    if (by !== null) expect(readFileSync(join(root, by[0]), "utf8"), told[0]).toContain(by[1]);
  }
});

it("every link between the pages leads somewhere, and the README leads to every page in two clicks", () => {
  const all = [...pages, "docs/reference.md"];
  const links = all.flatMap((from) =>
    [...readPage(from).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
      ([, path = "", anchor]) => ({
        from,
        to: path === "" ? from : normalize(join(dirname(from), path)),
        anchor,
      }),
    ),
  );
  const broken = links.filter(
    ({ to, anchor }) =>
      !existsSync(join(root, to)) || (anchor !== undefined && !anchorsOf(readPage(to)).includes(anchor)),
  );
  expect(broken).toEqual([]);
  const ledFrom = (page: string) => links.filter(({ from }) => from === page).map(({ to }) => to);
  const led = ledFrom("docs/README.md");
  expect(ledFrom("README.md")).toContain("docs/README.md");
  expect(
    all.filter((one) => one.startsWith("docs/") && one !== "docs/README.md" && !led.includes(one)),
  ).toEqual([]);
});

/** As GitHub makes them of headings. */
const anchorsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );

/** `PARLEY_BUDGET_*` stands for those that begin so. */
const isSetting = (name: string): boolean =>
  name.endsWith("_") ? variables.some((one) => one.startsWith(name)) : variables.includes(name);
