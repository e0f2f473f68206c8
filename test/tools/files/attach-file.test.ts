import { randomBytes } from "node:crypto";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorld, SECRET, type World } from "../world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({ "out/report.csv": "a,b\n1,2\n" });
});
afterAll(() => world.close());

const attach = (input: unknown) => world.call("attach_file", input, { permission: world.reading });

describe("attach_file", () => {
  it("shares a file of the checkout, in Restricted too: its bytes are stored, its name and title go along", async () => {
    const outcome = await attach({ path: "out/report.csv", title: "The figures" });
    expect(outcome).toMatchObject({
      text: "Shared with the thread: out/report.csv (8 bytes)",
      isError: false,
      files: [{ name: "report.csv", title: "The figures", mediaType: "text/csv", size: 8 }],
    });
    const bytes = await world.blobs.get(outcome.files?.[0]?.hash ?? "");
    expect(bytes?.toString()).toBe("a,b\n1,2\n");
  });

  it("shares up to 8 MB, and says what to do about more", async () => {
    await world.write("most.bin", randomBytes(8 * 1_048_576));
    expect(await attach({ path: "most.bin" })).toMatchObject({
      files: [{ size: 8 * 1_048_576, mediaType: "application/octet-stream" }],
    });
    await world.write("more.bin", Buffer.alloc(8 * 1_048_576 + 1));
    expect(await attach({ path: "more.bin" })).toMatchObject({
      text: "Failed to attach file: it is larger than 8 MB. Attach a part of it, or compress it.",
      isError: true,
    });
  });

  it.each<[string, () => Promise<Uint8Array> | Uint8Array, string]>([
    ["a.txt", () => Buffer.from("text"), "text/plain"],
    ["a.html", () => Buffer.from("<script>"), "text/plain"],
    ["a.diff", () => Buffer.from("+a\n"), "text/x-diff"],
    ["b.txt", () => Buffer.from([0xff, 0xfe]), "application/octet-stream"],
    [
      "c.txt",
      () =>
        sharp({ create: { width: 2, height: 2, channels: 3, background: "red" } })
          .png()
          .toBuffer(),
      "image/png",
    ],
  ])("says of %s what it is by its bytes", async (name, bytes, mediaType) => {
    await world.write(name, await bytes());
    expect((await attach({ path: name })).files).toMatchObject([{ mediaType }]);
  });

  it("shares no file with a key of the host in it, no empty one, none that is missing and none from outside", async () => {
    await world.write("key.bin", Buffer.concat([Buffer.from([0, 255]), Buffer.from(`key=${SECRET}!`)]));
    await world.write("empty.txt", "");
    await symlink("/etc/hostname", join(world.work, "name.txt"));
    const refusals = {
      "key.bin": "Failed to attach file: it holds a key or token of the host, which must not be shared",
      "empty.txt": "Failed to attach file: it is empty",
      "../outside.txt": "Path is not a file in the working directory: ../outside.txt",
    };
    for (const [path, text] of Object.entries(refusals)) {
      const outcome = await attach({ path });
      expect(outcome).toMatchObject({ text, isError: true });
      expect(outcome.files).toBeUndefined();
    }
    expect((await attach({ path: "none.txt" })).text).toMatch(/^Failed to attach file: /);
    expect((await attach({ path: "name.txt" })).isError).toBe(true);
  });

  it("takes nothing from a name that could hide or turn what stands beside it", async () => {
    await world.write("in\u202Exe.gnp", "x");
    expect((await attach({ path: "in\u202Exe.gnp" })).files).toMatchObject([{ name: "in_xe.gnp" }]);
  });
});
