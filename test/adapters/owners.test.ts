/** Where owners of files count, a change becomes real by the click of an approver who owns all of its files. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ApprovedWrite, Tools } from "../../src/ports/tools.ts";
import type { FileOwners } from "../../src/thread/owners.ts";
import { textAnswer, toolAnswer, toolResult } from "../runtime/world.ts";
import { scratch } from "../scratch.ts";
import { resultOf } from "../threads/drafted.ts";
import { createRig as createConsoleRig, field } from "./http/rig.ts";
import { phase } from "./http/ask.ts";
import { createRig as createDiscordRig } from "./discord/rig.ts";
import { createRig as createSlackRig } from "./slack/rig.ts";
import { OFTEN } from "./rig.ts";

const set = (path: string, ...owners: readonly string[]) => ({ owners, path, files: 1 });
const owned = (sets: FileOwners["sets"], unknown: readonly string[] = []): FileOwners => ({
  file: ".github/CODEOWNERS",
  sets,
  unknown,
});

const answer = (_: unknown, no: number) =>
  no === 1 ? toolAnswer({ name: "propose", input: {} }) : textAnswer("There it is.");

/** `write`: shown as a pull request of the checkout, or as the merge of one. */
const drafted = (
  owners: FileOwners | undefined,
  write: "open_pull_request" | "merge_pull_request" | null = null,
) => {
  const shown = resultOf(2);
  const errands: ApprovedWrite[] = [];
  const result = owners === undefined ? shown.result : { ...shown.result, owners };
  const writes: NonNullable<Tools["writes"]> = {
    propose: ({ name }) =>
      Promise.resolve(
        name !== "propose"
          ? { kind: "none" }
          : write !== null
            ? {
                kind: "proposal",
                write,
                fingerprint: "f",
                proposal: {
                  project: "acme/api",
                  facts: [],
                  files: [],
                  unlisted: 0,
                  texts: [],
                  ...(owners === undefined ? {} : { owners }),
                },
              }
            : { ...shown, result },
      ),
    write: (_run, errand) => {
      errands.push(errand);
      return Promise.resolve({ outcome: toolResult("Done"), wrote: { kind: "done", name: "parley/c-1" } });
    },
  };
  const drafts = { tree: () => Promise.resolve({ kind: "tree", tree: shown.result.tree } as const) };
  return { drafts, tools: { writes }, writes, errands, answer };
};

const tableFile = (table: Readonly<Record<string, unknown>>): string => {
  const file = join(scratch("owners"), "owners.json");
  writeFileSync(file, `// who is who\n${JSON.stringify(table)}`);
  return file;
};

