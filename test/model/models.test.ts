/** The models of Anthropic that settings name, on a host that knows no other provider. */

import { describe, expect, it } from "vitest";
import { configuredModels, type ModelSettings } from "../../src/model/models.ts";

const SCRIPTED = {
  name: "demo",
  notice: "",
  create: () => Promise.reject(new Error("not asked here")),
};

const KEY = { ANTHROPIC_API_KEY: "k" };

const models = (env: Readonly<Record<string, string>>, over: Partial<ModelSettings> = {}) =>
  configuredModels({
    wanted: null,
    scripted: SCRIPTED,
    plainHosts: [],
    read: (name) => env[name] ?? null,
    ...over,
  });

const named = async (env: Readonly<Record<string, string>>, over: Partial<ModelSettings> = {}) => {
  const read = await models(env, over);
  return read.kind === "models" ? read.models.map(({ alias }) => alias) : read;
};

const problems = async (env: Readonly<Record<string, string>>, over: Partial<ModelSettings> = {}) => {
  const read = await models(env, over);
  return read.kind === "invalid" ? read.problems : [];
};

describe("one model", () => {
  it("is the scripted one without a key, and Anthropic's default with one", async () => {
    expect((await models({})).kind).toBe("scripted");
    expect((await models(KEY, { wanted: "demo" })).kind).toBe("scripted");
    expect(await named(KEY)).toEqual(["claude-sonnet-5-5"]);
    expect(await problems({}, { scripted: null })).toEqual([
      "ANTHROPIC_API_KEY: is not set, and no other model is configured (docs/models.md)",
    ]);
  });

  it("of another provider is refused, and one of Anthropic's is taken", async () => {
    expect(await named(KEY, { wanted: "anthropic/claude-opus-5-5" })).toEqual(["claude-opus-5-5"]);
    expect(await problems(KEY, { wanted: "openai/gpt-5" })).toEqual([
      "PARLEY_MODEL: openai is not a provider (anthropic)",
    ]);
  });

  it("without a price is refused, and names no list that this host cannot have", async () => {
    expect(await problems(KEY, { wanted: "claude-verse-9" })).toEqual([
      "PARLEY_MODEL: the price of anthropic/claude-verse-9 is unknown, so budgets could not count it (docs/models.md)",
    ]);
    const local = { ...KEY, ANTHROPIC_BASE_URL: "http://localhost:8000" };
    expect(await named(local, { wanted: "claude-verse-9" })).toEqual(["claude-verse-9"]);
  });

  it("is asked without TLS on this machine, and elsewhere if its host is named", async () => {
    const env = { ...KEY, ANTHROPIC_BASE_URL: "http://proxy.example" };
    expect(await problems(env)).toEqual([
      expect.stringMatching(/ANTHROPIC_BASE_URL has no TLS.*PARLEY_MODEL_PLAIN_HOSTS/),
    ]);
    expect(await named(env, { plainHosts: ["proxy.example"] })).toEqual(["claude-sonnet-5-5"]);
  });
});

const also = (name: string) => [{ variable: "PARLEY_FALLBACK_MODEL", name }];

describe("a model that another setting names", () => {
  it("stands behind the first, and keeps Parley from starting if nobody knows it", async () => {
    expect(await named(KEY, { also: also("claude-opus-5-5") })).toEqual([
      "claude-sonnet-5-5",
      "claude-opus-5-5",
    ]);
    expect(await problems(KEY, { also: also("clevr") })).toEqual([
      "PARLEY_FALLBACK_MODEL: there is no model clevr: use provider/name",
    ]);
  });
});
