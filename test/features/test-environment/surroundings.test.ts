/** What the tests that the host runs for a card get: declared at the base commit, in the real sandbox, and gone afterwards. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Sandbox } from "../../../sandbox/types.ts";
import type { DeclaredTests } from "../../../src/features/test-environment/declared-rows.ts";
import { servicesFor } from "../../../src/features/test-environment/services.ts";
import { createTestSurroundings } from "../../../src/features/test-environment/surroundings.ts";
import type { ConversationId } from "../../../src/machine/id.ts";
import { DONE } from "../../../src/ports/host.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import type { DraftTest } from "../../../src/thread/draft.ts";
import { MOST_WAIT } from "../../patience.ts";
import { scratch } from "../../scratch.ts";
import { commit, createScene, type Scene, startSandbox } from "../../workspace/scene.ts";

const { signal } = new AbortController();
const CANARY = "canary-8f3a-do-not-print";
const OTHER = "other-canary-77aa-never";

const declaredNames = new Map<string, Pick<DeclaredTests, "secrets" | "services">>();
const stored = new Map<string, Readonly<Record<string, string>>>();
const surroundings = createTestSurroundings({
  secrets: {
    open: (repo, names) =>
      Object.fromEntries(Object.entries(stored.get(repo) ?? {}).filter(([name]) => names.includes(name))),
  },
  declared: {
    keep: ({ repo, ...names }) => {
      declaredNames.set(repo, names);
      return Promise.resolve(DONE);
    },
  },
  log: silentLog,
});

let sandbox: Sandbox;
let scene: Scene;
beforeAll(async () => {
  sandbox = await startSandbox();
  scene = await createScene(sandbox, { tests: surroundings });
});
afterAll(async () => {
  await sandbox.close();
  await scene[Symbol.asyncDispose]();
});

interface Tried {
  /** `.parley/tests.json` of the base commit; null if there is none. */
  readonly declared: unknown;
  readonly command: string;
  /** What the draft changes. */
  readonly script?: string;
  readonly secrets?: Readonly<Record<string, string>>;
}

let count = 0;
const tested = async ({ declared, command, script, secrets = {} }: Tried): Promise<DraftTest> => {
  const no = (count += 1);
  const repo = await scene.repository(`repo${no}`);
  stored.set(repo, secrets);
  const text = typeof declared === "string" ? declared : JSON.stringify(declared);
  await commit(repo, { "a.txt": "one\n", ...(declared === null ? {} : { ".parley/tests.json": text }) });
  return sealedTest(`c-tested${no}`, repo, command, script);
};

const sealedTest = async (
  id: ConversationId,
  repo: string,
  command: string,
  script = "echo changed > a.txt",
): Promise<DraftTest> => {
  await scene.base(id, repo);
  const { drafts } = scene.workspaces;
  await drafts.open(id, signal);
  await scene.shell(id, "draft", script);
  const sealed = await drafts.seal(id, { title: "A change", testCommand: command }, signal);
  if (sealed.kind !== "sealed" || sealed.result.test === null) throw new Error(JSON.stringify(sealed));
  return sealed.result.test;
};

const PRINT = 'printf "%s" "${#API_KEY}:$API_KEY:"';
const DECLARED = { commands: [PRINT], secrets: ["API_KEY"] };
const secrets = { API_KEY: CANARY };

