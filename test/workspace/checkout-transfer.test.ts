/** Checkouts of several hosts: what a turn changed on one of them is there on the next one that takes over. */

import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Sandbox } from "../../sandbox/types.ts";
import { type All, type Scene, startSandbox } from "./scene.ts";
import { baseOf, never, twoHosts } from "./two-hosts.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

it("a takeover finds what the last turn left, told once, and a host that comes back does not go on from its own", async () => {
  await using hosts = await twoHosts(sandbox);
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
  await using hosts = await twoHosts(sandbox);
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
  await using hosts = await twoHosts(sandbox);
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
  await using hosts = await twoHosts(sandbox);
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
    await using hosts = await twoHosts(sandbox);
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
  await using hosts = await twoHosts(sandbox);
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

it.each([
  ["parked.json", /its stored changes are damaged/],
  ["draft/draft.json", /a part of its draft is lost/],
  ["what.json", null],
])("where %s is lost, the thread says so once, and goes on when it is asked again", async (file, said) => {
  await using hosts = await twoHosts(sandbox);
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
  await using hosts = await twoHosts(sandbox);
  const { shared, one, takesOver, opens } = hosts;
  const first = takesOver(one);
  await opens(first);
  await one.shell("c-1", "unrestricted", "echo mine > a.txt", first);
  await first.keep("c-1", never);
  await mkdir(join(shared, "checkouts", "c-10"));
  await first.discard("c-1");
  expect(await readdir(join(shared, "checkouts"))).toEqual(["c-10"]);
});
