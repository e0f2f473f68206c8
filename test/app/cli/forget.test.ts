import { execa } from "execa";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod";
import { replayDirectory } from "../../replay.ts";
import { sampleRepo } from "../../sample-repo.ts";
import { scratch } from "../../scratch.ts";
import { root, startHost } from "./host.ts";

/** One has the form of a token, the other is a word like any other, but for its length. */
const WORDS = ["rosebud-4711", "plantedzebraword"];

/** As in the container: the server listens on all addresses, and answers requests of none but those it can tell. */
const CONTAINER = { PARLEY_HOST: "0.0.0.0", PARLEY_PROXY_HOSTS: "localhost" };

const forget = (data: string, port: string, ...args: readonly string[]) =>
  execa(process.execPath, ["bin/parley.js", "forget", ...args], {
    cwd: root,
    env: { PARLEY_DATA: data, PARLEY_PORT: port, ...CONTAINER },
    reject: false,
  });

const holds = (data: string): readonly string[] =>
  readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => {
      const bytes = readFileSync(path);
      return WORDS.some((word) => bytes.includes(word));
    });

it("no byte of what a person said is left below the data directory, and the rest replays the same", async () => {
  const data = scratch("forget");
  const host = await startHost(data, { PARLEY_REPO: await sampleRepo("# Sample\n"), ...CONTAINER });
  onTestFinished(() => void host.process.kill("SIGKILL"));
  const { port } = new URL(host.origin);
  const { id } = z
    .looseObject({ id: z.string() })
    .parse((await host.call("POST", "/api/conversations", {})).body);
  await host.call("POST", `/api/conversations/${id}/messages`, {
    text: `Where does ${WORDS.join(" of ")} stand?`,
  });
  await vi.waitFor(
    async () => {
      const { body } = await host.call("GET", `/api/conversations/${id}`);
      expect(body).toMatchObject({ phase: "idle", posts: expect.arrayContaining([expect.anything()]) });
    },
    { interval: 50 },
  );
  const found = z.looseObject({ hits: z.array(z.unknown()) });
  const search = async () => found.parse((await host.call("GET", "/api/search?q=rosebud")).body).hits.length;
  expect(await search()).toBeGreaterThan(0);
  expect(holds(data)).not.toEqual([]);
  expect((await forget(data, port, "slack:U1")).stderr).toContain("No message of slack:U1 is stored");
  expect(holds(data)).not.toEqual([]);

  const done = await forget(data, port, "console:operator");
  expect(done).toMatchObject({ exitCode: 0, stderr: "" });
  expect(done.stdout).toContain("in 1 conversations");
  expect(holds(data)).toEqual([]);
  expect(await search()).toBe(0);
  expect(holds(data)).toEqual([]);
  await host.stop("SIGTERM");
  expect(replayDirectory(data)).toBeGreaterThan(2);

  const stopped = await forget(data, port, "console:operator");
  expect(stopped).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("Parley does not answer at"),
  });
  expect((await forget(data, port, "Ann Smith")).exitCode).toBe(1);
});