describe("a secret", () => {
  it("reaches a command that the base commit declares, and never the card", async () => {
    const { status, tail } = await tested({ declared: DECLARED, command: PRINT, secrets });
    expect(status).toBe(0);
    expect(tail).toBe(`${CANARY.length}:***:`);
  });

  it("reaches no other command, such as one that the model chose", async () => {
    const { tail } = await tested({ declared: DECLARED, command: `${PRINT};`, secrets });
    expect(tail).toBe("0::\nWithout secrets: .parley/tests.json does not list this command.");
  });

  it("is masked in the usual encodings too", async () => {
    const command =
      "printf '%s' \"$API_KEY\" | base64; printf '%s' \"$API_KEY\" | od -An -v -tx1 | tr -d ' \\n'";
    const { tail } = await tested({ declared: { ...DECLARED, commands: [command] }, command, secrets });
    expect(tail).toBe("***\n***");
  });

  it("is not given to what the draft declares: a draft cannot widen the declaration", async () => {
    const wider = JSON.stringify({ commands: ["env"], secrets: ["API_KEY", "OTHER_KEY"] });
    const script = `mkdir -p .parley && cat > .parley/tests.json <<'E'\n${wider}\nE`;
    const both = { API_KEY: CANARY, OTHER_KEY: OTHER };
    for (const declared of [null, { commands: ["env"], secrets: ["API_KEY"] }]) {
      const { tail } = await tested({ declared, command: "env", script, secrets: both });
      expect(tail).not.toContain("OTHER_KEY");
      expect(tail.includes("API_KEY=***")).toBe(declared !== null);
    }
  });

  it("of another repository is not given", async () => {
    const { tail } = await tested({ declared: DECLARED, command: PRINT });
    expect(tail).toBe("0::\nNot set: API_KEY. An approver sets a secret with /parley secrets set NAME.");
  });

  it("does not reach the model's own commands in the draft", async () => {
    const repo = await scene.repository("own");
    stored.set(repo, secrets);
    await commit(repo, { "a.txt": "one\n", ".parley/tests.json": JSON.stringify(DECLARED) });
    await scene.base("c-own", repo);
    await scene.workspaces.drafts.open("c-own", signal);
    expect((await scene.shell("c-own", "draft", PRINT)).text).toBe("0::");
  });

  it("has no network in its test", async () => {
    const command = "curl -s -m 5 http://example.com || echo blocked";
    const declared = { commands: [command], secrets: ["API_KEY"] };
    expect((await tested({ declared, command, secrets })).tail).toBe("blocked");
  });
});

describe("a declaration", () => {
  it("is remembered by its names at each test", async () => {
    const repo = await scene.repository("remembered");
    await commit(repo, { "a.txt": "one\n", ".parley/tests.json": JSON.stringify({ secrets: ["API_KEY"] }) });
    await sealedTest("c-remembered", repo, "true");
    expect(declaredNames.get(repo)).toMatchObject({ secrets: ["API_KEY"], services: [] });
    await commit(repo, { ".parley/tests.json": "{}" });
    scene.clock.advance(61_000);
    await sealedTest("c-remembered2", repo, "true");
    expect(declaredNames.get(repo)).toMatchObject({ secrets: [], services: [] });
  });

  it("that is absent changes nothing", async () => {
    expect(await tested({ declared: null, command: "echo ran" })).toMatchObject({ status: 0, tail: "ran" });
  });

  it("that is not usable stops the test with a reason, and repeats no text of the file", async () => {
    const bad = ["{", { services: ["mongodb"] }, { secrets: ["PATH"] }, { more: 1 }, "x".repeat(20_000)];
    for (const declared of bad) {
      const { status, tail } = await tested({ declared, command: "echo ran" });
      expect(status).toBe(127);
      expect(tail).toMatch(/^The test did not run: \.parley\/tests\.json is (not usable|larger than)/);
      expect(tail).not.toMatch(/mongodb|PATH/);
    }
  });

  it("that is a link is not followed", async () => {
    const repo = await scene.repository("linked");
    mkdirSync(`${repo}/.parley`);
    symlinkSync("/etc/passwd", `${repo}/.parley/tests.json`);
    await commit(repo, { "a.txt": "one\n" });
    expect(await sealedTest("c-linked", repo, "true")).toMatchObject({
      status: 127,
      tail: "The test did not run: .parley/tests.json is not a regular file.",
    });
  });
});

const isInstalled = (name: "postgresql" | "redis"): boolean => {
  const has = servicesFor([name]).kind === "services";
  if (!has) process.stderr.write(`skipped: ${name} is not installed on this host\n`);
  return has;
};

