/** Checkouts of several hosts: what a turn changed on one of them is there on the next one that takes over. */

import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Sandbox } from "../../sandbox/types.ts";
import type { Base } from "../../src/ports/conversation.ts";
import type { PutBack } from "../../src/machine/words.ts";
import { createFolder } from "../../src/store/objects/folder.ts";
import type { Objects } from "../../src/ports/store.ts";
import { scratch } from "../scratch.ts";
import { withS3 } from "../store/objects/stores.ts";
import { type All, commit, conversation, createScene, type Scene, startSandbox } from "./scene.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const never = new AbortController().signal;

/** Each has a data directory of its own; `takesOver`: as the process that has just become the active one. */
const twoHosts = async (objects?: Objects) => {
  const shared = scratch("shared");
  const [one, two] = [await createScene(sandbox), await createScene(sandbox)];
  const source = await one.repository("source");
  await commit(source, { "a.txt": "one\n", "b.txt": "two\n", ".gitignore": "built/\n" });
  let epoch = 0;
  const takesOver = (scene: Scene): All => {
    epoch += 1;
    return scene.restart({ fleet: { epoch, shared: objects ?? createFolder(shared) } });
  };
  const opens = async (workspaces: All, base: Base | null = null) => {
    const told: PutBack[] = [];
    const outcome = await workspaces.open(conversation("c-1", { kind: "path", location: source }, base), {
      signal: never,
      onProgress: () => undefined,
      onPutBack: (putBack) => told.push(putBack),
    });
    return { outcome, told };
  };
  const archives = (): Promise<readonly string[]> =>
    readdir(join(shared, "checkouts", "c-1")).catch(() => []);
  const dispose = async (): Promise<void> => {
    await one[Symbol.asyncDispose]();
    await two[Symbol.asyncDispose]();
  };
  return { shared, one, two, source, takesOver, opens, archives, [Symbol.asyncDispose]: dispose };
};

const baseOf = (outcome: Awaited<ReturnType<All["open"]>>): Base => {
  if (outcome.kind !== "ready") throw new Error(JSON.stringify(outcome));
  return outcome.base;
};

it("a takeover finds what the last turn left, told once, and a host that comes back does not go on from its own", async () => {
  await using hosts = await twoHosts();
  const { one, two, takesOver, opens, archives } = hosts;
  const first = takesOver(one);
  const base = baseOf((await opens(first)).outcome);
  await first.keep("c-1", never);
  expect(await archives()).toEqual([]);
  await one.shell(
    "c-1",
    "unrestricted",
    "echo mine > a.txt; rm b.txt; mkdir built; echo lost > built/x",
    first,
  );
  await first.keep("c-1", never);
  expect(await archives()).toHaveLength(1);
  await one.shell("c-1", "unrestricted", "echo half > half.txt", first);

  const second = takesOver(two);
  expect(await second.stands("c-1")).toBe(false);
  expect((await opens(second, base)).told).toEqual([{ kind: "whole", days: 0, moved: true }]);
  expect(await second.stands("c-1")).toBe(true);
  const seen = await two.shell("c-1", "unrestricted", "cat a.txt; ls; echo theirs > a.txt", second);
  expect(seen.text).toBe("mine\na.txt");
  expect((await opens(second, base)).told).toEqual([]);
  await second.keep("c-1", never);
  expect(await archives()).toHaveLength(1);

  const again = takesOver(one);
  expect((await opens(again, base)).told).toEqual([{ kind: "whole", days: 0, moved: true }]);
  expect((await one.shell("c-1", "restricted", "cat a.txt; ls", again)).text).toBe("theirs\na.txt");
});

const change = async (scene: Scene, workspaces: All, text: string): Promise<void> => {
  await scene.shell("c-1", "unrestricted", `echo ${text} >> a.txt`, workspaces);
  await workspaces.keep("c-1", never);
  workspaces.given("c-1");
};

it("a conversation that is moved to a host and back finds there what was changed last, though both hosts go on", async () => {
  await using hosts = await twoHosts();
  const { one, two, takesOver, opens } = hosts;
  const [first, second] = [takesOver(one), takesOver(two)];
  const base = baseOf((await opens(first)).outcome);
  await change(one, first, "first");
  expect((await opens(second, base)).told).toHaveLength(1);
  await change(two, second, "second");
  expect((await opens(first, base)).told).toHaveLength(1);
  await change(one, first, "third");
  expect((await opens(second, base)).told).toHaveLength(1);
  const seen = await two.shell("c-1", "restricted", "cat a.txt", second);
  expect(seen.text).toBe("one\nfirst\nsecond\nthird");
});

it("a host that nobody had replaced goes on from its own checkout, kept or not", async () => {
  await using hosts = await twoHosts();
  const { one, takesOver, opens } = hosts;
  const first = takesOver(one);
  const base = baseOf((await opens(first)).outcome);
  await one.shell("c-1", "unrestricted", "echo mine > a.txt", first);
  await first.keep("c-1", never);
  await one.shell("c-1", "unrestricted", "echo half > half.txt", first);
  const again = takesOver(one);
  expect((await opens(again, base)).told).toEqual([]);
  expect((await one.shell("c-1", "restricted", "cat a.txt half.txt", again)).text).toBe("mine\nhalf");
});

