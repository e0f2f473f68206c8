/** The console's requests, and what the comment above each handler says of it; those of features say it themselves. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FEATURES } from "../../../src/app/features.ts";
import { root } from "../../app/cli/host.ts";
import { code, table } from "./markdown.ts";

export const routes = (): string => {
  const sources = sourcesIn("adapters/console").filter(({ name }) => !name.startsWith("page/"));
  const rows = sources.flatMap(({ text }) =>
    [...text.matchAll(ROUTE)].flatMap(([, method, path = "", handler = ""]) =>
      method === undefined
        ? ofRoutes()
        : [
            [
              method.toUpperCase(),
              code(path),
              sources.flatMap((one) => meaning(one.text, handler)).at(0) ?? "",
            ],
          ],
    ),
  );
  const ofRequests = FEATURES.flatMap(({ requests }) =>
    requests.map(({ method, path, does }) => [method.toUpperCase(), code(path), does]),
  );
  return table(["method", "path", "does"], [...rows, ...ofRequests]);
};

const sourcesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => ({ name, text: readFileSync(join(root, folder, name), "utf8") }));

/** A request, or the line that adds those of features. */
const ROUTE =
  /^ {2}(?:app\.(get|post|put|patch|delete)\("(\/[^"*]*)", (?:etag\(\), )?on\((\w+)|for \(const .* of deps\.routes\))/gm;

const ofRoutes = (): readonly (readonly string[])[] =>
  sourcesIn("src/features").flatMap(({ text }) =>
    [...text.matchAll(FEATURE_ROUTE)].map(([, does = "", path = ""]) => ["GET", code(path), does]),
  );

/** With the sentence above it. */
const FEATURE_ROUTE =
  /\/\*\* (.+) \*\/\n(?:export )?const \w+ = .*: Route => \(\{\n(?: {2}.*\n)*? {2}path: "(\/[^"]*)"/g;

/** The sentence above the handler's definition, one line or several. */
const meaning = (source: string, handler: string): readonly string[] => {
  const found = new RegExp(
    `/\\*\\*((?:(?!\\*/)[^])*)\\*/\\n(?:export )?const ${handler}(?:: Handler)? =`,
  ).exec(source)?.[1];
  return found === undefined ? [] : [found.replaceAll(/\n \* ?/g, " ").trim()];
};
