/** A database that is away, or gives its place to another one, is waited for; whatever else it answers is an answer. */

import { describe, expect, it } from "vitest";
import { trouble } from "../../../../src/features/cluster/database/link.ts";
import { withPatience } from "../../../../src/features/cluster/database/patience.ts";

type Found = { readonly kind: "rows"; readonly rows: readonly number[] } | ReturnType<typeof trouble>;

/** Gives these one after the other, and the last one again and again. */
const giving = (...all: readonly [Found, ...Found[]]) => {
  let asked = 0;
  return {
    attempt: () => Promise.resolve(all[Math.min(asked++, all.length - 1)] ?? all[0]),
    asked: () => asked,
  };
};

const away = trouble("away", "ECONNREFUSED");
const isThere = ({ rows: found }: { readonly rows: readonly number[] }): boolean => found.length > 0;
const rows = (...found: readonly number[]): Found => ({ kind: "rows", rows: found });

describe("patience", () => {
  it.each(["away", "read_only"] as const)("lasts while the database is %s", async (cause) => {
    const database = giving(trouble(cause, "found"), rows(1));
    expect([await withPatience(database.attempt), database.asked()]).toEqual([rows(1), 2]);
  });

  it.each(["unseen", "full", "value", "refused"] as const)(
    "is no use where the cause is %s",
    async (cause) => {
      const database = giving(trouble(cause, "found"), rows(1));
      expect([await withPatience(database.attempt), database.asked()]).toEqual([trouble(cause, "found"), 1]);
    },
  );

  it("lasts until there is enough, and ends with the last answer", async () => {
    const late = giving(rows(), rows(1));
    expect(await withPatience(late.attempt, 1_000, isThere)).toEqual(rows(1));
    expect(await withPatience(giving(rows()).attempt, 0, isThere)).toEqual(rows());
    expect(await withPatience(giving(away).attempt, 0)).toEqual(away);
  });
});
