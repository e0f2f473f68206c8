/** What doctor says of repositories and the network: tried in the real sandbox. */

import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Sandbox } from "../../../../sandbox/types.ts";
import { networkFindings } from "../../../../src/app/cli/doctor/network-findings.ts";
import { repositoryFindings } from "../../../../src/app/cli/doctor/repository-findings.ts";
import { createLog } from "../../../../src/app/log.ts";
import { systemClock } from "../../../../src/app/system-clock.ts";
import type { Repo } from "../../../../src/ports/conversation.ts";
import { NO_FORGE } from "../../../../src/ports/forge-access.ts";
import { reachRepository } from "../../../../src/app/cli/doctor/reachability.ts";
import { sampleRepo } from "../../../sample-repo.ts";
import { scratch } from "../../../scratch.ts";
import { startSandbox } from "../../../workspace/scene.ts";
import { configOf, linesOf } from "./findings.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

describe("repositories", () => {
  it("on this machine are there and are repositories, or it is said which is not", async () => {
    const good = await sampleRepo("# here\n");
    const folder = scratch("doctor-no-repo");
    const config = configOf({ PARLEY_REPOS: `${good},${folder},/nonexistent/repo,acme/*` });
    const deps = { sandbox, ...NO_FORGE, clock: systemClock, log: createLog("silent", []), slot: 0 };
    const look = (repo: Repo, signal: AbortSignal) => reachRepository(deps, repo, signal);
    const all = await linesOf(repositoryFindings(config, "/", { look, forge: NO_FORGE }));
    const lines = all.filter((line) => !line.includes("the console has no default repository"));
    expect(lines.toSorted()).toEqual(
      [
        "error repository: /nonexistent/repo does not exist -> Correct PARLEY_REPO or PARLEY_REPOS.",
        `error repository: ${folder} is not a git repository. -> Correct PARLEY_REPO or PARLEY_REPOS.`,
        `ok repository: ${good} can be read (1 branch)`,
        "ok repository: any of acme/*; each is tried when it is chosen for a channel",
      ].toSorted(),
    );
  });
});

describe("repositories that do not answer", () => {
  it("take their time together, and the rest is named as not tried", async () => {
    const ending = new AbortController();
    const look = () => {
      ending.abort();
      return Promise.resolve({ kind: "unreadable", why: "It did not answer in time." } as const);
    };
    const config = configOf({ PARLEY_REPO: "https://forge.example/a/a", PARLEY_REPOS: "a/b,a/c" });
    const lines = await linesOf(
      repositoryFindings(config, "/nonexistent", { look, forge: NO_FORGE, ending: ending.signal }),
    );
    expect(lines).toEqual([
      expect.stringContaining("error repository: It did not answer in time."),
      expect.stringMatching(/^warning repository: 2 more were not tried, because .* -> Run the doctor again/),
    ]);
  });
});

const listening = async (): Promise<string> => {
  const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
};

describe("the network of commands", () => {
  it("reaches what is allowed and is refused the rest, both tried from inside", async () => {
    const open = await listening();
    expect(await linesOf(networkFindings(sandbox, [open]))).toEqual([
      `ok network: a command reached ${open}, which is allowed`,
      "ok network: the proxy refused 169.254.169.254:80 (cloud metadata), and a command could not bypass the proxy",
    ]);
  });

  it("is an error where it is the other way round", async () => {
    const open = await listening();
    expect(await linesOf(networkFindings(sandbox, ["10.99.0.1"], open))).toEqual([
      "error network: the proxy refused 10.99.0.1:443, which is allowed -> Correct PARLEY_EGRESS.",
      expect.stringMatching(
        /^error network: 127\.0\.0\.1:\d+ \(cloud metadata\) was not refused \(the proxy answered 200\) -> Set PARLEY_EGRESS=none/,
      ),
    ]);
    expect((await linesOf(networkFindings(sandbox, ["127.0.0.1:9"])))[0]).toMatch(
      /^warning network: 127\.0\.0\.1:9 is allowed but does not answer -> Check the network and DNS/,
    );
  });
});
