import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { isIdOf, PLATFORMS } from "../../../src/app/chat/platforms.ts";
import {
  type ConfigResult,
  readConfig,
  secrecyOfSetting,
  variables,
} from "../../../src/app/settings/config.ts";
import { scratch } from "../../scratch.ts";

const nowhere = scratch("config");

const problems = (env: NodeJS.ProcessEnv): readonly string[] => {
  const read = readConfig(env, nowhere);
  return read.kind === "invalid" ? read.problems : [];
};

const channel = (value: string, more: Record<string, string>): readonly string[] =>
  problems({ PARLEY_OPERATOR_CHANNEL: value, ...more });

describe("configuration", () => {
  it("needs nothing: every setting has a default", () => {
    const read = readConfig({}, nowhere);
    expect(read).toMatchObject({
      kind: "config",
      config: { PARLEY_DATA: "./data", PARLEY_PORT: 8787, PARLEY_HOST: "127.0.0.1", PARLEY_SAFE_MODE: true },
    });
  });

  it("a setting belongs to one part: of the core, of a platform or of a feature", () => {
    expect(variables.filter((name, at) => variables.indexOf(name) !== at)).toEqual([]);
  });

  it.each(PLATFORMS)("$name is switched on by a setting of its own, which is a secret", (platform) => {
    expect(Object.keys(platform.settings.shape)).toContain(platform.token);
    expect(secrecyOfSetting(platform.token)).toBe("whole");
    expect(isIdOf(`${platform.name}:`, ({ channel }) => channel)).toBe(false);
  });

  it("lists every problem at once", () => {
    const found = problems({
      PARLEY_PORT: "many",
      PARLEY_SANDBOX: "maybe",
      PARLEY_PROT: "1",
      SLACK_BOT_TOKEN: "nope",
    });
    expect(found).toHaveLength(4);
    expect(found.join("\n")).toContain("PARLEY_PROT is not a setting of Parley; did you mean PARLEY_PORT?");
  });

  it("lists what two settings mean together beside what is wrong with a third", () => {
    const found = problems({
      PARLEY_PORT: "many",
      PARLEY_HOST: "0.0.0.0",
      PARLEY_OPERATOR_CHANNEL: "slack:C1",
      PARLEY_GATEWAY_TOKEN: "the same for both",
      PARLEY_CONSOLE_TOKEN: "the same for both",
    });
    expect(new Set(found.map((line) => line.split(":")[0]))).toEqual(
      new Set(["PARLEY_GATEWAY_TOKEN", "PARLEY_HOST", "PARLEY_OPERATOR_CHANNEL", "PARLEY_PORT"]),
    );
    expect(found).toHaveLength(4);
    expect(problems({ PARLEY_HOST: "0.0.0.0", PARLEY_CONSOLE_TOKEN: "short" })).toHaveLength(2);
  });

  it("says what would be right", () => {
    expect(
      problems({
        PARLEY_PORT: "many",
        PARLEY_RETENTION_DAYS: "0.5",
        PARLEY_LOG_LEVEL: "loud",
        PARLEY_REPO: "https://user:password@forge.example/a/b",
        PARLEY_OPERATOR_CHANNEL: "general",
      }),
    ).toEqual([
      "PARLEY_PORT: must be a whole number from 0 to 65535",
      expect.stringContaining("PARLEY_REPO: must not contain a user name, password or token"),
      "PARLEY_LOG_LEVEL: must be one of debug, info, warn, error",
      "PARLEY_RETENTION_DAYS: must be a whole number from 1 to 36500",
      `PARLEY_OPERATOR_CHANNEL: must be ${PLATFORMS.map(({ name }) => `${name}:`).join(" or ")} followed by a channel id`,
    ]);
    expect(problems({ PARLEY_REPO: "git@forge.example:a/b" })).toEqual([]);
  });

  it("never repeats a value, which may be a secret", () => {
    expect(
      problems({ SLACK_BOT_TOKEN: "sk-secret-value", PARLEY_CONSOLE_TOKEN: "hunter2" }).join("\n"),
    ).not.toMatch(/secret-value|hunter2/);
  });

  it("a list of destinations is read when the host starts, not when a command asks", () => {
    expect(
      readConfig({ PARLEY_EGRESS: "example.org, *.example.net:8443,10.0.0.0/8,*" }, nowhere),
    ).toMatchObject({
      config: { PARLEY_EGRESS: ["example.org", "*.example.net:8443", "10.0.0.0/8", "*"] },
    });
    expect(problems({ PARLEY_EGRESS: "example.org,http://x,127.1" })).toEqual([
      "PARLEY_EGRESS: entry 2 is not a host, *.host, address or network, with or without :port",
      "PARLEY_EGRESS: entry 3 is not a host, *.host, address or network, with or without :port",
    ]);
  });

  it("an empty value counts as unset", () => {
    expect(problems({ PARLEY_PORT: "", PARLEY_MODEL: "" })).toEqual([]);
  });

  it("an address beyond loopback needs a declared proxy", () => {
    expect(problems({ PARLEY_HOST: "0.0.0.0" })).toHaveLength(1);
    for (const host of ["parley.example", "localhost", "10.0.0.7", "[fd00::7]", "a.example,b.example"]) {
      expect(problems({ PARLEY_HOST: "0.0.0.0", PARLEY_PROXY_HOSTS: host })).toEqual([]);
    }
    for (const host of ["https://parley.example", "parley.example:443", "Parley.example", "a b", "a/"]) {
      expect(problems({ PARLEY_PROXY_HOSTS: host }), host).toHaveLength(1);
    }
  });

  it("the operator's channel is an id on a platform that has a token", () => {
    expect(channel("slack:C0123456789", { SLACK_BOT_TOKEN: "xoxb-1" })).toEqual([]);
    expect(channel("discord:80351110224678912", { DISCORD_TOKEN: "t" })).toEqual([]);
    expect(channel("discord:80351110224678912", { SLACK_BOT_TOKEN: "xoxb-1" })).toEqual([
      "PARLEY_OPERATOR_CHANNEL: needs DISCORD_TOKEN, because Parley could not post there otherwise",
    ]);
    for (const wrong of ["C0123456789", "slack:#general", "discord:general"]) {
      expect(channel(wrong, { SLACK_BOT_TOKEN: "xoxb-1", DISCORD_TOKEN: "t" }), wrong).toHaveLength(1);
    }
  });

  it("approvers are ids, never names (D2)", () => {
    expect(problems({ PARLEY_APPROVERS: "slack:U024BE7LH, discord:role:42, console:operator" })).toEqual([]);
    expect(problems({ PARLEY_APPROVERS: "alice" })).toHaveLength(1);
  });

  it("the process environment wins over .env", () => {
    const root = scratch("env");
    writeFileSync(join(root, ".env"), "PARLEY_PORT=1111\nPARLEY_LOG_LEVEL=warn\n");
    expect(readConfig({ PARLEY_PORT: "2222" }, root)).toMatchObject({
      config: { PARLEY_PORT: 2222, PARLEY_LOG_LEVEL: "warn" },
    });
  });

  it("a file that cannot be read is a problem like others", () => {
    const root = scratch("env");
    mkdirSync(join(root, ".env"));
    expect(readConfig({ PARLEY_PORT: "many" }, root)).toMatchObject({
      kind: "invalid",
      problems: [
        expect.stringContaining("cannot be read"),
        "PARLEY_PORT: must be a whole number from 0 to 65535",
      ],
    });
  });

  it("what is left blank takes nothing from the next line, and an editor's mark nothing from the first", () => {
    const root = scratch("env");
    writeFileSync(
      join(root, ".env"),
      "\uFEFFPARLEY_PORT=1111\r\nPARLEY_MODEL= \r\nPARLEY_REPO=\t# the default\r\nPARLEY_SAFE_MODE=off\r\n",
    );
    expect(values(readConfig({}, root))).toEqual(
      values(readConfig({ PARLEY_PORT: "1111", PARLEY_SAFE_MODE: "off" }, nowhere)),
    );
  });
});

