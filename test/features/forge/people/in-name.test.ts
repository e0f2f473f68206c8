/** In whose name a write appears: the approver's who clicked, else the requester's, else the operator's credential's. */

import { describe, expect, it } from "vitest";
import { commentOnIssue, fileIssue } from "../../../../src/features/forge/tools/issue-writes.ts";
import { createForgeWriting } from "../../../../src/features/forge/tools/writes.ts";
import type { PersonId } from "../../../../src/machine/id.ts";
import type { ApprovedWrite, ToolRun, WrittenResult } from "../../../../src/ports/tools.ts";
import { writesOf } from "../../../../src/tools/writing.ts";
import {
  forgesOf,
  HUBOT,
  OCTOCAT,
  onFakeGitHub,
  onFakeGitLab,
  type PeopleHost,
  peopleScene,
  type PeopleScene,
} from "./world.ts";
import { conversation } from "../../../workspace/scene.ts";
import { repo, signal } from "../world.ts";

const BOB: PersonId = "slack:U1";
const ALICE: PersonId = "slack:U2";
const IN_NAME = "in the name of the approver if connected, otherwise of";

const callOf = (name: string, input: unknown): ToolRun => ({
  conversation: { ...conversation("c-1", repo, null), surface: "slack" },
  base: { commit: "0".repeat(40), ref: "main", cwd: "/work" },
  name,
  input,
  permission: "restricted",
  grants: [],
  safeMode: true,
  asker: BOB,
});

const ISSUE = callOf("file_issue", { title: "Retries are lost", body: "They are." });
const COMMENT = callOf("comment_on_issue", { number: 1, body: "Seen here too." });

const writesWith = (scene: PeopleScene, { names }: PeopleHost) => {
  const writing = createForgeWriting(forgesOf(scene), (text) => text, names);
  return writesOf([writing(fileIssue), writing(commentOnIssue)], { error: () => undefined });
};

let errands = 0;
const written = async (
  scene: PeopleScene,
  host: PeopleHost,
  call: ToolRun,
  again = false,
): Promise<WrittenResult> => {
  const writes = writesWith(scene, host);
  const proposed = await writes.propose(call, { signal });
  if (proposed.kind !== "proposal") throw new Error(JSON.stringify(proposed));
  const { write, fingerprint } = proposed;
  const errand: ApprovedWrite = {
    approved: { write, by: { id: ALICE, name: "alice" }, at: scene.clock.now(), fingerprint },
    asker: { id: BOB, name: "bob" },
    key: `${(errands += 1)}`.padEnd(64, "k"),
    since: scene.clock.now(),
    again,
    interrupted: again,
  };
  return writes.write(call, errand, { signal });
};

const shownName = async (scene: PeopleScene, host: PeopleHost): Promise<string | undefined> => {
  const proposed = await writesWith(scene, host).propose(ISSUE, { signal });
  if (proposed.kind !== "proposal") throw new Error(JSON.stringify(proposed));
  return proposed.proposal.facts.find(({ name }) => name === IN_NAME)?.value;
};

const newest = (scene: PeopleScene): string | undefined => scene.fake.authors().at(-1);

describe.each([
  { name: "GitHub", onFake: onFakeGitHub, app: "parley-app" },
  { name: "GitLab", onFake: onFakeGitLab, app: "parley-bot" },
])("$name", ({ onFake, app }) => {
  it("nobody is connected: the operator's credential writes, and the card says so", async () => {
    const scene = await peopleScene(onFake);
    const host = scene.host();
    expect(await shownName(scene, host)).toBe("Parley");
    expect((await written(scene, host, ISSUE)).wrote).toMatchObject({ kind: "done" });
    expect(newest(scene)).toBe(app);
  });

  it("the requester is connected, or both are: the approver's name comes first", async () => {
    const scene = await peopleScene(onFake);
    const host = scene.host();
    await host.connect(BOB);
    expect(await shownName(scene, host)).toBe("octocat");
    await written(scene, host, ISSUE);
    expect(newest(scene)).toBe("octocat");
    await host.connect(ALICE, HUBOT);
    await written(scene, host, callOf("file_issue", { title: "Receipts print twice", body: "Yes." }));
    expect(newest(scene)).toBe("hubot");
    await written(scene, host, COMMENT);
    expect(scene.fake.authors()).toContain("hubot");
    await host.own.disconnect(ALICE, host.own.clients);
    await written(scene, host, callOf("file_issue", { title: "A third one", body: "Yes." }));
    expect(newest(scene)).toBe("octocat");
  });

  it("a revoked connection: the write falls back once, and the person is asked privately to connect again", async () => {
    const scene = await peopleScene(onFake);
    const host = scene.host();
    await host.connect(BOB);
    await host.connect(ALICE, HUBOT);
    scene.fake.signIn.revoke("hubot");
    const before = scene.told.length;
    expect((await written(scene, host, ISSUE)).wrote).toMatchObject({ kind: "done" });
    expect(scene.fake.authors()).toEqual(["ana", "octocat"]);
    expect(scene.told.slice(before)).toEqual([
      {
        person: "U2",
        text: expect.stringMatching(/no longer accepts your connection.*`\/parley connect git/),
      },
    ]);
    scene.fake.signIn.revoke("octocat");
    await written(scene, host, callOf("file_issue", { title: "Receipts print twice", body: "Yes." }));
    expect(newest(scene)).toBe(app);
    expect(scene.told.at(-1)?.person).toBe("U1");
    // The people are asked once.
    const told = scene.told.length;
    await written(scene, host, callOf("file_issue", { title: "A third one", body: "Yes." }));
    expect(scene.told).toHaveLength(told);
  });

  it("a lost answer in a person's name leaves one issue", async () => {
    const scene = await peopleScene(onFake);
    const host = scene.host();
    await host.connect(BOB);
    scene.fake.lose(scene.fake.kind === "github" ? "issues/create" : "new issue");
    expect((await written(scene, host, ISSUE)).wrote).toMatchObject({ kind: "done" });
    expect(scene.fake.authors()).toEqual(["ana", "octocat"]);
  });

  it("a connection that the forge does not renew: nothing is written, unless an earlier try has written", async () => {
    const scene = await peopleScene(onFake);
    const host = scene.host();
    await host.connect(ALICE, HUBOT);
    scene.clock.advance(scene.fake.signIn.lasts.access * 1_000);
    for (const [again, kind] of [
      [false, "failed"],
      [true, "unknown"],
    ] as const) {
      scene.fake.break("sign-in/token");
      expect((await written(scene, host, ISSUE, again)).wrote.kind).toBe(kind);
    }
    expect(scene.fake.authors()).toEqual(["ana"]);
  });

  it("the requester is the author of commits, if connected", async () => {
    const scene = await peopleScene(onFake);
    const host = scene.host();
    const located = forgesOf(scene).at(repo);
    if (located.kind === "none") throw new Error(located.why);
    const errand = { asker: { id: BOB, name: "bob" } };
    expect(host.names.authorFor(located.project, errand)).toBeNull();
    await host.connect(BOB);
    const author = host.names.authorFor(located.project, errand);
    expect(author?.name).toBe(OCTOCAT.name);
    expect(author?.email).toMatch(/^583231\+octocat@users\.noreply\.127\.0\.0\.1$|^mona@noreply\.example$/);
  });
});
