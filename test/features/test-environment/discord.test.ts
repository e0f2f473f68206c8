/** Secrets on Discord: maria is an approver and stores a secret in a form, bob is not. */

import { expect, it, vi } from "vitest";
import { createTestSecretRows } from "../../../src/features/test-environment/rows.ts";
import { openTestSecret } from "../../../src/features/test-environment/secrets.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { createRig } from "../../adapters/discord/rig.ts";
import { OFTEN } from "../../adapters/rig.ts";
import { CANARY, databaseText, keyed } from "./canary.ts";

it("an approver stores a secret in a form that another person cannot use, and the value is stored nowhere else", async () => {
  const { options, key, arrived, learned } = keyed();
  const rig = await createRig({
    ...options,
    fake: {
      guilds: [
        {
          name: "Team",
          channels: [{ name: "general" }],
          members: [{ name: "bob" }, { name: "maria", roles: ["maintainer"] }],
        },
      ],
    },
    bound: ["general"],
  });
  const rows = createTestSecretRows(rig.opened.rows, silentLog);
  const { world } = rig.fake;
  const { id: channel } = world.channelNamed("general");
  expect(await rig.run("bob", "general", "parley secrets", { change: "set", name: "API_KEY" })).toBe(
    "Only approvers can list, store and remove secrets.",
  );
  await rig.run("maria", "general", "parley secrets", { change: "set", name: "API_KEY" });
  const note = await vi.waitFor(() => {
    const found = world
      .messages(channel)
      .findLast(({ components }) => JSON.stringify(components).includes('"Enter the value"'));
    if (found === undefined) throw new Error(rig.fake.asText(channel));
    return { channel, id: found.id };
  }, OFTEN);
  const maria = rig.fake.as("maria");
  await maria.submit(maria.click(note, "Enter the value"), { words: CANARY });
  await rig.reads("general", /only for @maria\).*\nStored: tests of github\.com\/acme\/api/);
  const [row] = rows.all();
  if (row === undefined) throw new Error("nothing is stored");
  expect(row).toMatchObject({ repo: "github.com/acme/api", name: "API_KEY" });
  expect(openTestSecret(key, row)).toEqual({ kind: "opened", text: CANARY });
  expect(learned).toContain(CANARY);
  expect(arrived.join("")).toContain("parley_set_secret:API_KEY");
  const traces = [databaseText(rig.opened), ...arrived, ...rig.logged, rig.fake.asText(channel)];
  expect(traces.join("\n")).not.toContain(CANARY);
});