/** Each reading makes features anew; their settings are compared. */
const values = (result: ConfigResult) =>
  result.kind === "config"
    ? {
        ...result.config,
        features: result.config.features.map((one) => one.values),
        platforms: result.config.platforms.map((one) => one.values),
      }
    : result;

const read = (text: string) => {
  const root = scratch("env");
  writeFileSync(join(root, ".env"), text);
  const result = readConfig({}, root);
  return result.kind === "invalid" ? result.problems : [];
};

describe("40.C8 a # in a value without quotes", () => {
  it.each([
    ["PARLEY_PORT=1111\nPARLEY_CONSOLE_TOKEN=0123456789abcdef#canary\n", 2],
    ["PARLEY_PORT=1111 # the port\n", 1],
    ["export PARLEY_PORT = 1111#\r\n", 1],
    ['A="one\ntwo # three\nfour"\n\nB=five#six\n', 5],
    ["PARLEY_MODEL='one' # two\n", 1],
  ])("is refused with the line's number, and without the value: %j", (text, line) => {
    const problems = read(text);
    expect(problems).toEqual([
      expect.stringMatching(new RegExp(`\\.env, line ${line}: a # in an unquoted value`)),
    ]);
    expect(problems.join("")).not.toContain("canary");
  });

  it.each([
    "# a comment\n  # another = 1 # 2\nPARLEY_PORT=1111\n",
    "PARLEY_CONSOLE_TOKEN='0123456789#abcdef'\n",
    'PARLEY_CONSOLE_TOKEN="0123456789#abcdef"\n',
    "PARLEY_MODEL=\t# the default\nPARLEY_REPO=#\n",
    "A='one # two\n# three\nfour'\n",
  ])("is a value's in quotes, and a comment's before one: %j", (text) => {
    expect(read(text)).toEqual([]);
  });
});

