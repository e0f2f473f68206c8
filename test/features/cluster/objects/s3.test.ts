/** An S3 store that is slow, breaks off, refuses or is elsewhere: tried again while that may help, and then said in a sentence. */

import { readdirSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import type { Objects } from "../../../../src/ports/store.ts";
import { bucketAddressOf } from "../../../../src/features/cluster/objects/bucket.ts";
import type { Fault } from "../../../fakes/s3/store.ts";
import { withS3 } from "./stores.ts";

const big = Buffer.alloc(17 * 2 ** 20, "parley ");

const read = async (objects: Objects, name: string) => {
  let bytes: Buffer = Buffer.alloc(0);
  const got = await objects.get(name, async (chunks) => {
    bytes = await buffer(chunks);
  });
  return { ...got, bytes };
};

it("what is large goes from the disk, tried again as a whole, and leaves nothing where it fails", async () => {
  const { s3, objects, pauses, aside } = await withS3();
  s3.fail({ kind: "answer", status: 503, code: "SlowDown" }, { method: "PUT" });
  s3.fail({ kind: "reset" }, { method: "PUT" });
  expect(await objects.put("checkouts/it", [big])).toEqual({ kind: "done" });
  expect(s3.objects.get("parley/checkouts/it")?.equals(big)).toBe(true);
  expect(pauses).toEqual([250, 500]);
  expect((await read(objects, "checkouts/it")).bytes.equals(big)).toBe(true);
  s3.fail({ kind: "answer", status: 403, code: "AccessDenied" }, { method: "PUT" });
  expect(await objects.put("checkouts/other", [big])).toMatchObject({ kind: "failed" });
  expect([...s3.objects.keys()]).toEqual(["parley/checkouts/it"]);
  expect(readdirSync(aside)).toEqual([]);
});

const PASSING: readonly Fault[] = [
  { kind: "answer", status: 500, code: "InternalError" },
  { kind: "answer", status: 503, code: "SlowDown" },
  { kind: "reset" },
  { kind: "truncate" },
];

it.each(PASSING)(
  "what passes is tried again, with longer waits each time, and not for ever: %j",
  async (fault) => {
    const { s3, objects, pauses } = await withS3();
    await objects.put("blobs/it", [Buffer.from("whole")]);
    s3.fail(fault, { method: "GET", times: 2 });
    expect(await read(objects, "blobs/it")).toMatchObject({ kind: "got", bytes: Buffer.from("whole") });
    expect(pauses).toEqual([250, 500]);
    s3.fail(fault, { method: "GET", times: 6 });
    const failed = await read(objects, "blobs/it");
    expect(failed).toMatchObject({
      kind: "failed",
      code: "io",
      message: expect.stringMatching(/^the store .*: (wait|check)/),
    });
    expect(pauses.slice(2)).toEqual([250, 500, 1_000, 2_000, 4_000]);
  },
);

it("a store that says nothing more is given up, and one that speaks again is heard", async () => {
  const { s3, objects } = await withS3(100);
  s3.fail({ kind: "silence" }, { times: 1 });
  expect(await objects.put("blobs/it", [Buffer.from("whole")])).toEqual({ kind: "done" });
  s3.fail({ kind: "silence" }, { times: 6 });
  expect(await read(objects, "blobs/it")).toMatchObject({ message: expect.stringContaining("ETIMEDOUT") });
});

const why = async (other: Objects): Promise<string> => {
  const put = await other.put("blobs/it", [Buffer.from("whole")]);
  return put.kind === "failed" ? put.message : put.kind;
};

it("a store that was given up is not asked again at once", async () => {
  const { s3, objects, open } = await withS3(20_000, 60_000);
  s3.fail({ kind: "reset" }, { times: 6 });
  const first = await read(objects, "blobs/it");
  expect(await objects.list("")).toEqual({
    kind: "failed",
    code: "io",
    message: first.kind === "failed" ? first.message : "",
  });
  expect(s3.asked).toHaveLength(6);
  expect(await open({}).list("")).toEqual({ kind: "names", names: [] });
});

it("what does not pass is said at once, with what to do, and no key shows up in it", async () => {
  const { s3, objects, pauses, open } = await withS3();
  const keys = (change: Partial<typeof s3.keys>): Objects => open({ keys: { ...s3.keys, ...change } });
  expect(await why(keys({ accessKeyId: "AKIDOTHER" }))).toMatch(
    /know the access key: correct PARLEY_SHARED_ACCESS_KEY or AWS_ACCESS_KEY_ID$/,
  );
  expect(await why(keys({ secretAccessKey: "other" }))).toMatch(
    /belong to the access key: correct PARLEY_SHARED_SECRET_KEY or AWS_SECRET_ACCESS_KEY$/,
  );
  expect(await why(keys({ sessionToken: "other" }))).toMatch(/renew AWS_SESSION_TOKEN/);
  expect(await why(open({ bucket: "teem" }))).toBe(
    "the bucket teem does not exist: create the bucket, or correct PARLEY_SHARED_STORAGE",
  );
  expect(await why(open({ region: "us-east-1" }))).toBe(
    "the bucket team is in the region eu-central-1: set PARLEY_SHARED_REGION to that region",
  );
  s3.fail({ kind: "redirect", status: 301, region: "sa-east-1" });
  expect(await why(objects)).toMatch(/in the region sa-east-1: set PARLEY_SHARED_REGION/);
  s3.fail({ kind: "redirect", status: 307, region: null });
  expect(await why(objects)).toMatch(/redirects this host \(status 307\): set PARLEY_SHARED_ENDPOINT/);
  s3.fail({ kind: "answer", status: 403, code: "AccessDenied" });
  expect(await why(objects)).toMatch(
    /lacks permissions .*: allow the key to read, write, remove and list .* parley\/$/,
  );
  s3.shift(3_600_000);
  expect(await why(objects)).toMatch(
    /clock of this host is 60 min behind that of the store: correct the clock/,
  );
  s3.shift(0);
  expect(pauses).toEqual([]);
  expect(await why(objects)).toBe("done");
  await s3.close();
  expect(await why(objects)).toMatch(/127\.0\.0\.1:\d+ does not answer \(ECONNREFUSED\): check the network/);
  expect(s3.sent()).not.toContain(s3.keys.secretAccessKey);
});

const at = (bucket: string, region: string, endpoint: string | null = null): string =>
  bucketAddressOf({ bucket, region, endpoint }).href;

it("a bucket has its own name on Amazon where a certificate covers it, and is below the endpoint elsewhere", () => {
  expect(at("team", "eu-central-1")).toBe("https://team.s3.eu-central-1.amazonaws.com/");
  expect(at("team.one", "cn-north-1")).toBe("https://s3.cn-north-1.amazonaws.com.cn/team.one");
  expect(at("team", "auto", "https://store.example/s3/")).toBe("https://store.example/s3/team");
});
