/**
 * 9, item 1: no credential, of whichever kind, is in a post, log, `.git/config`, argument list, error text, trace or
 * environment of the sandbox: where cloning, fetching and pushing work, where they fail, and where the forge quotes it.
 */

import { expect, test } from "vitest";
import { call, say } from "../fakes/anthropic/turn.ts";
import { hasSsh } from "../fakes/ssh/has-ssh.ts";
import { type Canaries, createCanaries, good, type Kind, KINDS } from "./canaries.ts";
import type { Thread } from "./rig.ts";

if (!hasSsh) console.log("skipped: canaries of a deploy key: there is no ssh on this machine");

const REFUSED = /was refused: it has expired/;
const NOT_GIVEN = /does not open it: the operator can check/;
const AWAY = /could not be reached/;
const OVER_HTTPS: readonly (readonly [string, RegExp])[] = [
  ["quote-401", REFUSED],
  ["quote-403", NOT_GIVEN],
  ["quote-404", NOT_GIVEN],
  ["quote-502", AWAY],
  ["quote-moved", /has moved: bind the channel/],
  ["quote-type", /git|reached/],
  ["quote-first-line", /git failed on .*: .*you sent x{8}/],
  ["quote-sideband", /git failed|damaged/],
];

const fails = async (made: Canaries, location: string, wanted: RegExp): Promise<Thread> => {
  const thread = await made.rig.begin(location);
  const said = await thread.turn("what is here?");
  expect(said.phase, location).toBe("failed");
  expect(said.posts.at(-1)?.markdown, location).toMatch(wanted);
  return thread;
};

type Failing = readonly (readonly [location: string, wanted: RegExp])[];

const failing = (made: Canaries, kind: Kind): Failing => {
  const away = [made.spoiled(kind, "away"), AWAY] as const;
  const overHttps: Failing = OVER_HTTPS.map(([name, wanted]) => [made.at(kind, name), wanted]);
  switch (kind) {
    case "github-app":
      return [away, [made.at(kind, "quote-api"), REFUSED], ...overHttps];
    case "gitlab-token":
      return [away, ...overHttps];
    case "github-token":
      // Behind the door it goes the way of the app's.
      return [away, [made.at(kind, "quote-401"), REFUSED]];
    case "deploy-key":
      return [
        away,
        [made.at(kind, "gone"), NOT_GIVEN],
        [made.spoiled(kind, "other-key"), REFUSED],
        [made.spoiled(kind, "stranger"), /could not prove who it is/],
      ];
  }
};

test("a credential of any kind is nowhere but where it was put", async () => {
  const made = await createCanaries();
  const kinds = KINDS.filter((kind) => hasSsh || kind !== "deploy-key");
  const threads: Thread[] = [];
  for (const kind of kinds) threads.push(await good(made, kind));
  await made.search(threads);
  // The next process has no mirror that it knows to be fresh.
  await made.rig.crash();
  for (const kind of kinds) {
    const head = await made.push(kind);
    made.rig.fake.script(call("bash", { command: "git rev-parse HEAD" }), say("There."));
    const thread = await made.rig.begin(made.at(kind));
    expect(JSON.stringify((await thread.turn("what is new?")).posts)).toContain(head);
    threads.push(thread);
  }
  const all = kinds.flatMap((kind) => failing(made, kind));
  threads.push(...(await Promise.all(all.map(([location, wanted]) => fails(made, location, wanted)))));
  await made.search(threads);
  expect(made.processes.filter((running) => /git fetch|git ls-remote|ssh -F none/.test(running))).not.toEqual(
    [],
  );
});
