/** Models of all providers that settings name: what is taken, and what is said of mistakes. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { otherProviders } from "../../../src/features/providers/feature.ts";
import { aliasIn, configuredModels, type ModelSettings } from "../../../src/model/models.ts";
import { scratch } from "../../scratch.ts";

const SCRIPTED = {
  name: "demo",
  notice: "",
  create: () => Promise.reject(new Error("not asked here")),
};

/** `file`: the path of the operator's list. */
type Over = Partial<ModelSettings> & { readonly file?: string };

const models = (env: Readonly<Record<string, string>>, { file: list, ...over }: Over = {}) =>
  configuredModels({
    wanted: null,
    scripted: SCRIPTED,
    others: otherProviders(list),
    plainHosts: [],
    read: (name) => env[name] ?? null,
    ...over,
  });

const file = (text: string): string => {
  const path = join(scratch("models"), "models.json");
  writeFileSync(path, text);
  return path;
};

const first = async (env: Readonly<Record<string, string>>, over: Over = {}) => {
  const read = await models(env, over);
  if (read.kind !== "models") throw new Error(JSON.stringify(read));
  return read.models[0];
};

const problems = async (env: Readonly<Record<string, string>>, over: Over = {}) => {
  const read = await models(env, over);
  return read.kind === "invalid" ? read.problems : [];
};

const KEY = { ANTHROPIC_API_KEY: "k" };
const OPEN = { OPENAI_API_KEY: "k" };
const at = (host: string) => ({ OPENAI_COMPATIBLE_BASE_URL: `http://${host}:8000/v1` });

describe("one model", () => {
  it("is the scripted one without a key, and Anthropic's default with one", async () => {
    expect((await models({})).kind).toBe("scripted");
    expect((await models(KEY, { wanted: "demo" })).kind).toBe("scripted");
    expect(await problems({}, { scripted: null })).toEqual([
      "ANTHROPIC_API_KEY: is not set, and no other model is configured (docs/models.md)",
    ]);
    expect(await first(KEY)).toMatchObject({
      alias: "claude-sonnet-5-5",
      provider: "anthropic",
      caching: true,
    });
  });

  it.each([
    ["openai/gpt-5", "gpt-5", "openai", "gpt-5"],
    ["gpt-5", "gpt-5", "openai", "gpt-5"],
    ["anthropic/claude-opus-5-5", "claude-opus-5-5", "anthropic", "claude-opus-5-5"],
    ["claude-opus-5-5", "claude-opus-5-5", "anthropic", "claude-opus-5-5"],
  ])("%s is %s of %s", async (wanted, alias, provider, name) => {
    expect(await first({ ...KEY, ...OPEN }, { wanted })).toMatchObject({ alias, provider, name });
  });

  it("has its own window, longest answer and prices, and says where they are from", async () => {
    expect(await first(OPEN, { wanted: "openai/gpt-5" })).toMatchObject({
      facts: { window: 272_000, maxOutput: 128_000, prices: { input: 1.25, output: 10, cacheRead: 0.125 } },
      from: { window: "catalogue", prices: "price list", longest: "catalogue" },
    });
    expect(await first(OPEN, { wanted: "openai/o4-mini" })).toMatchObject({
      facts: { window: 200_000 },
      from: { window: "price list" },
    });
    expect(await first(KEY)).toMatchObject({
      facts: { window: 1_000_000, maxOutput: 128_000 },
      from: { window: "catalogue", prices: "catalogue", longest: "catalogue" },
    });
  });

  it("at home is free, and its window is assumed and said to be", async () => {
    const env = { OPENAI_COMPATIBLE_BASE_URL: "http://localhost:11434/v1" };
    expect(await first(env, { wanted: "openai-compatible/qwen3:8b" })).toMatchObject({
      alias: "qwen3:8b",
      key: null,
      local: true,
      facts: { window: 32_768, prices: { input: 0, output: 0 } },
      from: { window: "assumed", prices: "local" },
    });
  });

  it("without any known price keeps the host from starting, with what to set", async () => {
    const env = { OPENAI_COMPATIBLE_BASE_URL: "https://models.example/v1" };
    expect(await problems(env, { wanted: "openai-compatible/mystery" })).toEqual([
      expect.stringMatching(/^PARLEY_MODEL: the price of openai-compatible\/mystery is unknown.*"prices"/),
    ]);
    expect(await problems(KEY, { wanted: "claude-verse-9" })).toEqual([expect.stringContaining("price of")]);
  });

  it.each([
    ["openai/gpt-5", "OPENAI_API_KEY"],
    ["azure/gpt-5", "AZURE_API_KEY and AZURE_RESOURCE_NAME"],
    ["google/gemini-2.5-pro", "GOOGLE_GENERATIVE_AI_API_KEY"],
    ["vertex/gemini-2.5-pro", "GOOGLE_VERTEX_API_KEY"],
    ["bedrock/amazon.nova-pro-v1:0", "AWS_REGION and AWS_BEARER_TOKEN_BEDROCK"],
    ["mistral/mistral-large-latest", "MISTRAL_API_KEY"],
    ["claude-opus-5-5", "ANTHROPIC_API_KEY (any value if the server needs no key)"],
  ])("%s without its key names %s", async (wanted, missing) => {
    expect(await problems({}, { wanted })).toEqual([`PARLEY_MODEL: needs ${missing}`]);
  });

  it("of a provider that is none names the nearest", async () => {
    expect(await problems({}, { wanted: "opnai/gpt-5" })).toEqual([
      expect.stringMatching(/^PARLEY_MODEL: opnai is not a provider \(.+\); did you mean openai\?$/),
    ]);
  });

  it("is asked without TLS on this machine, and elsewhere where its host is named", async () => {
    const wanted = "openai-compatible/m";
    expect(await problems(at("gpu.lan"), { wanted })).toContainEqual(
      expect.stringMatching(/OPENAI_COMPATIBLE_BASE_URL has no TLS.*PARLEY_MODEL_PLAIN_HOSTS/),
    );
    for (const host of ["127.0.0.1", "localhost", "[::1]"])
      expect(await problems(at(host), { wanted })).toEqual([]);
    expect(await first(at("gpu.lan"), { wanted, plainHosts: ["gpu.lan"] })).toMatchObject({ local: true });
    expect(await problems({ ...KEY, ANTHROPIC_BASE_URL: "http://proxy.example" })).toHaveLength(1);
  });
});

