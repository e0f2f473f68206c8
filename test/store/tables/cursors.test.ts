/** How far a channel counts as answered, and what it costs to tell. */

import { expect, it } from "vitest";
import { createAdvance } from "../../../src/store/tables/cursors.ts";
import { begin } from "../plain.ts";
import { openWithConnection } from "../kit.ts";

const PLACE = { surface: "slack", place: "C1" } as const;

const channel = () => {
  const { db, store } = openWithConnection();
  const advance = createAdvance(db);
  const arrive = db.prepare(`
    INSERT INTO inbox (surface, id, lane, at, body, place, root, position, loose)
    VALUES ('slack', ?, 'l', 1, ?, 'C1', ?, ?, ?)`);
  const handle = db.prepare("UPDATE inbox SET body = NULL WHERE id = ?");
  const bind = db.prepare(
    "INSERT INTO threads (conversation, surface, place, root) VALUES (?, 'slack', 'C1', ?)",
  );
  const reached = db.prepare<[], { readonly position: string }>(
    "SELECT position FROM cursors WHERE place = 'C1' AND root = ''",
  );
  return {
    /** A message at the top level that a conversation answers. */
    said: (position: string, loose: 0 | 1 = 0) => {
      arrive.run(position, "{}", position, position, loose);
      begin(store, `c-${position}`);
      bind.run(`c-${position}`, position);
    },
    handled: (position: string) => void handle.run(position),
    answered: (position: string) => advance({ ...PLACE, root: position }),
    reached: () => reached.get()?.position ?? null,
  };
};

it("the cursor of a channel stands before the first message that is not handled or not answered", () => {
  const { said, handled, answered, reached } = channel();
  for (const position of ["1", "2", "3"]) said(position);
  for (const position of ["2", "3"]) handled(position);
  answered("2");
  expect(reached()).toBe(null);
  handled("1");
  answered("1");
  expect(reached()).toBe("2");
  answered("3");
  expect(reached()).toBe("3");
});

it("positions are compared by length first", () => {
  const { said, handled, answered, reached } = channel();
  for (const position of ["8", "9", "10", "11"]) said(position);
  for (const position of ["8", "9", "10"]) handled(position);
  for (const position of ["8", "9"]) answered(position);
  expect(reached()).toBe("9");
  answered("10");
  expect(reached()).toBe("10");
});

it("a message that something may be missing before is never stood on", () => {
  const { said, handled, answered, reached } = channel();
  said("1", 1);
  handled("1");
  answered("1");
  expect(reached()).toBe(null);
});
