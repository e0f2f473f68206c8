/** A database restored from yesterday's backup, beside a Discord that remembers the day since. */

import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { openStore } from "../../store/open-store.ts";
import type { StorePorts } from "../../../src/store/write/grouped.ts";
import { scratch } from "../../scratch.ts";
import { createRig, type DiscordRig } from "./rig.ts";

const DONE = /Answer \d\.[^]*tricted[^·\n]* · [[`<]/;

const openIn = (directory: string): StorePorts => {
  const opened = openStore(directory, silentLog);
  if (opened.kind === "failed") throw new Error(opened.message);
  return opened;
};

/** What has arrived in the process is handled: so has what it read back before. */
const ask = async (rig: DiscordRig, text: string): Promise<void> => {
  const asked = rig.fake.as("bob").say("general", `@parley ${text}`);
  await rig.reads(asked.id, DONE);
};

it("answers nothing again that was answered in the lost day, and everything that was not", async () => {
  const directory = scratch("restored");
  const [live, kept] = [join(directory, "live"), join(directory, "kept")];
  const before = await createRig({ opened: openIn(live) });
  const { fake } = before;
  const old = fake.as("alice").say("general", "@parley one?");
  await before.reads(old.id, DONE);
  await before.close();
  await before.store.close();
  cpSync(live, kept, { recursive: true });

  const day = await before.restart({ opened: openIn(live) });
  fake.as("alice").say(old.id, "two?");
  await day.reads(old.id, /two\?[^]*Answer \d\.[^]*tricted[^·\n]* · [[`<]/);
  const lost = fake.as("bob").say("general", "@parley three?");
  await day.reads(lost.id, DONE);
  await day.close();
  await day.store.close();
  fake.as("alice").say(old.id, "four?");
  const missed = fake.as("alice").say("general", "@parley five?");
  const threads = [old.id, lost.id].map((id) => fake.asText(id));

  const restored = await day.restart({ opened: openIn(kept) });
  await restored.reads(missed.id, DONE);
  await restored.reads(old.id, /four\?[^]*Answer \d\.[^]*tricted[^·\n]* · [[`<]/);
  await ask(restored, "six?");
  expect(restored.asked).toHaveLength(3);
  expect(fake.asText(old.id).startsWith(threads[0] ?? "?")).toBe(true);
  expect(fake.asText(lost.id)).toBe(threads[1]);
  await restored.close();
  await restored.store.close();
});
