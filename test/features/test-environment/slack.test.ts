/** Secrets on Slack: alice is an approver and stores a secret in a form, bob is not. */

import { expect, it } from "vitest";
import { createDeclaredRows } from "../../../src/features/test-environment/declared-rows.ts";
import { createTestSecretRows } from "../../../src/features/test-environment/rows.ts";
import { openTestSecret } from "../../../src/features/test-environment/secrets.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { createRig, type RigOptions, type SlackRig } from "../../adapters/slack/rig.ts";
import { CANARY, databaseText, keyed } from "./canary.ts";

const told = async (rig: SlackRig, who: string, text: string): Promise<string> => {
  const before = rig.fake.world.ephemerals.length;
  const replies = text.startsWith("secret set") && who === "alice" && !text.endsWith("PATH") ? 2 : 1;
  rig.fake.as(who).command("/parley", text, "general");
  await expect.poll(() => rig.fake.world.ephemerals.length).toBe(before + replies);
  return rig.fake.world.ephemerals
    .slice(before)
    .map((one) => one.text)
    .join("\n");
};

const noteOf = ({ fake }: SlackRig) => {
  const note = fake.world.ephemerals.findLast(({ blocks }) =>
    JSON.stringify(blocks).includes('"Enter the value"'),
  );
  return { channel: "CGENERAL", ts: note?.ts ?? "" };
};

const opened = async (more: RigOptions = {}) => {
  const host = keyed();
  const rig = await createRig({ ...host.options, ...more });
  return { ...host, rig, rows: createTestSecretRows(rig.opened.rows, silentLog) };
};

const stored = async (set: Awaited<ReturnType<typeof opened>>, value = CANARY): Promise<void> => {
  const { rig } = set;
  expect(await told(rig, "alice", "secret set api_key")).toContain(
    "Secret API_KEY for the tests of github.com/acme/api",
  );
  const alice = rig.fake.as("alice");
  alice.click(noteOf(rig), "Enter the value");
  await expect.poll(() => alice.views().length).toBe(1);
  const before = rig.fake.world.ephemerals.length;
  alice.submit({ words: value });
  await expect.poll(() => rig.fake.world.ephemerals.length).toBeGreaterThan(before);
};

it("an approver stores a secret in a form, and the value is in no table, event, post or log line", async () => {
  const set = await opened();
  const { rig, rows, key, arrived, learned } = set;
  await stored(set);
  expect(rig.fake.world.ephemerals.at(-1)?.text).toMatch(
    /^Stored: tests of github\.com\/acme\/api[^]*The secret stays with the repository, also if this channel chooses another/,
  );
  const [row, ...more] = rows.all();
  if (row === undefined) throw new Error("nothing is stored");
  expect(more).toEqual([]);
  expect(row).toMatchObject({ repo: "github.com/acme/api", name: "API_KEY", by: "slack:UALICE" });
  expect(openTestSecret(key, row)).toEqual({ kind: "opened", text: CANARY });
  expect(learned).toContain(CANARY);
  const traces = [
    databaseText(rig.opened),
    ...arrived,
    ...rig.logged,
    JSON.stringify(rig.fake.world.ephemerals),
  ];
  expect(arrived.join("")).toContain("view_submission");
  expect(traces.join("\n")).not.toContain(CANARY);
  expect(rig.fake.violations).toEqual([]);
});

it("approvers see names alone, replace a value, and remove a secret; the next process masks the stored value", async () => {
  const set = await opened();
  const { rig, rows, key, learned } = set;
  expect(await told(rig, "alice", "secrets")).toMatch(/^No secrets are stored for github\.com\/acme\/api\./);
  await stored(set);
  await stored(set, `${CANARY}-2`);
  expect(await told(rig, "alice", "secrets")).toMatch(
    /^Secrets for the tests of github\.com\/acme\/api:\nAPI_KEY, set by slack:UALICE on \d{4}-\d\d-\d\d$/,
  );
  expect(rows.all().map((row) => openTestSecret(key, row))).toEqual([
    { kind: "opened", text: `${CANARY}-2` },
  ]);
  learned.length = 0;
  const next = await rig.restart();
  expect(learned).toContain(`${CANARY}-2`);
  expect(await told(next, "alice", "secret remove API_KEY")).toBe(
    "Removed: the tests of github.com/acme/api no longer get API_KEY.",
  );
  expect(await told(next, "alice", "secret remove API_KEY")).toContain("There is no secret API_KEY here.");
  expect(rows.all()).toEqual([]);
});

