/** A citation of several repositories is looked up in the one that it names, and comes back in the words of the answer. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Citation, ParsedCitation } from "../../../src/text/citation.ts";
import { sortCited } from "../../../src/workspace/several/cited.ts";

const NAMES = ["shop", "shop-2", "api"];

const path = fc.oneof(
  fc
    .constantFrom("shop", "shop-2", "api", "web")
    .chain((name) =>
      fc.constantFrom("src/a.ts", "b.md", "../api/x.ts", "./c.ts").map((file) => `${name}/${file}`),
    ),
  fc.constantFrom("/repos/api/src/a.ts", "/work/src/a.ts", "src/a.ts", "shop", "/repos/shop", "../shop/a.ts"),
);
const parsed = fc
  .record({ path, from: fc.integer({ min: 1, max: 3 }), certain: fc.boolean() })
  .map(({ from, ...rest }): ParsedCitation => ({ ...rest, from, to: from }));

const found = (own: readonly ParsedCitation[]): readonly Citation[] =>
  own.map(({ path: of, from, to }) => ({ path: of, from, to, status: "found", file: of }));

const words = ({ path: of, from }: Pick<ParsedCitation, "path" | "from">): string => `${of}:${from}`;

describe("citations of several repositories", () => {
  it("each is in the order and the words of the answer, and its file begins with the repository's name", () => {
    fc.assert(
      fc.property(fc.array(parsed, { maxLength: 30 }), (cited) => {
        const { inside, joined } = sortCited(cited, NAMES, "/repos");
        for (const [name, own] of inside) {
          expect(NAMES).toContain(name);
          for (const one of own) expect(one.path).not.toMatch(/^\/|(^|\/)\.\.(\/|$)/);
        }
        const all = joined(new Map([...inside].map(([name, own]) => [name, found(own)])));
        const isFound = new Set(all.filter(({ status }) => status === "found").map(words));
        expect(all.map(words)).toEqual(
          cited.filter((one) => one.certain || isFound.has(words(one))).map(words),
        );
        for (const { file, status } of all) {
          const holds = NAMES.some((name) => file?.startsWith(`${name}/`) === true);
          expect(holds).toBe(status === "found");
        }
      }),
    );
  });

  it("no more than forty files are looked at for all of them, and the others are said to be unread", () => {
    const cited = Array.from(
      { length: 50 },
      (_, index): ParsedCitation => ({
        path: `${index % 2 === 0 ? "shop" : "api"}/f${index}.ts`,
        from: 1,
        to: 1,
        certain: true,
      }),
    );
    const { inside, joined } = sortCited(cited, NAMES, "/repos");
    expect([...inside.values()].flat()).toHaveLength(40);
    const all = joined(new Map([...inside].map(([name, own]) => [name, found(own)])));
    expect(all.map(({ status }) => status)).toEqual([
      ...Array<string>(40).fill("found"),
      ...Array<string>(10).fill("unread"),
    ]);
  });
});
