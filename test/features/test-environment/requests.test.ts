/** The console lists names, stores values and removes secrets, and never returns a value. */

import { expect, it } from "vitest";
import type { TestSecretsContext } from "../../../src/features/test-environment/open.ts";
import { changeSecrets, listSecrets } from "../../../src/features/test-environment/requests.ts";
import { createTestSecretRows } from "../../../src/features/test-environment/rows.ts";
import { createTestSecrets } from "../../../src/features/test-environment/secrets.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { testSecretFindings } from "../../../src/features/test-environment/findings.ts";
import { NOTHING_EXAMINED } from "../../app/cli/doctor/findings.ts";
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
  const own: TestSecretsContext = { secrets, chat, operator, sealKey: deps.sealKey };
  const send = (body: object): Promise<Response> =>
    changeSecrets(
      own,
      new Request("http://host/api/test-secrets", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
  return { own, rows, secrets, key, send, store: { rows: found, answers, chat } };
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

it("doctor says how many stored secrets this host can open", async () => {
  const { store, key, send } = opened();
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
