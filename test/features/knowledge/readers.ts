/** Functions that read pages of sites and texts of forges. */

import { excerptOf } from "../../../src/features/knowledge/excerpt.ts";
import { contains } from "../../../src/features/knowledge/read-index.ts";
import { readPage } from "../../../adapters/text/page.ts";
import { readRobots } from "../../../src/features/knowledge/site/robots.ts";
import { addressesIn } from "../../../src/features/knowledge/site/sitemap.ts";
import { indexPartsOf } from "../../../src/features/knowledge/write-index.ts";
import type { Read } from "../../linear/readers.ts";

export const READERS: Readonly<Record<string, Read>> = {
  "knowledge: page": (text) => [
    readPage({ address: "https://a.example/", isHtml: true, text }),
    readPage({ address: "https://a.example/", isHtml: true, text: `<main><pre>${text}` }),
    readPage({ address: "https://a.example/", isHtml: false, text }),
  ],
  // 40.A6
  "knowledge: a page of open elements": (text) =>
    readPage({ address: "https://a.example/", isHtml: true, text: "<div>".repeat(text.length / 5) }),
  // 40.A6
  "knowledge: robots for many programs": (text) =>
    readRobots(
      `${"User-agent: x\n".repeat(text.length / 28)}${"Disallow: /a\n".repeat(text.length / 28)}`,
      "parley",
    ),
  "knowledge: robots": (text) => [
    readRobots(text, "parley"),
    readRobots(`User-agent: *\nDisallow: ${text}`, "parley"),
  ],
  "knowledge: sitemap": (text) => [addressesIn(text), addressesIn(`<loc>${text}`)],
  "knowledge: parts": indexPartsOf,
  "knowledge: excerpt": (text) => excerptOf(text, ["abc", "b"], 1_000),
  "knowledge: passage": (text) => [contains(text, "a b"), contains("a b", text)],
};