describe("the file", () => {
  const FILE = `[
  // Comments are allowed.
  { "alias": "fast", "name": "openai/gpt-5-mini" },
  {
    "alias": "home",
    "provider": "openai-compatible",
    "name": "qwen3-coder",
    "baseUrl": "http://127.0.0.1:8000/v1",
    "keyVariable": "HOME_KEY",
    "window": 65536,
    "longest": 8192,
    "pictures": false,
    "tools": true,
    "caching": false,
    "thinking": 2048,
    "prices": { "input": 0.1, "output": 0.4 },
  },
]`;
  const env = { ...OPEN, HOME_KEY: "secret" };

  it("lists models, the first of which answers, or the one that PARLEY_MODEL names", async () => {
    const read = await models(env, { file: file(FILE) });
    expect(read).toMatchObject({ kind: "models", models: [{ alias: "fast" }, { alias: "home" }] });
    expect(await first(env, { file: file(FILE), wanted: "home" })).toMatchObject({
      alias: "home",
      key: "secret",
      pictures: false,
      thinking: 2_048,
      facts: {
        window: 65_536,
        maxOutput: 8_192,
        prices: { input: 0.1, output: 0.4, cacheRead: 0.1, cacheWrite: 0.1 },
      },
      from: { window: "file", longest: "file", prices: "file" },
    });
    expect(await models({ ...env, ...KEY }, { file: file(FILE), wanted: "claude-opus-5-5" })).toMatchObject({
      models: [{ alias: "claude-opus-5-5" }, { alias: "fast" }, { alias: "home" }],
    });
  });

  it.each<readonly [string, RegExp]>([
    [
      '[\n{ "alias": "a", "nmae": "gpt-5", "name": "gpt-5" }\n]',
      /models\.json:2: "nmae" is not a field of a model; did you mean name\?$/,
    ],
    [
      '[{ "alias": "a",\n "provider": "opneai", "name": "gpt-5" }]',
      /:2: provider is not one of .+; did you mean openai\?$/,
    ],
    [
      '[{ "alias": "a",\n "name": "opneai/gpt-5" }]',
      /:1: opneai is not a provider .+; did you mean openai\?$/,
    ],
    [
      '[{ "alias": "a", "name": "gpt-5",\n\n "prices": { "inptu": 1, "input": 1, "output": 1 } }]',
      /:3: "inptu" is not a field of a model; did you mean input\?$/,
    ],
    [
      '[{ "alias": "a", "name": "gpt-5" },\n{ "alias": "a", "name": "gpt-5" }]',
      /:2: the alias a is already in use$/,
    ],
    ['[{ "alias": "a", "name": "gpt-5"\n', /:2: is not JSON/],
    ["{}", /:1: the file/],
    ["[]", /:1: the file names no model$/],
    ['[{ "alias": "a", "name": "gpt-5", "keyVariable": "MY_KEY" }]', /:1: needs MY_KEY$/],
    [
      '[{ "alias": "a", "name": "gpt-5", "keyVariable": "sk-secret" }]',
      /:1: keyVariable must be the name of a variable/,
    ],
    ['[{ "alias": "a", "name": "gpt-5", "window": -1 }]', /:1: window /],
    [
      '[{ "alias": "a", "name": "gpt-5",\n "baseUrl": "https://me:sk-secret@host/v1" }]',
      /:2: baseUrl must not contain a user name or password/,
    ],
    ['[{ "alias": "a", "name": "gpt-5", "baseUrl": "gpu.lan" }]', /:1: baseUrl must be an address such as/],
  ])("%s is told with its line", async (text, expected) => {
    const found = await problems(OPEN, { file: file(text) });
    expect(found).toEqual([expect.stringMatching(expected)]);
    expect(found.join()).not.toContain("sk-secret");
  });

  it("that is missing is named, and an alias that is none names the nearest", async () => {
    expect(await problems(OPEN, { file: "/nonexistent/models.json" })).toEqual([
      "PARLEY_MODELS: /nonexistent/models.json cannot be read (ENOENT)",
    ]);
    expect(await problems(env, { file: file(FILE), wanted: "fsat" })).toEqual([
      "PARLEY_MODEL: fsat is not an alias of PARLEY_MODELS; did you mean fast?",
    ]);
  });
});

