import { expect, test } from "vitest";
import { harness, rejection } from "../harness.ts";

test("an upload is announced, sent and shared; the thread shows it and its bytes come back", async () => {
  const { fake, client } = await harness();
  const root = fake.as("alice").say("@parley the diff please", { channel: "general" });
  await client.filesUploadV2({
    channel_id: "CGENERAL",
    thread_ts: root.ts,
    filename: "change.diff",
    title: "change.diff",
    content: "+ a line\n",
    initial_comment: "Here it is",
  });
  const { messages } = await client.conversations.replies({ channel: "CGENERAL", ts: root.ts });
  const file = messages?.[1]?.files?.[0];
  expect(file).toMatchObject({ name: "change.diff", size: 9, mimetype: "text/x-diff" });
  expect(fake.threadAsText("CGENERAL", root.ts)).toMatchInlineSnapshot(`
    "--- from: @alice
    @parley the diff please
    --- from: parley (bot)
    Here it is
    file: change.diff (9 bytes)
    "
  `);

  const url = file?.url_private_download ?? "";
  const allowed = await fetch(url, { headers: { authorization: `Bearer ${fake.botToken}` } });
  expect(await allowed.text()).toBe("+ a line\n");
  const denied = await fetch(url);
  expect([denied.status, denied.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(fake.violations).toEqual([]);
});

test("a person's file comes with the event, and can be fetched", async () => {
  const { fake } = await harness();
  const bytes = Buffer.from([137, 80, 78, 71]);
  fake.as("alice").say("@parley look", { channel: "general", files: [{ name: "shot.png", bytes }] });
  const event = fake.deliveries.at(0)?.payload["event"];
  expect(event).toMatchObject({
    subtype: "file_share",
    files: [{ name: "shot.png", mimetype: "image/png", size: 4 }],
  });
  const [file] = fake.world.files.values();
  const found = await fetch(`${fake.url}/files/${file?.id}/shot.png`, {
    headers: { authorization: `Bearer ${fake.botToken}` },
  });
  expect(Buffer.from(await found.arrayBuffer())).toEqual(bytes);
});

test("bytes that are fewer than announced are refused, and what was not uploaded cannot be shared", async () => {
  const { fake, client } = await harness();
  const { upload_url: url = "", file_id: id = "" } = await client.files.getUploadURLExternal({
    filename: "a.txt",
    length: 3,
  });
  const share = () => client.files.completeUploadExternal({ files: [{ id }], channel_id: "CGENERAL" });
  const put = (body: string) => fetch(url, { method: "POST", body }).then(({ status }) => status);

  expect(await put("ab")).toBe(400);
  expect(fake.violations.splice(0)).toHaveLength(1);
  expect(await rejection(share())).toMatchObject({ data: { error: "file_not_found" } });
  expect(await put("abc")).toBe(200);
  expect(await share()).toMatchObject({ ok: true });
  expect(await rejection(share())).toMatchObject({ data: { error: "file_not_found" } });
  expect(fake.violations).toEqual([]);
});

test("an upload can be cut like any other request", async () => {
  const { fake, client } = await harness();
  fake.fault({ kind: "status", status: 500 }, { match: { method: "upload" } });
  const upload = () => client.filesUploadV2({ channel_id: "CGENERAL", filename: "a.txt", content: "abc" });
  await rejection(upload());
  await upload();
  expect(fake.world.messages("CGENERAL")).toHaveLength(1);
});