describe("an owner's click", () => {
  it("on Slack counts, by a group of the table, and another approver's is refused with a reason", async () => {
    const { errands, ...made } = drafted(owned([set("src/retry.js", "@acme/web")]));
    const rig = await createSlackRig({
      ...made,
      fake: { groups: { S1: ["bob"] } },
      env: {
        PARLEY_APPROVERS: "slack:UALICE,slack:UBOB",
        PARLEY_CODEOWNERS: tableFile({ "@Acme/Web": "slack:group:S1" }),
      },
    });
    const { fake } = rig;
    const { channel, ts } = fake.as("alice").say("@parley fix it", { channel: "general" });
    const card = await expect
      .poll(
        () =>
          fake.world
            .thread(channel, ts)
            .find(({ blocks }) => JSON.stringify(blocks ?? []).includes('"Apply"')),
        OFTEN,
      )
      .toBeDefined()
      .then(() =>
        fake.world.thread(channel, ts).find(({ blocks }) => JSON.stringify(blocks ?? []).includes('"Apply"')),
      );
    const at = { channel, ts: card?.ts ?? "" };
    expect(JSON.stringify(card)).toContain(
      "Owners who have to agree, by `.github/CODEOWNERS`: `src/retry.js` (`@acme/web`)",
    );
    fake.as("alice").click(at, "Apply");
    await expect
      .poll(() => JSON.stringify(fake.world.ephemerals), OFTEN)
      .toMatch(/you do not own `src\/retry.js` \(`@acme\/web`\)/);
    expect(errands).toEqual([]);
    fake.as("bob").click(at, "Apply");
    await expect.poll(() => errands, OFTEN).toMatchObject([{ approved: { by: { id: "slack:UBOB" } } }]);
    await fake.settled();
    expect(fake.violations).toEqual([]);
  });

  it("on Discord counts, by a role of the table, and another approver's is refused with a reason", async () => {
    const { errands, ...made } = drafted(owned([set("src/retry.js", "@acme/web")]));
    const rig = await createDiscordRig({
      ...made,
      envOf: ({ world }) => {
        const [id = ""] = [...world.guildNamed("Community").roles.values()].flatMap((role) =>
          role.name === "maintainer" ? [role.id] : [],
        );
        const people = [...world.users.values()].filter(({ name }) => name === "bob" || name === "maria");
        return {
          PARLEY_APPROVERS: people.map((one) => `discord:${one.id}`).join(","),
          PARLEY_CODEOWNERS: tableFile({ "@acme/web": [`discord:role:${id}`] }),
        };
      },
    });
    const { fake } = rig;
    const { id: thread } = fake.as("maria").say("general", "@parley fix it");
    await rig.reads(thread, /Owners who have to agree, by `.github\/CODEOWNERS`[^]*\[Apply\]/);
    const card = fake.world
      .messages(thread)
      .findLast(({ components }) => JSON.stringify(components).includes("Apply"));
    const at = { channel: thread, id: card?.id ?? "" };
    await fake.as("bob").click(at, "Apply").ended;
    await rig.reads(thread, /only for @bob\)[^]*you do not own/);
    expect(errands).toEqual([]);
    await fake.as("maria").click(at, "Apply").ended;
    await expect.poll(() => errands.length, OFTEN).toBe(1);
    expect(fake.violations).toEqual([]);
  });

  const operator = ["console:operator"];
  it.each<readonly [string, FileOwners | undefined, Readonly<Record<string, readonly string[]>>, boolean]>([
    ["its only owner", owned([set("a", "@o")]), { "@o": operator }, true],
    ["one of two who own it", owned([set("a", "@x", "@O")]), { "@o": operator }, true],
    [
      "owner of each of two files",
      owned([set("a", "@o"), set("b", "@p")]),
      { "@o": operator, "@p": operator },
      true,
    ],
    [
      "owner of one of two files",
      owned([set("a", "@o"), set("b", "@p")]),
      { "@o": operator, "@p": ["slack:U1"] },
      false,
    ],
    ["of an owner that nobody knows", owned([set("a", "@ghost")], ["@ghost"]), {}, false],
    ["of an owner that * stands for", owned([set("a", "@ghost")]), { "*": ["approvers"] }, true],
    ["of an owner whom * does not give", owned([set("a", "@ghost")]), { "*": ["slack:U1"] }, false],
    ["of no file that has an owner", owned([]), {}, true],
    ["of a commit without CODEOWNERS", { file: null, sets: [], unknown: [] }, {}, true],
    ["of a card that was shown before owners counted", undefined, {}, false],
  ])("in the console, %s", async (_, owners, table, may) => {
    for (const [choice, write] of [
      ["apply", null],
      ["pull_request", null],
      ["approve", "open_pull_request"],
      ["approve", "merge_pull_request"],
    ] as const) {
      const { drafts, writes, errands } = drafted(owners, write);
      const rig = await createConsoleRig({
        drafted: { writes, drafts },
        owners: new Map(Object.entries(table)),
      });
      const id = await rig.begin();
      rig.script.answer({ uses: [{ name: "propose", input: {} }] });
      rig.script.answer({ pieces: ["There it is."] });
      await rig.call("POST", `/api/conversations/${id}/messages`, { text: "Fix it." });
      const { question } = Object.fromEntries(Object.entries(await phase(rig, id, "awaitingApproval")));
      const asked = { action: "decide", question: field(question, "id"), choice };
      const done = await rig.call("POST", `/api/conversations/${id}/actions`, asked);
      if (may) await phase(rig, id, "idle");
      expect(errands).toHaveLength(may ? 1 : 0);
      expect(done).toMatchObject(
        may ? { status: 200 } : { status: 403, body: { error: { code: "not_owner" } } },
      );
      if (!may) {
        const other = write !== null ? "deny" : "discard";
        const denied = await rig.call("POST", `/api/conversations/${id}/actions`, {
          ...asked,
          choice: other,
        });
        expect(denied).toMatchObject({ status: 200 });
      }
      await rig.close();
    }
  });

  it("counts for nobody where the operator has not turned it on", async () => {
    const { drafts, writes, errands } = drafted(owned([set("a", "@o")]));
    const rig = await createConsoleRig({ drafted: { writes, drafts } });
    const id = await rig.begin();
    rig.script.answer({ uses: [{ name: "propose", input: {} }] });
    rig.script.answer({ pieces: ["There it is."] });
    await rig.call("POST", `/api/conversations/${id}/messages`, { text: "Fix it." });
    const { question } = Object.fromEntries(Object.entries(await phase(rig, id, "awaitingApproval")));
    const asked = { action: "decide", question: field(question, "id"), choice: "apply" };
    expect(await rig.call("POST", `/api/conversations/${id}/actions`, asked)).toMatchObject({ status: 200 });
    await phase(rig, id, "idle");
    expect(errands).toHaveLength(1);
    await rig.close();
  });
});
