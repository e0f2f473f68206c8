/** Every secret of the settings is masked in log lines and in tools' output, because its parser says so, and nothing else is. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { readConfig, secrecyOfSetting, variables } from "../../src/app/settings/config.ts";
import { sharedPostgres } from "../fakes/postgres.ts";
import { scratch } from "../scratch.ts";
import { createWorld } from "../tools/world.ts";

type Env = Readonly<Record<string, string>>;

interface Leak {
  /** The part of the setting that nobody may see. */
  readonly canary: string;
  readonly value: string;
  /** Text that would show the secret. */
  readonly text: string;
}

const folder = scratch("masked");

/** Values for a setting, in the forms that settings with secrets have. The first that its parser accepts is used. */
const formsOf = (name: string): readonly Leak[] => {
  const canary = `canary-${name.toLowerCase()}-5d8c1f`;
  if (secrecyOfSetting(name) === "file") {
    const value = join(folder, name);
    // As a whole, and as a field of it.
    const text = JSON.stringify({ private_key: canary });
    writeFileSync(value, text);
    return [{ canary, value, text }];
  }
  return [
    ...["xoxb-", "xapp-", ""].map((prefix) => `${prefix}${canary}`),
    `x-api-key=${canary}`,
    `http://parley:${canary}@127.0.0.1:9`,
    `http://127.0.0.1:9/path?key=${canary}`,
    // A key of 32 bytes in base64.
    `${canary
      .replaceAll(/[^a-zA-Z0-9]/g, "")
      .padEnd(43, "A")
      .slice(0, 42)}A=`,
  ].map((value) => ({ canary: value.includes(canary) ? canary : value, value, text: value }));
};

const isAccepted = (env: Env): boolean => readConfig(env, "/nonexistent").kind === "config";

const leakOf = (name: string): Leak => {
  const found = formsOf(name).find(({ value }) => isAccepted({ [name]: value }));
  if (found === undefined) throw new Error(`no value for ${name}: add one in its form`);
  return found;
};

/** It means nothing alone, and is tried by itself below. */
const DATABASE = "PARLEY_DATABASE";
const leaks: ReadonlyMap<string, Leak> = new Map(
  [...variables.filter((name) => secrecyOfSetting(name) !== null && name !== DATABASE), "HOME_API_KEY"].map(
    (name) => [name, leakOf(name)],
  ),
);

/** Settings of which some exclude each other, so that all are in one of the groups. */
const groups = (names: readonly string[]): readonly Env[] => {
  let env: Env = {};
  const left: string[] = [];
  for (const name of names) {
    const more = { ...env, [name]: leaks.get(name)?.value ?? "" };
    if (isAccepted(more)) env = more;
    else left.push(name);
  }
  return left.length === 0 ? [env] : [env, ...groups(left)];
};

const prepared = async (env: Env, words: readonly string[]) => {
  const { stdout, stderr } = await execa(process.execPath, ["test/app/prepared.ts", ...words], {
    env: {
      PATH: process.env["PATH"],
      PARLEY_MODEL: "demo",
      PARLEY_DATA: scratch("masked-data"),
      PARLEY_PORT: "0",
      ...env,
    },
    extendEnv: false,
  });
  const printed = stdout.split("\n").at(-1) ?? "";
  const { secrets } = z.object({ secrets: z.array(z.string()) }).parse(JSON.parse(printed));
  return { secrets, log: stderr };
};

/** A command prints the words. */
const printedBy = async (secrets: readonly string[], words: readonly string[]): Promise<string> => {
  const world = await createWorld({ "words.txt": `${words.join("\n")}\n` }, undefined, {}, secrets);
  onTestFinished(() => world.close());
  const { text } = await world.call("bash", { command: "cat words.txt" }, { permission: world.reading });
  return text;
};

const PLAIN = { PARLEY_GIT_NAME: "Plain Example Name", PARLEY_HOST_NAME: "plain-example-host" };

describe("a secret of the settings", () => {
  it("is declared as one if its name says so", () => {
    const named = variables.filter((name) =>
      /_(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS|HEADERS)(_|$)/.test(name),
    );
    expect(named.filter((name) => secrecyOfSetting(name) === null)).toEqual([]);
    expect(named.length).toBeGreaterThan(15);
    expect(Object.keys(PLAIN).map(secrecyOfSetting)).toEqual([null, null]);
    expect(secrecyOfSetting("NO_SETTING")).toBeNull();
  });

  it("is masked in a log line and in a tool's output, and a plain setting is shown in both", async () => {
    const all = groups([...leaks.keys()]);
    expect(all.flatMap((env) => Object.keys(env)).toSorted()).toEqual([...leaks.keys()].toSorted());
    for (const env of all) {
      const names = Object.keys(env);
      const texts = names.map((name) => leaks.get(name)?.text ?? "");
      const words = [...texts, ...Object.values(PLAIN)];
      const { secrets, log } = await prepared({ ...env, ...PLAIN }, words);
      const output = await printedBy(secrets, words);
      for (const shown of [log, output]) {
        expect(names.filter((name) => shown.includes(leaks.get(name)?.canary ?? ""))).toEqual([]);
        for (const plain of Object.values(PLAIN)) expect(shown).toContain(plain);
        expect(shown).toContain("***");
      }
      expect(log.match(/"msg":"message /g)).toHaveLength(words.length);
    }
  });

  it("in the address of a database is masked, and the rest of the address is shown", async ({ skip }) => {
    const postgres = await sharedPostgres();
    if (postgres === null) return skip();
    const { pathname, searchParams } = new URL(await postgres.create());
    const host = searchParams.get("host") ?? "";
    const password = "canary/database 77";
    const address = `postgres://parley:${encodeURIComponent(password)}@localhost${pathname}?host=${host}`;
    const env = { PARLEY_DATABASE: address, PARLEY_SHARED_STORAGE: "none", ...PLAIN };
    const words = [address, password, PLAIN.PARLEY_GIT_NAME];
    const { secrets, log } = await prepared(env, words);
    const output = await printedBy(secrets, words);
    for (const shown of [log, output]) {
      expect(shown).not.toContain("canary");
      expect(shown).toContain(PLAIN.PARLEY_GIT_NAME);
      expect(shown).toContain(pathname);
    }
  });
});
