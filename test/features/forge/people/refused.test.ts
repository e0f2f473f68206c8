/**
 * The forge does not let a connected person write. The card says so beforehand. After the push the pull request is opened
 * once, in the next name, and one sentence names the reason.
 */

import { describe, expect, it } from "vitest";
import type { PersonId } from "../../../../src/machine/id.ts";
import type { MergedPull } from "../../../../src/ports/draft-pulls.ts";
import type { ForgeResult } from "../../../../src/ports/forge.ts";
import type { ApprovedWrite, ToolRun } from "../../../../src/ports/tools.ts";
import { conversation } from "../../../workspace/scene.ts";
import { repo, signal } from "../world.ts";
import {
  BRANCH,
  forgesOf,
  HUBOT,
  onFakeGitHub,
  onFakeGitLab,
  type PeopleHost,
  peopleScene,
  type PeopleScene,
} from "./world.ts";

const BOB: PersonId = "slack:U1";
const ALICE: PersonId = "slack:U2";
const RUN: ToolRun = {
  conversation: { ...conversation("c-1", repo, null), surface: "slack" },
  base: { commit: "0".repeat(40), ref: "main", cwd: "/work" },
  name: "open_pull_request",
  input: {},
  permission: "restricted",
  grants: [],
  safeMode: true,
  asker: BOB,
};
const DRAFT = { title: "Send at all", text: "ATTEMPTS was 0.", base: "main", branch: BRANCH };

const pushedScene: typeof peopleScene = async (...given) => {
  const scene = await peopleScene(...given);
  scene.fake.push();
  return scene;
};

const projectOf = (scene: PeopleScene) => {
  const located = forgesOf(scene).at(repo);
  if (located.kind === "none" || located.project.desk === null) throw new Error("no project");
  return { ...located.project, desk: located.project.desk };
};

/** The part of the write that follows the push; a test may end the process after it. */
const opened = (scene: PeopleScene, host: PeopleHost, again = false): Promise<ForgeResult<MergedPull>> => {
  const project = projectOf(scene);
  const at = scene.clock.now();
  const errand: ApprovedWrite = {
    approved: { write: "open_pull_request", by: { id: ALICE, name: "alice" }, at, fingerprint: "f" },
    asker: { id: BOB, name: "bob" },
    key: "k".repeat(64),
    since: at,
    again,
    interrupted: again,
  };
  const mark = { key: errand.key.slice(0, 32), since: at, again };
  return host.names.deskFor(project, project.desk, RUN, errand).openPull(DRAFT, mark, signal);
};

const named = async (scene: PeopleScene, host: PeopleHost, write: "open_pull_request" | "file_issue") =>
  (await host.names.fact(projectOf(scene), RUN, write, signal))?.value;

const NOT_LET = (account: string, name: string) =>
  expect.stringMatching(
    new RegExp(`did not let ${account} write here\\. The write appears in the name of ${name}\\.$`),
  );

