/** A write names which of several repositories it is about, and everything that it does is of that one. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Base, RepositoryBinding } from "../../../../src/ports/conversation.ts";
import { conversation } from "../../../workspace/scene.ts";
import {
  approve,
  baseCommit,
  callOf,
  changedBeside,
  closeWriting,
  openWriting,
  PULL,
  refusal,
  shop,
  shown,
  world,
} from "./writing.ts";

beforeAll(openWriting);
afterAll(closeWriting);

const at = (name: string) =>
  ({ kind: "url", location: `https://github.com/acme/${name}.git`, name }) as const;
const both: RepositoryBinding = { ...at("api"), beside: [at("shop")] };

const base = (): Base => ({
  commit: "a".repeat(40),
  ref: "main",
  cwd: "/repos",
  name: "api",
  beside: [{ name: "shop", commit: baseCommit(), ref: "main" }],
});

const callIn = (name: Parameters<typeof callOf>[0], input: unknown, id: Parameters<typeof callOf>[2]) => ({
  ...callOf(name, input, id),
  conversation: conversation(id ?? "c-none", both, base()),
  base: base(),
});

describe("a call of several repositories", () => {
  it("without a name, or with another one, does nothing and says which there are", async () => {
    const fake = await world();
    const issue = { title: "t", body: "b" };
    expect(await refusal(fake, callIn("file_issue", issue, "c-2"))).toContain("name one of api, shop");
    expect(await refusal(fake, callIn("file_issue", { ...issue, repository: "web" }, "c-2"))).toContain(
      "There is no repository web here",
    );
  });

  it("an issue is filed in the one that is named, and the card says so", async () => {
    const fake = await world();
    const call = callIn("file_issue", { title: "t", body: "b", repository: "shop" }, "c-3");
    expect((await shown(fake, call)).proposal.project).toBe("acme/shop");
    expect(await approve(fake, call)).toMatchObject({ wrote: { kind: "done" } });
  });

  it("a pull request holds the change of the one that is named, and names the conversation", async () => {
    const fake = await world();
    const id = await changedBeside("echo new > shop/new.txt");
    const call = callIn("open_pull_request", { ...PULL, repository: "shop" }, id);
    const { proposal } = await shown(fake, call);
    expect(proposal).toMatchObject({ project: "acme/shop", files: [{ path: "new.txt" }] });
    expect(await approve(fake, call)).toMatchObject({ wrote: { kind: "done" } });
    expect(await shop(fake).run("log", "-1", "--format=%B", `parley/${id}`)).toMatch(
      new RegExp(`Parley-Conversation: ${id}$`),
    );
  });
});
