/** Who somebody is: as Discord said with what they just did, else read again (D1, D2); and calls that wait their turn. */

import { describe, expect, it } from "vitest";
import { createGuilds } from "../../../../adapters/discord/read/guilds.ts";
import { createRig, type DiscordRig } from "../rig.ts";

const MEMBER = "GET /guilds/{guild}/members/{user}";
const SEND = "POST /channels/{channel}/messages";

const reads = (rig: DiscordRig): number => rig.fake.calls.filter(({ route }) => route === MEMBER).length;

describe("whoever speaks or clicks", () => {
  it("is known from the event itself, with the roles of that moment: nothing is read", async () => {
    const rig = await createRig({ confinement: "unavailable" });
    const refused = rig.fake.as("bob").say("general", "@parley hello?");
    await rig.reads("general", /sandbox is not available/);
    rig.fake.admin.giveRole("Community", "bob", "maintainer");
    const taken = rig.fake.as("bob").say("general", "@parley hello?");
    await rig.reads(taken.id, /Answer 1\.[^]*tricted[^·\n]* · [[`<]/);
    expect(rig.fake.world.channels.has(refused.id)).toBe(false);
    expect(await rig.run("alice", taken.id, "parley repo", { name: "acme/web" })).toMatch(/^Only admins/);
    expect(await rig.run("bob", taken.id, "parley repo", { name: "acme/web" })).toMatch(/works on acme\/web/);
    expect(reads(rig)).toBe(0);
    expect(rig.fake.violations).toEqual([]);
  });

  it("is read again where the event is of a session that missed it, and refused where that fails", async () => {
    const rig = await createRig();
    await rig.close();
    const asked = rig.fake.as("bob").say("general", "@parley hello?");
    const refused = { kind: "error", status: 403, code: 50_001, message: "Missing Access" } as const;
    rig.fake.fault(refused, { match: { route: MEMBER } });
    const next = await rig.restart();
    await next.reads("general", /could not read who you are/);
    expect(next.asked).toHaveLength(0);
    expect(reads(next)).toBe(1);
    await next.close();
    const again = rig.fake.as("bob").say("general", "@parley and now?");
    const last = await next.restart();
    await last.reads(again.id, /Answer 1\.[^]*tricted[^·\n]* · [[`<]/);
    expect(rig.fake.world.channels.has(asked.id)).toBe(false);
  });
});

describe("who manages a server", () => {
  const bits = { manager: "32", administrator: "8", nobody: "2048" };
  const create = {
    id: "1",
    owner_id: "7",
    roles: [
      { id: "1", permissions: bits.nobody },
      { id: "2", permissions: bits.manager },
      { id: "3", permissions: bits.administrator },
      { id: "4", permissions: bits.nobody },
    ],
  };
  const told = () => {
    const guilds = createGuilds();
    guilds.hear("GUILD_CREATE", create);
    return guilds;
  };

  it("is its owner, and who has a role that manages or administers it", () => {
    const guilds = told();
    expect(guilds.manages("1", "7", [])).toBe(true);
    expect(guilds.manages("1", "8", ["4"])).toBe(false);
    expect(guilds.manages("1", "8", ["4", "2"])).toBe(true);
    expect(guilds.manages("1", "8", ["3"])).toBe(true);
    expect(guilds.manages("2", "8", ["3"])).toBeNull();
  });

  it("changes with its roles, and is not known any more when the server is gone", () => {
    const guilds = told();
    guilds.hear("GUILD_ROLE_UPDATE", { guild_id: "1", role: { id: "2", permissions: bits.nobody } });
    guilds.hear("GUILD_ROLE_DELETE", { guild_id: "1", role_id: "3" });
    guilds.hear("GUILD_ROLE_CREATE", { guild_id: "1", role: { id: "5", permissions: bits.manager } });
    expect(["2", "3", "5"].map((role) => guilds.manages("1", "8", [role]))).toEqual([false, false, true]);
    guilds.hear("GUILD_ROLE_UPDATE", { guild_id: "1", role: { id: "1", permissions: bits.manager } });
    expect(guilds.manages("1", "8", [])).toBe(true);
    guilds.hear("GUILD_UPDATE", { ...create, owner_id: "8" });
    expect(guilds.manages("1", "8", [])).toBe(true);
    expect(guilds.manages("1", "9", ["5"])).toBe(false);
    guilds.hear("GUILD_DELETE", { id: "1" });
    expect(guilds.manages("1", "8", [])).toBeNull();
  });
});

describe("a line of the host", () => {
  it("that Discord asks to wait for comes all the same", async () => {
    const rig = await createRig();
    rig.fake.fault(
      { kind: "limited", retryAfter: 0.3 },
      { times: 2, match: { route: SEND, contains: "not enabled" } },
    );
    rig.fake.as("bob").say("other", "@parley what is this?");
    await rig.reads("other", /not enabled here/);
  });
});
