/** A message that is removed frees its key first, whatever ends the process between the two writes. */

import { expect, it } from "vitest";
import type { DeliveryRow } from "../../../src/ports/surface.ts";
import { copyKey, createThreadLedger } from "../../../src/runtime/deliver/thread-ledger.ts";
import { createDesk } from "./board.ts";

const ID = "c-1";
const ROW: DeliveryRow = {
  key: "turn/1#0",
  post: "turn/1",
  wire: "w1",
  id: "id1",
  hash: null,
  state: "sent",
};

const rowsAfter = async (copied: string): Promise<readonly string[]> => {
  const { ledger, thread } = createDesk();
  thread(ID);
  await ledger.put(ID, { ...ROW, key: copyKey(ROW.key, copied), id: copied, post: "status" });
  await ledger.put(ID, ROW);
  const book = createThreadLedger(ledger, ID);
  book.load([ROW.post]);
  expect(book.owes()).toBe(copied === ROW.id);
  await book.flush();
  const kept = ledger.rows(ID, [ROW.post, "status"]).map(({ key }) => key);
  expect(
    book
      .rows()
      .map(({ key }) => key)
      .toSorted(),
  ).toEqual(kept.toSorted());
  return kept.filter((key) => key === ROW.key);
};

it("the row of a message whose copy is to be removed is let go, in memory and on the disk", async () => {
  expect(await rowsAfter("id1")).toEqual([]);
});

it("a copy that is another message leaves it", async () => {
  expect(await rowsAfter("id2")).toEqual([ROW.key]);
});
