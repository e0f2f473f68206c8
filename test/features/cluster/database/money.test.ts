/** G1 in a real database: hosts that ask at the same moment share what a budget has left, and what one leaves is free. */

import { expect, it } from "vitest";
import { sharedPostgres } from "../../../fakes/postgres.ts";
import { createHost, even } from "./fleet.ts";

const postgres = await sharedPostgres();

it.skipIf(postgres === null)(
  "of requests that hosts begin at once only those are sent that a budget covers",
  async () => {
    const address = (await postgres?.create()) ?? "";
    const [one, two] = [await createHost(address, "one"), await createHost(address, "two")];
    const [a, b] = [await one.member(), await two.member()];
    await even(address, one.file, two.file);
    const day = "2026-11-22";
    const reserve = (host: "one" | "two", usual = 100) =>
      (host === "one" ? a : b).purse.reserve({
        host,
        day,
        payers: [{ scope: "day", usual }],
        least: 10,
        most: 10,
      });
    const ask = async (host: "one" | "two") => {
      const reserved = await reserve(host);
      if (reserved.kind === "granted")
        await (host === "one" ? a : b).purse.settle(host, reserved.held, day, ["day"], 9);
      return reserved.kind;
    };
    const asked = await Promise.all(Array.from({ length: 24 }, (_, no) => ask(no % 2 === 0 ? "one" : "two")));
    await even(address, one.file, two.file);
    const spent = 9 * asked.filter((kind) => kind === "granted").length;
    // Ten at once, and one more for what ten did not cost.
    expect([90, 99]).toContain(spent);
    for (const { purse } of [a, b]) expect(purse.spent([day], "day")).toBe(spent);

    expect((await reserve("two", spent + 15)).kind).toBe("granted");
    await even(address, one.file, two.file);
    expect((await reserve("one", spent + 15)).kind).toBe("short");
    await b.store.close();
    await b.lease.release();
    while (a.fleet.members().length === 2) await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await reserve("one", spent + 10)).kind).toBe("granted");
  },
);
