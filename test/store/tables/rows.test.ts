/** Rows of features: all changes of a write or none, and a channel that moves takes them along. */

import { describe, expect, it } from "vitest";
import { openGrouped } from "../kit.ts";

const PUT = `INSERT INTO digests (surface, place, server, told, set_by, at)
  VALUES ('slack', @place, NULL, '2026-11-16', 'slack:U1', @at)`;
const put = (place: string | null) => ({ sql: PUT, values: { place, at: 1 } });

const open = () => {
  const { rows, chat, db } = openGrouped();
  const select = rows.select("SELECT place FROM digests WHERE at = @at ORDER BY place");
  return { rows, chat, db, places: () => select({ at: 1 }) };
};

describe.each(["write", "writeLocal"] as const)("%s", (write) => {
  it("stores changes together, and they are read as the database has them", async () => {
    const { rows, places } = open();
    expect(await rows[write]([put("C1"), put("C2")])).toEqual({ kind: "done" });
    expect(places()).toEqual([{ place: "C1" }, { place: "C2" }]);
  });

  it("takes along the changes beside one that the database refuses", async () => {
    const { rows, places } = open();
    expect(await rows[write]([put("C1"), put(null)])).toMatchObject({ kind: "failed", code: "conflict" });
    expect(places()).toEqual([]);
  });
});

it("a table with a channel of a surface moves with the channel; what the new id has already stays", async () => {
  const { rows, chat, places } = open();
  await rows.write([put("C1"), put("C2"), put("C3")]);
  await chat.movePlace("slack", "C1", "C9");
  await chat.movePlace("slack", "C2", "C3");
  await chat.movePlace("discord", "C3", "C4");
  expect(places()).toEqual([{ place: "C3" }, { place: "C9" }]);
});