it("40.C4 the address of a proxy may have a plain path, and lets another address than loopback be listened on", () => {
  const address = "https://example.org/tools/parley/";
  expect(problems({ PARLEY_HOST: "0.0.0.0", PARLEY_PUBLIC_URL: address })).toEqual([]);
  expect(problems({ PARLEY_HOST: "0.0.0.0" })).toHaveLength(1);
  for (const wrong of [
    "example.org",
    "ftp://example.org",
    "https://a:b@example.org",
    'https://example.org/a"b',
    "https://e.org/?a",
    "https://e.org/a//b",
  ])
    expect(problems({ PARLEY_PUBLIC_URL: wrong }), wrong).toHaveLength(1);
});

describe(".env.example", () => {
  const example = readFileSync(resolve(import.meta.dirname, "../../../.env.example"), "utf8");
  const listed = [...example.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name = "", value = ""]) => ({
    name,
    value,
  }));

  it("names exactly the variables that are read", () => {
    expect(listed.map(({ name }) => name).toSorted()).toEqual(variables.toSorted());
  });

  it("explains each, and gives values that are the defaults", () => {
    const lines = example.split("\n");
    for (const { name } of listed) {
      const at = lines.findIndex((line) => line.startsWith(`${name}=`));
      expect(lines[at - 1], name).toMatch(/^# /);
      const from = lines.findLastIndex((line, index) => index < at && !line.startsWith("# "));
      expect(lines.slice(from + 1, at).join(" "), name).toContain("Default: ");
    }
    const given = Object.fromEntries(listed.map(({ name, value }) => [name, value]));
    expect(values(readConfig(given, nowhere))).toEqual(values(readConfig({}, nowhere)));
  });
});
