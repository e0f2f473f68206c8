/** The text of a page is part of the message that links to it, and goes with the message. */

import { expect, it } from "vitest";
import { parseNetwork } from "../../../sandbox/egress/address.ts";
import { createConnectReach } from "../../../sandbox/egress/reach.ts";
import { NO_SETTINGS } from "../../../src/runtime/channels/channel-settings.ts";
import { createRig } from "../../adapters/slack/rig.ts";
import { siteWith } from "../../sandbox/egress/site.ts";

it("a deleted message takes the page along; the next message with the link quotes the page again", async () => {
  const site = await siteWith({ "/": "<p>zebra</p>" });
  const reach = createConnectReach({
    rules: { names: null, networks: [] },
    lookup: () => Promise.resolve([]),
    unsafeOpen: ["127.0.0.0/8"].flatMap((one) => parseNetwork(one) ?? []),
  });
  const rig = await createRig({ outside: { reach } });
  await rig.chat.setChannel("slack", "CGENERAL", { ...NO_SETTINGS, links: true, by: "slack:U1", at: 1 });
  const bob = rig.fake.as("bob");
  const root = bob.say("@parley hello", { channel: "general" });
  await rig.thread(root, /Answer 1\.[^]*Restricted/);
  const asked = bob.say(`@parley what of ${site.root}`, { channel: "general", thread: root.ts });
  await rig.thread(root, /Answer 2\.[^]*Restricted/);
  const newest = (no: number): string => JSON.stringify(rig.asked[no]?.at(-1));
  expect(newest(1)).toContain("| zebra");
  const kept = (): string =>
    rig.bot
      .list(1, null)
      .map(({ conversation: { id } }) =>
        JSON.stringify([...rig.store.allWords(id).values(), rig.store.claims(id)]),
      )
      .join("");
  expect(kept()).toContain("| zebra");
  bob.remove(asked);
  await expect.poll(kept).not.toContain("zebra");
  bob.say(`@parley and now ${site.root}`, { channel: "general", thread: root.ts });
  await rig.thread(root, /Answer 3\.[^]*Restricted/);
  expect(newest(2)).toContain("| zebra");
  bob.say(`@parley once more ${site.root}`, { channel: "general", thread: root.ts });
  await rig.thread(root, /Answer 4\.[^]*Restricted/);
  expect(newest(3)).toContain("was read earlier in this conversation");
  expect(newest(3)).not.toContain("| zebra");
});