it("approvers see which declared secrets are not stored", async () => {
  const set = await opened();
  const declared = createDeclaredRows(set.rig.opened.rows, silentLog);
  await declared.keep({ repo: "github.com/acme/api", secrets: ["API_KEY", "OTHER_KEY"], services: [] });
  await declared.keep({ repo: "github.com/acme/other", secrets: ["ELSEWHERE"], services: [] });
  expect(await told(set.rig, "alice", "secrets")).toMatch(
    /\nDeclared in `\.parley\/tests\.json` but not stored: API_KEY, OTHER_KEY$/,
  );
  await stored(set);
  expect(await told(set.rig, "alice", "secrets")).toMatch(/but not stored: OTHER_KEY$/);
});

it("a person who is no approver can neither list, store nor remove, even with the approver's button", async () => {
  const set = await opened();
  const { rig, rows, key } = set;
  await stored(set);
  for (const text of ["secrets", "secret set API_KEY", "secret remove API_KEY"])
    expect(await told(rig, "bob", text)).toBe("Only approvers can list, store and remove secrets.");
  // The rights are read again when the form arrives.
  const alice = rig.fake.as("alice");
  await told(rig, "alice", "secret set API_KEY");
  alice.click(noteOf(rig), "Enter the value");
  await expect.poll(() => alice.views().length).toBe(1);
  rig.fake.admin.setRole("alice", "member");
  alice.submit({ words: `${CANARY}-3` });
  await expect
    .poll(() => rig.fake.world.ephemerals.at(-1)?.text)
    .toBe("Only approvers can list, store and remove secrets.");
  expect(rows.all().map((row) => openTestSecret(key, row))).toEqual([{ kind: "opened", text: CANARY }]);
});

it("a value that is too short is refused, and so is a host without a key", async () => {
  const set = await opened();
  await stored(set, "short");
  expect(set.rig.fake.world.ephemerals.at(-1)?.text).toBe(
    "A secret has 8 to 3,000 characters. Nothing was stored.",
  );
  const none = await opened({ outside: { sealKey: () => ({ kind: "unusable", why: "There is no key." }) } });
  await stored(none);
  expect(none.rig.fake.world.ephemerals.at(-1)?.text).toBe(
    "Secrets cannot be stored on this host: There is no key.",
  );
  expect([...set.rows.all(), ...none.rows.all()]).toEqual([]);
  expect(none.arrived.join("")).not.toContain(CANARY);
});

it("a reserved name is refused, and so is a button of another repository", async () => {
  const set = await opened();
  const { rig, rows } = set;
  expect(await told(rig, "alice", "secret set PATH")).toContain("The name of a secret is a variable");
  expect(await told(rig, "alice", "secret set API_KEY")).toContain("Secret API_KEY");
  const alice = rig.fake.as("alice");
  alice.click(noteOf(rig), "Enter the value");
  await expect.poll(() => alice.views().length).toBe(1);
  await rig.chat.bind("slack", "CGENERAL", {
    repo: { kind: "url", location: "https://github.com/acme/other.git" },
    by: "slack:UALICE",
    at: 2,
  });
  alice.submit({ words: CANARY });
  await expect
    .poll(() => rig.fake.world.ephemerals.at(-1)?.text)
    .toBe("The channel works on another repository now. Use `/parley secrets set NAME` again.");
  expect(rows.all()).toEqual([]);
});
