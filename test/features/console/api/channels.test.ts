/** The settings of chat channels over real HTTP: shown, set, checked before anything is stored. */

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { error } from "../../../adapters/http/ask.ts";
import { createRig, type Rig } from "../../../adapters/http/rig.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

const channels = async (): Promise<unknown> => (await rig.call("GET", "/api/channels")).body;
const set = (body: unknown) => rig.call("POST", "/api/channels", body);

const PLACE = { surface: "slack", place: "CGENERAL" };

describe("/api/channels", () => {
  it("sets all four of a channel, and leaves what is not named", async () => {
    expect(await channels()).toEqual({ channels: [] });
    expect(
      await set({
        ...PLACE,
        repo: "acme/api@v2",
        mode: "triage",
        approvers: ["<@U024BE7LH>", "group:S0614TZR7", "U024BE7LH"],
        budgetUsd: 20,
        review: "CTEAM",
      }),
    ).toEqual({ status: 200, body: { result: "done" } });
    const whole = {
      ...PLACE,
      repo: "acme/api@v2",
      mode: "triage",
      model: null,
      approvers: ["U024BE7LH", "group:S0614TZR7"],
      servers: [],
      knowledge: [],
      language: null,
      review: "CTEAM",
      budgetUsd: 20,
      instructions: null,
      links: false,
      quiet: null,
      called: null,
    };
    expect(await channels()).toEqual({ channels: [whole] });
    await set({ ...PLACE, mode: null });
    expect(await channels()).toEqual({ channels: [{ ...whole, mode: null }] });
    await set({ ...PLACE, budgetUsd: null, approvers: [] });
    expect(await channels()).toEqual({
      channels: [{ ...whole, mode: null, approvers: [], budgetUsd: null }],
    });
  });

  it("shows a channel that has a budget alone, of any platform", async () => {
    await rig.call("POST", "/api/budgets", { scope: "channel:discord:123456789012345678", dollars: 3 });
    expect(await channels()).toMatchObject({
      channels: [
        {
          surface: "discord",
          place: "123456789012345678",
          repo: null,
          mode: null,
          approvers: [],
          servers: [],
          knowledge: [],
          budgetUsd: 3,
        },
        {},
      ],
    });
  });

  it.each([
    ["a repository that is not on the list", { repo: "evil/other" }, "unusable_setting"],
    ["a mode that is not there", { mode: "nope" }, "unusable_setting"],
    ["an approver of another platform", { approvers: ["role:123456789012345678"] }, "unusable_setting"],
    ["a name in the place of an id", { approvers: ["alice"] }, "unusable_setting"],
    ["answers that are looked at where they are posted", { review: PLACE.place }, "unusable_setting"],
    ["a channel for them by its name", { review: "team" }, "unusable_setting"],
  ])("refuses %s, and stores nothing", async (_, change, code) => {
    const before = await channels();
    expect(await set({ ...PLACE, budgetUsd: 77, ...change })).toMatchObject({
      status: 400,
      body: error("invalid_request", code),
    });
    expect(await channels()).toEqual(before);
  });

  it.each([
    ["another surface", { surface: "console", place: "CGENERAL" }],
    ["a channel's name", { surface: "slack", place: "#general" }],
    ["a field that is none", { ...PLACE, twoPerson: true }],
  ])("refuses %s", async (_, body) => {
    expect(await set(body)).toMatchObject({ status: 400 });
  });

  it("is changed by those who may approve alone", async () => {
    const guest = await createRig({
      operator: { id: "console:operator", mayDrive: true, mayApprove: false },
    });
    expect(await guest.call("POST", "/api/channels", { ...PLACE, mode: "triage" })).toMatchObject({
      status: 403,
      body: error("forbidden", "not_allowed"),
    });
    expect(await guest.call("GET", "/api/channels")).toEqual({ status: 200, body: { channels: [] } });
    await guest.close();
  });

  it("takes several repositories separated by commas, as it shows them, and no two of one name", async () => {
    const own = await createRig();
    const change = (repo: string) => own.call("POST", "/api/channels", { ...PLACE, repo });
    const shows = async (repo: string): Promise<void> =>
      expect((await own.call("GET", "/api/channels")).body).toMatchObject({ channels: [{ repo }] });
    expect(await change("acme/api, acme/web as site")).toMatchObject({ status: 200 });
    await shows("acme/api, acme/web as site");
    const refused = { status: 400, body: error("invalid_request", "unusable_setting") };
    expect(await change("acme/api, acme/web as API")).toMatchObject(refused);
    expect(await change("acme/api, evil/web")).toMatchObject(refused);
    await shows("acme/api, acme/web as site");
    await change("acme/web");
    await shows("acme/web");
    await own.close();
  });
});

it("takes MCP servers that there are", async () => {
  const rig = await createRig({ servers: ["linear", "down"] });
  onTestFinished(() => rig.close());
  const channel = { surface: "slack", place: "CGENERAL" };
  const unknown = await rig.call("POST", "/api/channels", { ...channel, servers: ["jira"] });
  expect(unknown.status).toBe(400);
  expect(JSON.stringify(unknown.body)).toContain("There is no MCP server jira. There are linear, down.");
  await rig.call("POST", "/api/channels", { ...channel, servers: ["linear"] });
  await rig.call("POST", "/api/channels", { ...channel, mode: null });
  expect((await rig.call("GET", "/api/channels")).body).toMatchObject({
    channels: [{ ...channel, servers: ["linear"] }],
  });
});