const also = (name: string) => [{ variable: "PARLEY_FALLBACK_MODEL", name }];
const names = async (env: Readonly<Record<string, string>>, over: Over) => {
  const read = await models(env, over);
  return read.kind === "models" ? read.models.map(({ alias }) => alias) : read;
};

describe("a model that another setting names", () => {
  it("stands behind the others where it is provider/name, once", async () => {
    expect(await names({ ...KEY, ...OPEN }, { also: also("openai/gpt-5") })).toEqual([
      "claude-sonnet-5-5",
      "gpt-5",
    ]);
    expect(await names(KEY, { also: also("claude-sonnet-5-5") })).toEqual(["claude-sonnet-5-5"]);
    expect(aliasIn("openai/gpt-5", ["claude-sonnet-5-5", "gpt-5"])).toBe("gpt-5");
  });

  it("is an alias of the file, and changes nothing then", async () => {
    const path = file(
      '[{ "alias": "clever", "name": "claude-opus-5-5" }, { "alias": "fast", "name": "gpt-5" }]',
    );
    expect(await names({ ...KEY, ...OPEN }, { file: path, also: also("fast") })).toEqual(["clever", "fast"]);
  });

  it("keeps Parley from starting where nobody knows it, or its key is missing", async () => {
    const path = file('[{ "alias": "clever", "name": "claude-opus-5-5" }]');
    expect(await problems(KEY, { file: path, also: also("clevr") })).toEqual([
      "PARLEY_FALLBACK_MODEL: there is no model clevr: use an alias of PARLEY_MODELS, or provider/name; did you mean clever?",
    ]);
    expect(await problems(KEY, { also: also("openai/gpt-5") })).toEqual([
      "PARLEY_FALLBACK_MODEL: needs OPENAI_API_KEY",
    ]);
  });
});
