/** What whoever looks after the host is told, on the wire-level Slack: once, whatever the platform does. */

import { expect, it } from "vitest";
import { createRig, type SlackRig } from "../rig.ts";

const channels = [{ name: "general" }, { name: "operators" }];
const message = { id: "alert disk 1 began", text: "The disk <!channel> & *all* is full." };

const shown = ({ fake }: SlackRig): readonly string[] =>
  fake.world.messages("COPERATORS").map(({ text }) => text);

it("is put once, without a mention, also where Slack asked to wait and where its answer was lost", async () => {
  const rig = await createRig({ fake: { channels } });
  const { tell } = rig.slack;
  const match = { method: "chat.postMessage", contains: "COPERATORS" };
  rig.fake.fault({ kind: "status", status: 429, retryAfter: "30" }, { match });
  expect(await tell("COPERATORS", message)).toMatchObject({ kind: "refused" });
  rig.fake.fault({ kind: "cut", applied: true }, { match });
  expect(await tell("COPERATORS", message)).toMatchObject({ kind: "put" });
  expect(await tell("COPERATORS", message)).toMatchObject({ kind: "put" });
  expect(shown(rig)).toEqual(["The disk &lt;!channel&gt; &amp; *all* is full."]);
  expect(await tell("COPERATORS", { ...message, id: "alert disk 1 over" })).toMatchObject({
    kind: "put",
  });
  expect(shown(rig)).toHaveLength(2);
  expect(await tell("CNOWHERE", message)).toMatchObject({ kind: "refused" });
});