describe.each([
  { name: "GitHub", onFake: onFakeGitHub, app: "parley-app" },
  { name: "GitLab", onFake: onFakeGitLab, app: "parley-bot" },
])("$name", ({ onFake, app }) => {
  it("the card names the person who may open it, and says beforehand who may not", async () => {
    const scene = await peopleScene(onFake);
    const host = scene.host();
    expect(await named(scene, host, "open_pull_request")).toBe("Parley");
    await host.connect(BOB);
    expect(await named(scene, host, "open_pull_request")).toBe("octocat");
    scene.fake.lessen("octocat", "reader");
    const unable = expect.stringMatching(/^Parley, because octocat may not write to \S*acme\/shop$/);
    expect(await named(scene, host, "open_pull_request")).toEqual(unable);
    // Readers may file issues.
    expect(await named(scene, host, "file_issue")).toBe("octocat");
    scene.fake.lessen("octocat", "stranger");
    expect(await named(scene, host, "file_issue")).toEqual(unable);
    scene.fake.lessen("octocat", null);
    expect(await named(scene, host, "open_pull_request")).toBe("octocat");
    scene.fake.signIn.revoke("octocat");
    expect(await named(scene, host, "open_pull_request")).toEqual(unable);
    expect(scene.told.at(-1)).toEqual({ person: "U1", text: expect.stringContaining("Connect again") });
  });

  it.each(["reader", "stranger"] as const)(
    "after the push, a %s's pull request is opened in the app's name, with the reason",
    async (lesser) => {
      const scene = await pushedScene(onFake);
      const host = scene.host();
      await host.connect(BOB);
      scene.fake.lessen("octocat", lesser);
      expect(await opened(scene, host)).toMatchObject({ kind: "found" });
      expect(scene.fake.pullAuthors()).toEqual([app]);
      expect(scene.lines).toEqual([
        {
          id: expect.any(String),
          text: NOT_LET("octocat", "Parley"),
          words: expect.stringMatching(/may not push to|that the account octocat may/),
        },
      ]);
    },
  );

  it("who may is not passed over: the pull request is the person's, and nothing is said", async () => {
    const scene = await pushedScene(onFake);
    const host = scene.host();
    await host.connect(BOB);
    expect(await opened(scene, host)).toMatchObject({ kind: "found" });
    expect(scene.fake.pullAuthors()).toEqual(["octocat"]);
    expect(scene.lines).toEqual([]);
  });

  it("an approver who may not is followed by the requester who may", async () => {
    const scene = await pushedScene(onFake);
    const host = scene.host();
    await host.connect(BOB);
    await host.connect(ALICE, HUBOT);
    scene.fake.lessen("hubot", "reader");
    await opened(scene, host);
    expect(scene.fake.pullAuthors()).toEqual(["octocat"]);
    expect(scene.lines.map(({ text }) => text)).toEqual([NOT_LET("hubot", "octocat")]);
  });

  it("a connection that was revoked between push and pull request: the app opens it, and the thread says why", async () => {
    const scene = await pushedScene(onFake);
    const host = scene.host();
    await host.connect(BOB);
    scene.fake.signIn.revoke("octocat");
    expect(await opened(scene, host)).toMatchObject({ kind: "found" });
    expect(scene.fake.pullAuthors()).toEqual([app]);
    expect(scene.lines).toMatchObject([
      { text: NOT_LET("octocat", "Parley"), words: expect.stringContaining("the connection of octocat") },
    ]);
  });

  it("the process ended after the refusal: the next one finds the pull request and says the same once", async () => {
    const scene = await pushedScene(onFake);
    const host = scene.host();
    await host.connect(BOB);
    scene.fake.lessen("octocat", "reader");
    const first = await opened(scene, host);
    expect(await opened(scene, scene.host(), true)).toEqual(first);
    expect(scene.fake.pullAuthors()).toEqual([app]);
    expect(scene.lines).toHaveLength(1);
  });

  it("the process ended after the person's pull request, and the right ended too: there is still one", async () => {
    const scene = await pushedScene(onFake);
    const host = scene.host();
    await host.connect(BOB);
    const first = await opened(scene, host);
    scene.fake.signIn.revoke("octocat");
    expect(await opened(scene, scene.host(), true)).toEqual(first);
    expect(scene.fake.pullAuthors()).toEqual(["octocat"]);
  });

  it("a limit of the forge is no missing right: nothing is written in another name, and later in the person's", async () => {
    const scene = await pushedScene(onFake);
    const host = scene.host();
    await host.connect(BOB);
    scene.fake.limit(scene.fake.kind === "github" ? "pulls/create" : "new merge request");
    expect(await opened(scene, host)).toMatchObject({
      kind: "trouble",
      why: expect.stringContaining("limits how often"),
    });
    expect(scene.fake.pullAuthors()).toEqual([]);
    expect(await opened(scene, host)).toMatchObject({ kind: "found" });
    expect(scene.fake.pullAuthors()).toEqual(["octocat"]);
    expect(scene.lines).toEqual([]);
  });

  it("a lost answer in the person's name, then a lost right: the app finds it", async () => {
    const scene = await pushedScene(onFake);
    const host = scene.host();
    await host.connect(BOB);
    scene.fake.lose(scene.fake.kind === "github" ? "pulls/create" : "new merge request");
    expect(await opened(scene, host)).toMatchObject({ kind: "found" });
    expect(scene.fake.pullAuthors()).toEqual(["octocat"]);
  });
});

it("an organization that wants a sign-on first is a reason, in the forge's own words", async () => {
  const scene = await pushedScene(onFakeGitHub);
  const host = scene.host();
  await host.connect(BOB);
  scene.fake.lessen("octocat", "sso");
  expect(await named(scene, host, "open_pull_request")).toMatch(/^Parley, because octocat/);
  expect(await opened(scene, host)).toMatchObject({ kind: "found" });
  expect(scene.fake.pullAuthors()).toEqual(["parley-app"]);
  expect(scene.lines[0]?.words).toContain("SAML enforcement");
});
