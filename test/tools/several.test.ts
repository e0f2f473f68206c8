/** A call names which of several repositories it is about, the same way in every tool. */

import { describe, expect, it } from "vitest";
import type { Base, RepositoryBinding } from "../../src/ports/conversation.ts";
import { createUpgradeTool } from "../../src/tools/request-mode-upgrade.ts";
import { inRepository } from "../../src/tools/repository.ts";
import { conversationOf } from "../store/plain.ts";

const at = (name: string) =>
  ({ kind: "url", location: `https://github.com/acme/${name}.git`, name }) as const;
const both: RepositoryBinding = { ...at("api"), beside: [at("shop")] };
const COMMIT = "b".repeat(40);

const alone: Base = { commit: "a".repeat(40), ref: "main", cwd: "/repos" };
const base: Base = { ...alone, name: "api", beside: [{ name: "shop", commit: COMMIT, ref: "main" }] };

describe("a call of several repositories", () => {
  it("is of the one that it names: its workspace, address and commit; one alone needs no name", () => {
    const call = { conversation: conversationOf("c-1", { repo: both, base }), base };
    expect(inRepository(call, "shop")).toMatchObject({
      kind: "found",
      value: {
        conversation: { id: "c-1-beside-1", repo: { location: at("shop").location } },
        base: { commit: COMMIT },
      },
    });
    const single = { conversation: conversationOf("c-1", { repo: at("shop"), base: alone }), base: alone };
    expect(inRepository(single, undefined)).toEqual({ kind: "found", value: single });
    expect(inRepository(single, "shop")).toEqual({ kind: "found", value: single });
  });

  it("without a name, or with another one, says which there are", () => {
    const call = { conversation: conversationOf("c-1", { repo: both, base }), base };
    for (const [name, why] of [
      [undefined, "name one of api, shop"],
      ["web", "There is no repository web here"],
    ] as const)
      expect(inRepository(call, name)).toEqual({ kind: "trouble", why: expect.stringContaining(why) });
  });

  it.each([
    [["api", "shop"], { reason: "r", repository: "shop" }, { intent: "upgrade", on: "shop" }],
    [["api", "shop"], { reason: "r" }, null],
    [["api", "shop"], { reason: "r", repository: "web" }, null],
    [[], { reason: "r", repository: "shop" }, { intent: "upgrade" }],
    [[], { reason: "r" }, { intent: "upgrade" }],
  ])("of %j, the request %j puts the question %j", (folders, input, intent) => {
    expect(createUpgradeTool().intent(input, folders)).toEqual(intent);
  });
});
