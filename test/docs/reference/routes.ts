/** Requests, and what the comment above each handler says of it; those of features say it themselves. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { forgetRequest } from "../../../src/app/forget-person.ts";
import { FEATURES } from "../../../src/app/features/list.ts";
import { root } from "../../app/cli/host.ts";
import { code, table } from "./markdown.ts";

export const routes = (): string => {
  const sources = ["adapters/http", "src/features/console"].flatMap(sourcesIn);
  const rows = sources.flatMap(({ text }) =>
    [...text.matchAll(ROUTE)].map(([, method = "", path = "", handler = ""]) => [
      method.toUpperCase(),
      code(path),
      sources.flatMap((one) => meaning(one.text, handler)).at(0) ?? missing(path),
    ]),
  );
  const ofRequests = [forgetRequest(unopened), ...FEATURES.flatMap(({ requests }) => requests)].map(
    ({ method, path, does }) => [method.toUpperCase(), code(path), does],
  );
  return table(["method", "path", "does"], [...rows, ...ofRequests]);
};

const missing = (path: string): never => {
  throw new Error(`the handler of ${path} has no comment`);
};

const unopened = (): never => {
  throw new Error("no host is open");
};

/** Of the server, without the page. */
const sourcesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .toSorted()
    .filter((name) => name.endsWith(".ts") && !name.startsWith("page/"))
    .map((name) => ({ text: readFileSync(join(root, folder, name), "utf8") }));

const ROUTE = /^ {2}app\.(get|post|put|patch|delete)\("(\/[^"*]*)", (?:etag\(\), )?on\((\w+)/gm;

/** The sentence above the handler's definition, one line or several. */
const meaning = (source: string, handler: string): readonly string[] => {
  const found = new RegExp(
    `/\\*\\*((?:(?!\\*/)[^])*)\\*/\\n(?:export )?const ${handler}(?:: Handler)? =`,
  ).exec(source)?.[1];
  return found === undefined ? [] : [found.replaceAll(/\n \* ?/g, " ").trim()];
};
