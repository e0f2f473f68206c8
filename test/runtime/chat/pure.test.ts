/** The shared manners of chat surfaces that need no world: who is heard, what is a command, who may, on which repository. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Person } from "../../../src/ports/chat-platform.ts";
import type { Participant } from "../../../src/ports/chat-rows.ts";
import { addressMessage, isShared } from "../../../src/runtime/chat/address.ts";
import { chatCommands } from "../../../src/app/commands.ts";
import { createRepos, entryProblem } from "../../../src/runtime/channels/repos.ts";
import {
  approverOf,
  approversOf,
  groupsOf,
  isOwnRequest,
  type Policy,
  rightsOf,
} from "../../../src/runtime/chat/people/rights.ts";
import { statusText } from "../../../src/runtime/chat/people/reply-texts.ts";
import { inPhase, phases } from "../../machine/samples.ts";
import { conversationOf } from "../../store/plain.ts";
import { english } from "../../../src/i18n/say.ts";

describe("who is heard (design.md 5)", () => {
  const people = fc.uniqueArray(fc.record({ person: fc.constantFrom("a", "b", "c"), hinted: fc.boolean() }), {
    selector: ({ person }) => person,
  });
  const speaker = fc.constantFrom("a", "b", "c");

  it("what addresses the bot is always input", () => {
    fc.assert(
      fc.property(people, speaker, (participants, person) => {
        expect(addressMessage(participants, { person, addressed: true })).toBe("input");
      }),
    );
  });

  it("a plain reply is input exactly while nobody else has spoken", () => {
    fc.assert(
      fc.property(people, speaker, (participants, person) => {
        const others = participants.some((one) => one.person !== person);
        expect(addressMessage(participants, { person, addressed: false }) === "input").toBe(!others);
      }),
    );
  });

  it("whoever is left out is told so once, and nobody else because of it", () => {
    const heard: string[] = [];
    let participants: readonly Participant[] = [];
    for (const person of ["a", "a", "b", "b", "a", "b", "a"]) {
      const known = participants.find((one) => one.person === person);
      const verdict = addressMessage(participants, { person, addressed: false });
      heard.push(verdict);
      const hinted = known?.hinted === true || verdict === "hint";
      participants = [...participants.filter((one) => one.person !== person), { person, hinted }];
    }
    expect(heard).toEqual(["input", "input", "hint", "aside", "hint", "aside", "aside"]);
    expect(isShared(participants)).toBe(true);
  });
});

describe("commands", () => {
  it.each([
    ["stop", "stop", null],
    ["STOP!", "stop", null],
    [" Cancel. ", "stop", null],
    ["/status", "status", null],
    ["RESTRİCT", "restrict", null],
    ["ｈｅｌｐ", "help", null],
    ["repo Acme/API", "repo", { what: "choose", repo: "Acme/API" }],
    ["repo", "repo", null],
    ["mode Architect", "mode", "architect"],
    ["safe-mode off", "safe-mode", "off"],
    ["default-mode", "default-mode", null],
    ["default-mode Triage", "default-mode", "triage"],
    ["language", "language", null],
    ["language JA", "language", "ja"],
    ["language auto", "language", "auto"],
    ["approvers", "approvers", null],
    ["tools", "tools", null],
    ["Tools add Linear", "tools", { what: "add", server: "linear", code: null }],
    ["tools remove linear.", "tools", { what: "remove", server: "linear", code: null }],
    ["tools accept linear 1a2b3c4d", "tools", { what: "accept", server: "linear", code: "1a2b3c4d" }],
    ["knowledge", "knowledge", null],
    [
      "knowledge add issues, <https://Docs.example.com/A|docs>",
      "knowledge",
      { what: "add", entries: ["issues", "https://Docs.example.com/A"] },
    ],
    ["Knowledge refresh", "knowledge", { what: "refresh", entries: [] }],
    ["approvers add @&123456789012345678", "approvers", { add: true, who: "@&123456789012345678" }],
    ["approvers add @U024BE7LH", "approvers", { add: true, who: "@U024BE7LH" }],
    ["/approvers remove <!subteam^S0614TZR7>", "approvers", { add: false, who: "<!subteam^S0614TZR7>" }],
    ["rename", "rename", null],
    ["Rename: The retry Bug, again", "rename", "The retry Bug, again"],
    ["instructions", "instructions", null],
    ["Instructions clear.", "instructions", { text: null }],
    ["instructions: Show!", "instructions", null],
    ["instructions: Be brief.\nCite lines.", "instructions", { text: "Be brief.\nCite lines." }],
    ["/archive.", "archive", null],
    ["delete", "delete", null],
    ["delete 0fa3", "delete", "0fa3"],
  ])("%s", (text, command, asked) => {
    expect(chatCommands.parse(text)).toMatchObject({ order: { command, asked } });
  });

  it.each([
    "stop the server from crashing",
    "status of the build?",
    "repo a b c",
    "rename the variable retries",
    "rename retries",
    "please rename: a to b",
    "delete tests",
    "delete the 0fa3",
    "archive logs",
    "approvers add tests",
    "tools are missing here",
    "tools add tests now",
    "tools accept linear please",
    "knowledge of the cache",
    "knowledge add tests to the docs",
    "approvers add the @bob",
    "default-mode of the build?",
    "language barriers",
    "so",
    "stash",
    "contribute",
    "hello",
    "stops it",
    "mode",
    "",
  ])("%s is no command by accident", (text) => {
    const parsed = chatCommands.parse(text);
    expect(parsed.kind === "message" || text === "mode").toBe(true);
  });

  it.each([
    ["statsu", "status"],
    ["sttop", "stop"],
    ["retyr", "retry"],
    ["contineu", "continue"],
    ["hepl", "help"],
    ["sstatus", "status"],
    ["delte", "delete"],
  ])("%s is asked back as %s", (typed, meant) => {
    expect(chatCommands.parse(typed)).toEqual({ kind: "near", typed, meant });
  });

  it("three words and more are always a message", () => {
    const word = fc.constantFrom("stop", "repo", "help", "a", "b/c", "safe-mode");
    fc.assert(
      fc.property(fc.array(word, { minLength: 3, maxLength: 6 }), (words) => {
        expect(chatCommands.parse(words.join(" "))).toEqual({ kind: "message" });
        expect(chatCommands.stops(words.join(" "))).toBe(false);
      }),
    );
  });
});

const policy = (listed: readonly string[] | undefined, twoPerson: Policy["twoPerson"] = "off"): Policy => ({
  surface: "slack",
  approvers: approversOf("slack", listed),
  twoPerson,
  drivers: "members",
});

describe("who may (D1, D2)", () => {
  const alice: Person = { id: "U1", name: "alice", standing: "member", admin: false, groups: [] };
  const admin: Person = { ...alice, id: "U2", admin: true };

  it("unset: admins approve, members drive", () => {
    expect(rightsOf(policy(undefined), alice)).toEqual({
      mayDrive: true,
      mayApprove: false,
      mayBind: false,
      mayManage: false,
    });
    expect(rightsOf(policy(undefined), admin)).toMatchObject({ mayApprove: true, mayBind: true });
  });

  it("a list stands for itself: admins that it leaves out do not approve, and still choose repositories", () => {
    const listed = policy(["slack:U1", "discord:42"]);
    expect(rightsOf(listed, alice)).toMatchObject({ mayApprove: true, mayBind: true });
    expect(rightsOf(listed, admin)).toMatchObject({ mayApprove: false, mayBind: true });
    expect(rightsOf(policy(["console:operator"]), admin)).toMatchObject({ mayApprove: false });
  });

  it("groups count by id; slack:members widens approving alone", () => {
    const group = policy(["slack:group:S1"]);
    expect(rightsOf(group, { ...alice, groups: ["S1"] }).mayApprove).toBe(true);
    expect(rightsOf(group, { ...alice, name: "S1" }).mayApprove).toBe(false);
    expect(rightsOf(policy(["slack:members"]), alice)).toMatchObject({ mayApprove: true, mayBind: false });
  });

  it("guests, external people, bots and people who left may nothing, whoever is listed", () => {
    const standings = fc.constantFrom("guest", "external", "bot", "deactivated");
    const lists = fc.subarray(["slack:U1", "slack:members", "slack:admins", "slack:group:S1"]);
    fc.assert(
      fc.property(standings, lists, fc.boolean(), (standing, listed, isAdmin) => {
        const person: Person = { ...alice, standing, admin: isAdmin, groups: ["S1"] };
        expect(Object.values(rightsOf(policy(listed), person))).not.toContain(true);
      }),
    );
  });

  it("whom a channel names approves there, and manages nothing", () => {
    const named = { ...policy(undefined), also: [approverOf("U1"), approverOf("group:S9")] };
    expect(rightsOf(named, alice)).toMatchObject({ mayApprove: true, mayManage: false, mayBind: false });
    expect(rightsOf(named, { ...alice, id: "U3", groups: ["S9"] })).toMatchObject({ mayApprove: true });
    expect(rightsOf(named, { ...alice, id: "U3" })).toMatchObject({ mayApprove: false });
    expect(rightsOf(named, { ...alice, standing: "guest" })).toMatchObject({ mayApprove: false });
    expect(rightsOf(named, admin)).toMatchObject({ mayApprove: true, mayManage: true });
    expect(groupsOf(named)).toEqual(["S9"]);
  });

  it("two persons: whose turn asked may not decide, but in direct messages", () => {
    const asked = ["slack:U1"] as const;
    expect(isOwnRequest(policy(undefined, "on"), "slack:U1", asked, false)).toBe(true);
    expect(isOwnRequest(policy(undefined, "on"), "slack:U2", asked, false)).toBe(false);
    expect(isOwnRequest(policy(undefined, "on"), "slack:U1", asked, true)).toBe(false);
    expect(isOwnRequest(policy(undefined, "everywhere"), "slack:U1", asked, true)).toBe(true);
    expect(isOwnRequest(policy(undefined, "everywhere"), "slack:U2", asked, true)).toBe(false);
    expect(isOwnRequest(policy(undefined, "off"), "slack:U1", asked, false)).toBe(false);
  });
});

describe("which repositories", () => {
  const repos = createRepos(["acme/api", "acme-labs/*", "git.example.org/team/*", "/srv/git/app"]);

  it.each([
    ["acme/api", "https://github.com/acme/api.git", "acme/api"],
    ["https://github.com/Acme/API.git", "https://github.com/Acme/API.git", "Acme/API"],
    ["acme-labs/x", "https://github.com/acme-labs/x.git", "acme-labs/x"],
    ["git.example.org/team/tool", "https://git.example.org/team/tool.git", "git.example.org/team/tool"],
    ["/srv/git/app/", "/srv/git/app", "/srv/git/app"],
  ])("%s may be bound", (typed, location, name) => {
    expect(repos.resolve(typed)).toMatchObject({ kind: "repo", repo: { location }, name });
  });

  it.each([
    "acme/other",
    "acme-labs/x/y",
    "acme-labs/*",
    "https://user:token@github.com/acme/api",
    "git@github.com:acme/api",
    "http://github.com/acme/api",
    "acme/..",
    "acme-labs/-x",
    "/srv/git",
    "/srv/git/app/../secret",
    "file:///srv/git/app",
    "",
  ])("%s may not", (typed) => {
    expect(repos.resolve(typed).kind).toBe("refused");
  });

  it.each([
    ["acme/api@v2.1", "https://github.com/acme/api.git", "v2.1"],
    ["acme-labs/x@release/2.x", "https://github.com/acme-labs/x.git", "release/2.x"],
    ["https://git.example.org/team/tool.git@v1", "https://git.example.org/team/tool.git", "v1"],
    ["/srv/git/app@main", "/srv/git/app", "main"],
  ])("%s binds a branch or tag, and is named with it", (typed, location, ref) => {
    const found = repos.resolve(typed);
    expect(found).toMatchObject({ kind: "repo", repo: { location, ref } });
    if (found.kind === "repo") expect(repos.resolve(repos.nameOf(found.repo) ?? "")).toEqual(found);
  });

  it.each([
    "acme/api@",
    "acme/api@-x",
    "acme/api@a..b",
    "acme/api@a b",
    "acme/api@x.lock",
    "acme/api@{0}",
    "acme/api@a@b",
    "other/x@v1",
    "/srv/git@v1",
    "user@acme/api@v1",
  ])("%s binds nothing", (typed) => {
    expect(repos.resolve(typed).kind).toBe("refused");
  });

  it("what it names it resolves, and offers what is exact or in use", () => {
    const used = { kind: "url", location: "https://github.com/acme-labs/x.git" } as const;
    const foreign = { kind: "url", location: "https://github.com/other/x.git" } as const;
    const choices = repos.choices([used, foreign]);
    expect(choices).toEqual(["/srv/git/app", "acme-labs/x", "acme/api"]);
    for (const name of choices) expect(repos.resolve(name)).toMatchObject({ kind: "repo", name });
  });

  it("entries that name nothing are told", () => {
    expect(["acme/api", "acme/*", "h.org/a/b/c", "/x"].map(entryProblem)).toEqual([null, null, null, null]);
    expect(["acme", "*", "a b/c", "u@h/x/y"].map(entryProblem)).not.toContain(null);
  });
});

const NOON = Date.UTC(2026, 10, 2, 12);

describe("the status of a conversation", () => {
  it("says how many of its sub-agents are done", () => {
    const conversation = conversationOf("c-1");
    const waiting = statusText(
      { conversation, state: inPhase(phases.awaitingAgents) },
      null,
      [],
      null,
      english,
    );
    expect(waiting).toContain("Waiting for sub-agents. 1 of 2 are done.");
    expect(statusText({ conversation, state: inPhase(phases.running) }, null, [], null, english)).toContain(
      "Running a tool.",
    );
  });

  it.each([
    [{ kind: "missing", name: "0a1b2c3d" }, "not prepared; the next new thread runs the setup."],
    [{ kind: "running", name: "0a1b2c3d", since: null }, "waits for other setups to end."],
    [{ kind: "running", name: "0a1b2c3d", since: NOON }, "runs since 12:00 UTC."],
    [
      { kind: "prepared", name: "0a1b2c3d", commit: "0123456789abcdef", at: NOON, seconds: 41 },
      "prepared at 012345678 on 2026-11-02, 12:00 UTC, in 41 s.",
    ],
    [
      {
        kind: "failed",
        name: "0a1b2c3d",
        at: NOON,
        failure: { why: "it ended with status 1.", log: "prepared/r/k.log" },
      },
      "failed at 12:00 UTC: it ended with status 1. Log: prepared/r/k.log",
    ],
  ] as const)("says how the set-up of its commit stands: %o", (setUp, said) => {
    const overview = { conversation: conversationOf("c-1"), state: inPhase(phases.running) };
    expect(statusText(overview, null, [], setUp, english)).toContain(
      `Setup 0a1b2c3d (.parley/setup.sh): ${said}`,
    );
    expect(statusText(overview, null, [], null, english)).not.toContain("Setup");
  });
});
