/**
 * What holds with Anthropic's wire holds with every provider's, through the whole product: a process of its own, real
 * tools, and a server of models that is not ours.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ChatCompletionRequest, LLMock } from "@copilotkit/aimock";
import { describe, expect, test } from "vitest";
import { CANARY, FAMILIES, type Family } from "../families.ts";
import { type Detail, type Later, shared, startRig } from "../../../e2e/rig.ts";

const served = async ({ model, env }: Family, later: Later) => {
  const mock = new LLMock({ port: 0, logLevel: "silent" });
  const url = await mock.start();
  later(() => mock.stop());
  return { mock, rig: await startRig({ ...env(url), PARLEY_MODEL: model }, later) };
};

const shown = ({ posts }: Detail): string =>
  posts.map(({ kind, output, markdown }) => `${kind}: ${output ?? markdown ?? ""}`).join("\n");

/** Calls and results that have no counterpart. Where they stand, the stand-in of Anthropic looks at. */
const loose = (request: ChatCompletionRequest | undefined): readonly string[] => {
  const messages = request?.messages ?? [];
  const calls = messages.flatMap(({ tool_calls: made = [] }) => made.map(({ id }) => id));
  const results = messages.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id]));
  expect(new Set(calls).size).toBe(calls.length);
  return [
    ...calls.filter((id) => results.filter((other) => other === id).length !== 1),
    ...results.filter((id) => !calls.includes(id)),
  ];
};

/** Azure and Vertex speak as OpenAI and Gemini do, and Mistral as any compatible server. */
const WIRES = FAMILIES.filter(({ family }) => !/azure|vertex|mistral/.test(family));

describe.for(WIRES.map((one) => [one.family, one] as const))("%s", ([, family]) => {
  const host = shared((later) => served(family, later));

  test("what fails is tried again, its text is dropped, and a refused key says what to do", async () => {
    const { mock, rig } = host();
    const thread = await rig.begin();
    const answers = { userMessage: "go" };
    mock.on(
      { ...answers, sequenceIndex: 0 },
      { error: { message: "busy", type: "server_error" }, status: 503 },
    );
    mock.on(
      { ...answers, sequenceIndex: 1 },
      { content: "A half that nobody needs" },
      { chunkSize: 6, truncateAfterChunks: 3 },
    );
    mock.on({ ...answers, sequenceIndex: 2 }, { content: "At last." });
    const answered = shown(await thread.turn("go"));
    expect(answered).toContain("At last.");
    expect(answered).not.toContain("A half");

    mock.on(
      { userMessage: "again", sequenceIndex: 0 },
      { error: { message: `bad key ${CANARY}`, type: "x" }, status: 401 },
    );
    mock.on({ userMessage: "again", sequenceIndex: 1 }, { content: "Recovered." });
    const failed = await thread.turn("again");
    expect(failed.phase).toBe("failed");
    expect(shown(failed)).toContain("Authentication failed");
    expect((await thread.act({ action: "retry" })).body).toMatchObject({ result: "done" });
    expect(shown(await thread.until("idle"))).toContain("Recovered.");

    // A key is in no tool's environment, and in nothing that is kept, shown or asked.
    const env = [{ name: "bash", arguments: JSON.stringify({ command: "env; cat /proc/[0-9]*/environ" }) }];
    mock.on(
      { userMessage: "look around", hasToolResult: false },
      { toolCalls: env, finishReason: stopOf(family) },
    );
    mock.on({ userMessage: "look around", hasToolResult: true }, { content: "Seen." });
    const looked = await thread.turn("look around");
    expect(shown(looked)).toContain("PATH=");
    expect(loose(mock.getLastRequest()?.body as ChatCompletionRequest)).toEqual([]);
    const database = readdirSync(rig.data).filter((name) => name.startsWith("parley.sqlite"));
    const kept = database.map((name) => readFileSync(join(rig.data, name), "latin1")).join("");
    expect(kept).toContain("look around");
    const requests = JSON.stringify(mock.getRequests().map(({ body }) => body));
    for (const text of [kept, requests, rig.host().errors.join("\n"), JSON.stringify(looked)])
      expect(text).not.toContain(CANARY);
  });

  test("calls that are cut or stopped leave a chain that the next request can build on", async () => {
    const { mock, rig } = host();
    const thread = await rig.begin();
    // The stream breaks in the middle of a call, or before its end where the provider sends calls whole.
    const words = /gemini/.test(family.model) ? { content: "Let me look at what is there." } : {};
    const toolCalls = [call("touch never ".repeat(20))];
    const cut = { ...words, toolCalls, finishReason: stopOf(family) };
    mock.on({ userMessage: "cut", sequenceIndex: 0 }, cut, { chunkSize: 8, truncateAfterChunks: 3 });
    mock.on({ userMessage: "cut", sequenceIndex: 1 }, { content: "Whole." });
    const whole = shown(await thread.turn("cut"));
    expect(whole).toContain("Whole.");
    expect(whole).not.toContain("never");

    mock.on(
      { userMessage: "two" },
      { toolCalls: [call("sleep 500"), call("echo second")], finishReason: stopOf(family) },
    );
    await thread.say("two");
    await thread.until("running");
    expect((await thread.act({ action: "stop" })).body).toMatchObject({ result: "done" });
    await thread.until("idle");

    const long = { content: "word ".repeat(2_000) };
    mock.on({ userMessage: "long" }, long, { chunkSize: 5, streamingProfile: { ttft: 0, tps: 20 } });
    await thread.say("long");
    await thread.until("thinking");
    expect((await thread.act({ action: "stop" })).body).toMatchObject({ result: "done" });
    await thread.until("idle");

    // First in line: Bedrock is told what people said one after the other in one message.
    mock.prependFixture({ match: { userMessage: "still there?" }, response: { content: "here" } });
    expect(shown(await thread.turn("still there?"))).toContain("here");
    const last = mock.getLastRequest()?.body as ChatCompletionRequest;
    expect(JSON.stringify(last)).toContain("Cancelled by user");
    expect(JSON.stringify(last)).toContain("Skipped due to cancellation");
    expect(loose(last)).toEqual([]);
    expect(rig.host().errors.join("\n")).not.toContain(CANARY);
  });
});

const call = (command: string) => ({ name: "bash", arguments: JSON.stringify({ command }) });

/** Gemini ends with "STOP" whatever it says. */
const stopOf = ({ model }: Family): string => (/gemini/.test(model) ? "stop" : "tool_calls");
