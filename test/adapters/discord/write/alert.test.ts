/** What whoever looks after the host is told, on the wire-level Discord: once, whatever the platform does. */

import { expect, it } from "vitest";
import { createRig } from "../rig.ts";

const message = { id: "alert disk 1 began", text: "The disk @everyone is full." };

it("is put once, also where the answer was lost, and calls nobody", async () => {
  const { fake, discord } = await createRig();
  const { id } = fake.world.channelNamed("general");
  fake.fault(
    { kind: "cut", applied: true },
    { match: ({ route }) => route === "POST /channels/{channel}/messages" },
  );
  expect(await discord.tell(id, message)).toMatchObject({ kind: "refused" });
  expect(await discord.tell(id, message)).toMatchObject({ kind: "put" });
  expect(await discord.tell(id, message)).toMatchObject({ kind: "put" });
  const text = fake.asText("general");
  expect(text.match(/The disk @everyone is full\./g)).toHaveLength(1);
  expect(await discord.tell("999999999999999999", message)).toMatchObject({ kind: "refused" });
});
