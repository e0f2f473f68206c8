/** The first model that works is the default, and each answer is tried with a request. */

import { createServer } from "node:http";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { modelStep } from "../../../../src/app/cli/setup/model-step.ts";
import { createFakeAnthropic } from "../../../fakes/anthropic/fake.ts";
import { stepDeps } from "./steps.ts";

/** A server as Ollama: a list of models, and chat completions as a stream. */
const localServer = async (models: readonly string[], page = false) => {
  const server = createServer((request, response) => {
    if (page) {
      response.end("<html>");
    } else if (request.url === "/v1/models") {
      response.end(JSON.stringify({ object: "list", data: models.map((id) => ({ id, object: "model" })) }));
    } else {
      const chunk = {
        id: "1",
        object: "chat.completion.chunk",
        created: 1,
        model: models[0],
        choices: [{ index: 0, delta: { role: "assistant", content: "ok" }, finish_reason: "stop" }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      };
      response.setHeader("content-type", "text/event-stream");
      response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return { title: "Ollama", port };
};

const anthropic = async () => {
  const fake = await createFakeAnthropic({ apiKey: "sk-ant-test-key" });
  onTestFinished(() => fake.close());
  for (let times = 0; times < 2; times += 1) fake.script({ content: [{ kind: "text", text: "ok" }] });
  return fake;
};

describe("the model of setup", () => {
  it("is the demo if there is neither key nor server", async () => {
    expect(await modelStep({ ...stepDeps({}), servers: [] })).toEqual({ PARLEY_MODEL: "demo" });
  });

  it("is a server on this machine if one lists models, and no page is one", async () => {
    const servers = [
      await localServer([], true),
      await localServer(["nomic-embed-text", "qwen3-coder:30b", "b"]),
    ];
    expect(await modelStep({ ...stepDeps({}), servers })).toEqual({
      OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${servers[1]?.port}/v1`,
      PARLEY_MODEL: "openai-compatible/qwen3-coder:30b",
    });
    expect(await modelStep({ ...stepDeps({ PARLEY_MODEL: "openai-compatible/b" }), servers })).toMatchObject({
      PARLEY_MODEL: "openai-compatible/b",
      OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${servers[1]?.port}/v1`,
    });
  });

  it("is that of a key in the environment before a server, and the key is tried", async () => {
    const fake = await anthropic();
    const servers = [await localServer(["qwen3"])];
    const env = { ANTHROPIC_API_KEY: fake.apiKey, ANTHROPIC_BASE_URL: fake.url };
    expect(await modelStep({ ...stepDeps({}, env), servers })).toEqual({
      PARLEY_MODEL: "claude-sonnet-5-5",
      ANTHROPIC_API_KEY: fake.apiKey,
    });
    const wrong = { ...env, ANTHROPIC_API_KEY: "sk-ant-wrong" };
    await expect(modelStep({ ...stepDeps({}, wrong), servers })).rejects.toThrow(
      /Set ANTHROPIC_API_KEY to a key that is valid at/,
    );
  });

  it("is found by the form of a pasted key, with or without a model before it", async () => {
    const fake = await anthropic();
    const env = { ANTHROPIC_BASE_URL: fake.url };
    const pasted = await modelStep({ ...stepDeps({ PARLEY_MODEL: fake.apiKey }, env), servers: [] });
    expect(pasted).toMatchObject({ PARLEY_MODEL: "claude-sonnet-5-5", ANTHROPIC_API_KEY: fake.apiKey });
    const both = { PARLEY_MODEL: `claude-opus-5-5 ${fake.apiKey}` };
    expect(await modelStep({ ...stepDeps(both, env), servers: [] })).toMatchObject({
      PARLEY_MODEL: "claude-opus-5-5",
      ANTHROPIC_API_KEY: fake.apiKey,
      ANTHROPIC_BASE_URL: fake.url,
    });
  });

  it.each([
    ["local", /No model server answers on the ports .* Start one/],
    ["http://127.0.0.1:9/v1", /lists no models\. Check that it ends in \/v1/],
    ["opnai/gpt-5.5", /is not a provider .*openai/],
    [`x${"0".repeat(31)}`, /The provider of this key is unknown\. Enter the model before it/],
    ["openai/gpt-5.5", /pass SETUP_MODEL_KEY|pass OPENAI_API_KEY/],
  ])("%s is refused with what to do", async (answer, why) => {
    await expect(modelStep({ ...stepDeps({ PARLEY_MODEL: answer }), servers: [] })).rejects.toThrow(why);
  });
});
