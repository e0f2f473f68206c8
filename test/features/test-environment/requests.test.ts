/** The console lists names, stores values and removes secrets, and never returns a value. */

import { expect, it } from "vitest";
import { createDeclaredRows } from "../../../src/features/test-environment/declared-rows.ts";
import type { TestSecretsContext } from "../../../src/features/test-environment/open.ts";
import { changeSecrets, listSecrets } from "../../../src/features/test-environment/requests.ts";
import { createTestSecretRows } from "../../../src/features/test-environment/rows.ts";
import { createTestSecrets } from "../../../src/features/test-environment/secrets.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { testSecretFindings } from "../../../src/features/test-environment/findings.ts";
import { linesOf, NOTHING_EXAMINED } from "../../app/cli/doctor/findings.ts";
import { systemClock } from "../../../src/app/system-clock.ts";
import { openMemory } from "../../store/in-memory.ts";
import { CANARY, sealKey } from "./canary.ts";

const REPO = "github.com/acme/api";

const opened = () => {
  const { rows: found, chat, answers } = openMemory();
  const key = sealKey();
  const rows = createTestSecretRows(found, silentLog);
  const deps = { sealKey: () => key, learnSecret: () => undefined, clock: systemClock, log: silentLog };
  const secrets = createTestSecrets({ ...deps, rows });
  const operator = { id: "console:operator", mayDrive: true, mayApprove: true } as const;
  const declared = createDeclaredRows(found, silentLog);
  const own: TestSecretsContext = {
    secrets,
    declared: declared.all,
    chat,
    operator,
    repo: null,
    sealKey: deps.sealKey,
  };
  const send = (body: object): Promise<Response> =>
    changeSecrets(
      own,
      new Request("http://host/api/test-secrets", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
  return { own, rows, secrets, declared, chat, key, send, store: { rows: found, answers, chat } };
};

it("a stored value is listed by its name alone, given to tests, and removed once", async () => {
  const { own, secrets, send } = opened();
  await send({ action: "set", repo: REPO, name: "API_KEY", value: ` ${CANARY}\n` });
  const listed = await (await listSecrets(own)).text();
  expect(listed).toMatch(/"name":"API_KEY","by":"console:operator"/);
  expect(listed).not.toMatch(/sealed|canary/);
  expect(secrets.open(REPO, ["API_KEY"])).toEqual({ API_KEY: CANARY });
  expect(secrets.open("github.com/acme/other", ["API_KEY"])).toEqual({});
  await send({ action: "remove", repo: REPO, name: "API_KEY" });
  await expect(send({ action: "remove", repo: REPO, name: "API_KEY" })).rejects.toMatchObject({
    status: 404,
  });
});

it("an unusable value or name is refused without repeating the value", async () => {
  const { send, rows } = opened();
  const bad = [
    { action: "set", repo: REPO, name: "PATH", value: CANARY },
    { action: "set", repo: REPO, name: "lower", value: CANARY },
    { action: "set", repo: REPO, name: "API_KEY", value: "short" },
    { action: "set", repo: "shop", name: "API_KEY", value: CANARY },
  ];
  for (const body of bad) {
    const refused = await send(body).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 400 });
    expect(JSON.stringify(refused)).not.toContain(CANARY);
  }
  expect(rows.all()).toEqual([]);
});

it("a value that was copied to another row of the database opens nothing", async () => {
  const { rows, secrets, send } = opened();
  await send({ action: "set", repo: REPO, name: "API_KEY", value: CANARY });
  const [row] = rows.all();
  if (row === undefined) throw new Error("nothing is stored");
  await rows.put({ ...row, repo: "github.com/evil/fork" });
  expect(secrets.open("github.com/evil/fork", ["API_KEY"])).toEqual({});
});

/** A channel works on the repository from now on. */
const work = (chat: ReturnType<typeof opened>["chat"], repo: string): Promise<unknown> =>
  chat.bind("slack", "CGENERAL", {
    repo: { kind: "url", location: `https://${repo}.git` },
    by: "slack:UALICE",
    at: 1,
  });

