import { expect, test } from "vitest";
import { harness, postMessage } from "./harness.ts";

test("what is posted, edited and deleted is read back", async () => {
  const { fake, client } = await harness();
  const root = await postMessage(client, { channel: "CGENERAL", text: "root" });
  const ts = root.ts ?? "";
  const reply = await postMessage(client, {
    channel: "CGENERAL",
    thread_ts: ts,
    text: "reply",
    metadata: { event_type: "parley_post", event_payload: { key: "answer/1" } },
  });
  await client.chat.update({ channel: "CGENERAL", ts: reply.ts ?? "", text: "better" });

  const plain = await client.conversations.replies({ channel: "CGENERAL", ts });
  expect(plain.messages).toMatchObject([
    { text: "root", reply_count: 1 },
    { text: "better", thread_ts: ts, edited: { user: "UPARLEY" } },
  ]);
  expect(plain.messages?.[1]).not.toHaveProperty("metadata");
  const full = await client.conversations.replies({ channel: "CGENERAL", ts, include_all_metadata: true });
  expect(full.messages?.[1]).toMatchObject({
    metadata: { event_type: "parley_post", event_payload: { key: "answer/1" } },
  });

  await client.chat.delete({ channel: "CGENERAL", ts: reply.ts ?? "" });
  expect((await client.conversations.replies({ channel: "CGENERAL", ts })).messages).toHaveLength(1);
  expect(fake.violations).toEqual([]);
});