it("what a host had when it was alone is brought along, a parked checkout too", async () => {
  await using hosts = await twoHosts();
  const { one, two, source, takesOver, opens } = hosts;
  const base = await one.base("c-1", source);
  await one.shell("c-1", "unrestricted", "echo mine > a.txt");
  expect(await one.workspaces.park("c-1", 0, never)).toEqual({ kind: "parked" });
  await takesOver(one).adopt(never);
  const second = takesOver(two);
  await opens(second, base);
  expect((await two.shell("c-1", "restricted", "cat a.txt", second)).text).toBe("mine");
});

it.each([true, false])(
  "a draft that is open goes along, with what is shown of it (own checkout: %s)",
  async (hasOwn) => {
    await using hosts = await twoHosts();
    const { one, two, takesOver, opens, archives } = hosts;
    const first = takesOver(one);
    const base = baseOf((await opens(first)).outcome);
    if (hasOwn) await one.shell("c-1", "unrestricted", "echo mine > a.txt", first);
    expect(await first.drafts.open("c-1", never)).toMatchObject({ kind: "open" });
    await one.shell("c-1", "draft", "echo drafted > d.txt; rm b.txt", first);
    const sealed = await first.drafts.seal("c-1", { title: "A change" }, never);
    if (sealed.kind !== "sealed") throw new Error(JSON.stringify(sealed));
    await first.keep("c-1", never);
    expect(await archives()).toHaveLength(1);

    const second = takesOver(two);
    await opens(second, base);
    const tree = await first.drafts.tree("c-1", never);
    expect(await second.drafts.tree("c-1", never)).toEqual(tree);
    expect((await two.shell("c-1", "draft", "cat d.txt; ls", second)).text).toBe("drafted\na.txt\nd.txt");
    expect((await two.shell("c-1", "restricted", "cat a.txt; ls", second)).text).toBe(
      hasOwn ? "mine\na.txt\nb.txt" : "one\na.txt\nb.txt",
    );
    const { tree: shown, base: on, commits } = sealed.result;
    expect(await second.drafts.sealed("c-1")).toMatchObject({ tree: shown, base: on, commits });
    expect(await second.drafts.apply("c-1", { tree: shown, base: on }, never)).toMatchObject({
      kind: "applied",
      tree: shown,
    });
    await second.keep("c-1", never);

    const again = takesOver(one);
    await opens(again, base);
    expect(await again.drafts.tree("c-1", never)).toEqual({ kind: "none" });
    expect((await one.shell("c-1", "restricted", "cat d.txt; ls", again)).text).toBe("drafted\na.txt\nd.txt");
  },
);

it("an archive that is lost or damaged is said before anything goes on without it", async () => {
  await using hosts = await twoHosts();
  const { shared, one, two, takesOver, opens, archives } = hosts;
  const first = takesOver(one);
  const base = baseOf((await opens(first)).outcome);
  await one.shell("c-1", "unrestricted", "echo mine > a.txt", first);
  await first.keep("c-1", never);
  const [name = ""] = await archives();
  await writeFile(join(shared, "checkouts", "c-1", name, "work.tar.gz"), "damaged");
  const second = takesOver(two);
  expect((await opens(second, base)).outcome).toMatchObject({
    kind: "failed",
    failure: { message: expect.stringContaining("damaged") },
  });
  expect((await opens(second, base)).told).toMatchObject([{ kind: "fresh" }]);
});

it("through a bucket a checkout and its draft travel too, whatever breaks off, and nothing begins while it is away", async () => {
  const { s3, objects } = await withS3();
  await using hosts = await twoHosts(objects);
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

it.each([
  ["parked.json", /kept of its changes is damaged/],
  ["draft/draft.json", /of its draft something is lost/],
  ["what.json", null],
])("where %s is lost, the thread says so once, and goes on when it is asked again", async (file, said) => {
  await using hosts = await twoHosts();
  const { shared, one, two, takesOver, opens, archives } = hosts;
  const first = takesOver(one);
  const base = baseOf((await opens(first)).outcome);
  await one.shell("c-1", "unrestricted", "echo mine > a.txt", first);
  await first.drafts.open("c-1", never);
  await one.shell("c-1", "draft", "echo drafted > d.txt", first);
  await first.keep("c-1", never);
  const [name = ""] = await archives();
  await rm(join(shared, "checkouts", "c-1", name, file));
  const second = takesOver(two);
  const { outcome } = await opens(second, base);
  if (said === null) expect(outcome.kind).toBe("ready");
  else expect(outcome).toMatchObject({ failure: { message: expect.stringMatching(said) } });
  expect((await opens(second, base)).outcome.kind).toBe("ready");
  const isOwn = file.startsWith("draft/") || said === null;
  expect((await two.shell("c-1", "restricted", "cat a.txt", second)).text).toBe(isOwn ? "mine" : "one");
});

it("a removed conversation leaves nothing of its checkout among the hosts", async () => {
  await using hosts = await twoHosts();
  const { shared, one, takesOver, opens } = hosts;
  const first = takesOver(one);
  await opens(first);
  await one.shell("c-1", "unrestricted", "echo mine > a.txt", first);
  await first.keep("c-1", never);
  await mkdir(join(shared, "checkouts", "c-10"));
  await first.discard("c-1");
  expect(await readdir(join(shared, "checkouts"))).toEqual(["c-10"]);
});