/** Of all processes of this machine, without those that have just ended. */
const commandLines = (): readonly string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")];
      } catch {
        return [];
      }
    });

describe("a service", () => {
  const ROWS = `psql -qtA -c 'create table seen (n int)' -c 'insert into seen values (1)' -c 'table seen'`;

  it.runIf(isInstalled("postgresql"))("is new in each run, and gone afterwards", async () => {
    const declared = { services: ["postgresql"] };
    const command = `${ROWS}; echo "$PGHOST:$PGPORT"`;
    const runs = await Promise.all([1, 2].map(() => tested({ declared, command })));
    for (const run of runs) expect(run).toMatchObject({ status: 0, tail: "1\n127.0.0.1:5432" });
    const look = "(exec 3<>/dev/tcp/127.0.0.1/5432) 2>/dev/null || echo gone; ls -A /tmp";
    expect((await tested({ declared: null, command: look })).tail).toBe("gone");
  });

  it.runIf(isInstalled("postgresql"))("ends when the host is killed", async () => {
    const mark = `parley-service-${process.pid}`;
    const host = spawn(process.execPath, [join(import.meta.dirname, "testing-host.ts"), mark], {
      env: { ...process.env, TMPDIR: scratch("killed-host") },
      stdio: ["ignore", "ignore", "inherit"],
    });
    onTestFinished(() => void host.kill("SIGKILL"));
    const ended = once(host, "exit");
    const folder = await vi.waitFor(
      () => {
        const [, found] = new RegExp(`${mark}-(/tmp/services-\\w{6})`).exec(commandLines().join("\n")) ?? [];
        if (found === undefined) throw new Error("the service does not run yet");
        return found;
      },
      { timeout: MOST_WAIT, interval: 50 },
    );
    const running = (): readonly string[] => commandLines().filter((line) => line.includes(folder));
    expect(running().join("\n")).toContain("postgres -D");
    host.kill("SIGKILL");
    await ended;
    await expect.poll(running, { timeout: MOST_WAIT }).toEqual([]);
  });

  it.runIf(isInstalled("postgresql"))("opens no network, and gets no secret itself", async () => {
    const command =
      "curl -s -m 5 http://example.com; pid=$(pgrep -o postgres); tr '\\0' '\\n' < /proc/$pid/environ | grep -c API_KEY";
    const declared = { commands: [command], secrets: ["API_KEY"], services: ["postgresql"] };
    const { tail } = await tested({ declared, command, secrets });
    expect(tail).toMatch(/^Parley does not let commands reach example\.com/);
    expect(tail).toMatch(/\n0$/);
  });

  it.runIf(isInstalled("postgresql"))("keeps the status of the command", async () => {
    expect((await tested({ declared: { services: ["postgresql"] }, command: "exit 3" })).status).toBe(3);
  });

  it.runIf(isInstalled("redis"))("redis answers the test", async () => {
    const command = "exec 3<>/dev/tcp/127.0.0.1/6379; printf 'PING\\r\\n' >&3; head -c 5 <&3";
    expect((await tested({ declared: { services: ["redis"] }, command })).tail).toBe("+PONG");
  });

  it("that is missing is named with the package that the operator installs", () => {
    const nothing = { list: () => [], isProgram: () => false };
    expect(servicesFor(["redis"], nothing)).toEqual({
      kind: "missing",
      why: "the service redis is not installed on this host. The operator installs redis-server or valkey-server (Debian and Ubuntu: `apt-get install redis-server`).",
    });
    const one = { list: () => [], isProgram: (path: string) => path === "/usr/bin/valkey-server" };
    expect(servicesFor(["redis"], one)).toMatchObject({ kind: "services" });
  });

  it("takes all programs from the newest version's folder", () => {
    const programs = {
      list: (folder: string) => (folder === "/usr/lib/postgresql" ? ["9", "15", "odd"] : []),
      isProgram: () => true,
    };
    const found = servicesFor(["postgresql"], programs);
    expect(found.kind === "services" && found.script).toContain("'/usr/lib/postgresql/15/bin/initdb'");
  });
});
