/** Checkouts travel through a bucket as they do through a directory. */

import { afterAll, beforeAll, expect, it } from "vitest";
import type { Sandbox } from "../../../sandbox/types.ts";
import { startSandbox } from "../../workspace/scene.ts";
import { baseOf, never, twoHosts } from "../../workspace/two-hosts.ts";
import { withS3 } from "./objects/stores.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

it("through a bucket a checkout and its draft travel too, whatever breaks off, and nothing begins while it is away", async () => {
  const { s3, objects } = await withS3();
  await using hosts = await twoHosts(sandbox, objects);
  const { one, two, takesOver, opens } = hosts;
  const first = takesOver(one);
  const base = baseOf((await opens(first)).outcome);
  await one.shell("c-1", "unrestricted", "echo mine > a.txt", first);
  await first.drafts.open("c-1", never);
  await one.shell("c-1", "draft", "echo drafted > d.txt", first);
  s3.shift(3_600_000);
  await first.keep("c-1", never);
  expect(s3.objects.size).toBe(0);
  s3.shift(0);
  s3.fail({ kind: "answer", status: 503, code: "SlowDown" }, { method: "PUT", times: 2 });
  await first.keep("c-1", never);
  const before = s3.asked.length;
  await one.shell("c-1", "unrestricted", "cat a.txt", first);
  await first.keep("c-1", never);
  expect(s3.asked.slice(before)).toEqual([]);

  s3.fail({ kind: "reset" }, { method: "GET", times: 6 });
  const second = takesOver(two);
  expect((await opens(second, base)).outcome).toMatchObject({
    kind: "failed",
    failure: { message: expect.stringMatching(/cannot be reached now.*ask again/) },
  });
  s3.fail({ kind: "truncate" }, { method: "GET", text: "work.tar.gz", times: 2 });
  expect((await opens(second, base)).told).toEqual([{ kind: "whole", days: 0, moved: true }]);
  expect((await two.shell("c-1", "restricted", "cat a.txt", second)).text).toBe("mine");
  expect((await two.shell("c-1", "draft", "cat d.txt", second)).text).toBe("drafted");
  const again = takesOver(one);
  expect((await opens(again, base)).told).toMatchObject([{ kind: "whole" }]);
  await again.discard("c-1");
  expect([...s3.objects.keys()]).toEqual([]);
});