it("a channel that chooses another repository leaves the secrets with their repository, and people are told", async () => {
  const { own, secrets, chat, send, store } = opened();
  const listed = async (): Promise<unknown> => (await listSecrets(own)).json();
  const lines = (): Promise<readonly string[]> =>
    linesOf(
      testSecretFindings({ ...NOTHING_EXAMINED, findSealKey: own.sealKey, stored: (read) => read(store) }),
    );
  await work(chat, REPO);
  await send({ action: "set", repo: REPO, name: "API_KEY", value: CANARY });
  expect(await listed()).toMatchObject({ secrets: [{ name: "API_KEY", isUsed: true }], repos: [REPO] });
  expect(await lines()).toEqual(["ok secrets for tests: 1 stored for 1 repositories"]);
  await work(chat, "github.com/acme/other");
  expect(await listed()).toMatchObject({
    secrets: [{ repo: REPO, name: "API_KEY", isUsed: false }],
    repos: ["github.com/acme/other"],
  });
  expect(await lines()).toEqual([
    "ok secrets for tests: 1 stored for 1 repositories",
    `warning secrets for tests: no channel works on the repository of API_KEY (${REPO}) -> Remove them in the console, under Channels, unless threads of earlier channels still need them.`,
  ]);
  expect(secrets.open("github.com/acme/other", ["API_KEY"])).toEqual({});
  expect(secrets.open(REPO, ["API_KEY"])).toEqual({ API_KEY: CANARY });
  await send({ action: "remove", repo: REPO, name: "API_KEY" });
  expect(await lines()).toEqual([]);
});

it("doctor and the console name declared secrets that are not stored, and declared services without programs", async () => {
  const { own, declared, store, send } = opened();
  const nothing = { list: () => [], isProgram: () => false };
  const redis = { list: () => [], isProgram: (path: string) => path === "/usr/bin/redis-server" };
  const lines = (programs: typeof nothing | typeof redis): Promise<readonly string[]> =>
    linesOf(
      testSecretFindings(
        { ...NOTHING_EXAMINED, findSealKey: own.sealKey, stored: (read) => read(store) },
        programs,
      ),
    );
  expect(await lines(nothing)).toEqual([]);
  await declared.keep({ repo: REPO, secrets: ["API_KEY", "OTHER_KEY"], services: ["redis"] });
  const missing = `warning secrets for tests: declared but not stored: API_KEY (${REPO}), OTHER_KEY (${REPO}) -> An approver stores a secret with /parley secrets set NAME.`;
  expect(await lines(nothing)).toEqual([
    missing,
    `warning services for tests: ${REPO} declares redis, which is not installed -> Install redis-server or valkey-server (Debian and Ubuntu: \`apt-get install redis-server\`).`,
  ]);
  expect(await lines(redis)).toEqual([missing, "ok services for tests: redis is installed"]);
  expect(await (await listSecrets(own)).json()).toMatchObject({
    missing: [
      { repo: REPO, name: "API_KEY" },
      { repo: REPO, name: "OTHER_KEY" },
    ],
  });
  await send({ action: "set", repo: REPO, name: "API_KEY", value: CANARY });
  await declared.keep({ repo: REPO, secrets: ["API_KEY"], services: [] });
  expect((await lines(nothing)).filter((line) => line.startsWith("warning"))).toEqual([
    expect.stringContaining("no channel works on"),
  ]);
});

it("doctor says how many stored secrets this host can open", async () => {
  const { store, key, chat, send } = opened();
  await work(chat, REPO);
  const stored = (findSealKey: typeof NOTHING_EXAMINED.findSealKey) => [
    ...testSecretFindings({
      ...NOTHING_EXAMINED,
      findSealKey,
      stored: (read) => read(store),
    }),
  ];
  expect(stored(() => key)).toEqual([]);
  await send({ action: "set", repo: REPO, name: "API_KEY", value: CANARY });
  expect(stored(() => key)).toMatchObject([{ level: "ok", found: "1 stored for 1 repositories" }]);
  expect(stored(() => ({ kind: "absent" }))).toMatchObject([{ level: "error" }]);
});
