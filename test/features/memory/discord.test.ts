/** Clicks on the question about a stale note, on Discord, where not everybody may drive. */

import { expect, it } from "vitest";
import { systemClock } from "../../../src/app/system-clock.ts";
import { createNoteChecks } from "../../../src/features/memory/note-checks.ts";
import { createNoteRows } from "../../../src/features/memory/rows.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { createRig } from "../../adapters/discord/rig.ts";
import { noteOf } from "./notes.ts";

/** A note of bob's, who has no write permission, about which he is asked. */
const asked = async () => {
  const rig = await createRig();
  const { world } = rig.fake;
  const { id: place } = world.channelNamed("general");
  const author = { id: `discord:${world.userNamed("bob").id}`, name: "bob" } as const;
  const rows = createNoteRows(rig.opened.rows, silentLog);
  const note = noteOf({ id: "note", at: 1, surface: "discord", place, author, stale: "retryPolicy" });
  await rows.add(note, { id: "change", at: 1, what: "remembered", person: author }, null);
  const checks = createNoteChecks({
    clock: systemClock,
    log: silentLog,
    randomId: () => "check",
    chat: rig.chat,
    ledger: rig.ledger,
    rows,
    memory: { all: rows.all },
    code: { check: () => Promise.resolve(null) },
    surfaces: () => [rig.discord],
  });
  checks.pushed();
  await checks.settled();
  await checks.close();
  await rig.reads("general", /\[Still true\] \[Forget\]/);
  const line = world
    .messages(place)
    .findLast(({ components }) => JSON.stringify(components).includes("Forget"));
  const click = (who: string, label: string) =>
    rig.fake.as(who).click({ channel: place, id: line?.id ?? "" }, label);
  return { rig, rows, click };
};

it("the author says that a note is still true without write permission, a stranger cannot", async () => {
  const { rig, rows, click } = await asked();
  click("alice", "Still true");
  await rig.reads("general", /only for @alice\).*\nOnly people with write permission/);
  expect(rows.note("note")?.stale).toBe("retryPolicy");
  click("bob", "Still true");
  await rig.reads("general", /only for @bob\).*\nThe note is used again\./);
  expect(rows.note("note")?.stale).toBeNull();
});

it("the author forgets a note without write permission", async () => {
  const { rig, rows, click } = await asked();
  click("bob", "Forget");
  await rig.reads("general", /only for @bob\).*\nThe note is removed\./);
  expect(rows.all()).toEqual([]);
});
