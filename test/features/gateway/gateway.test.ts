/** The official OpenAI client against the gateway, in front of the real runtime. */

import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { createGateway } from "../../../src/features/gateway/app.ts";
import { systemClock } from "../../../src/app/system-clock.ts";
import { PROMPT } from "./rig.ts";
import { createRig, type Rig, TOKEN } from "../../adapters/http/rig.ts";
import { openMemory } from "../../store/in-memory.ts";

const TALK = "the-token-of-the-gateway";
const SUDO = { name: "bash", input: { command: "sudo ls" } };
const UPGRADE = { name: "request_mode_upgrade", input: { reason: "to list" } };

let rig: Rig;
let client: OpenAI;
beforeEach(async () => {
  const { store, ledger } = openMemory();
  let made = 0;
  rig = await createRig({
    store,
    beside: (bot, { takePicture }) =>
      createGateway({
        bot,
        takePicture,
        covers: "Tools may write.",
        sessions: ledger,
        log: { info: () => undefined, warn: () => undefined, error: () => undefined },
        clock: systemClock,
        pace: PROMPT,
        randomId: () => `r${made++}`,
        token: TALK,
        approverToken: TOKEN,
        client: { id: "gateway:client", mayDrive: true, mayApprove: false },
        approver: { id: "console:operator", mayDrive: true, mayApprove: true },
        models: ["parley", "slavik"],
        repo: { kind: "path", location: "/srv/lantern" },
        startedAt: 1_000,
        bodyBytes: 100_000,
      }),
  });
  client = new OpenAI({ apiKey: TALK, baseURL: `${rig.origin}/v1`, maxRetries: 0 });
});
afterEach(() => rig.close());

const ask = (text: string, session = "s1") =>
  client.chat.completions.create(
    { model: "slavik", messages: [{ role: "user", content: text }] },
    { headers: { "X-Slavik-Session": session } },
  );

const post = async (path: string, token: string, body: unknown) => {
  const answer = await fetch(`${rig.origin}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
};

const refusedWith = z.object({
  status: z.number(),
  code: z.string(),
  type: z.string(),
  error: z.looseObject({ details: z.looseObject({}).optional() }),
});

/** What the client throws. */
const thrown = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return refusedWith.parse(error);
};

/** Approves the upgrade as its operator would, through the console's API, and waits for the turn to end. */
const approveUpgrade = async (details: unknown) => {
  const { question } = z
    .object({ question: z.object({ id: z.string(), conversation: z.string() }) })
    .parse(details);
  const path = `/api/conversations/${question.conversation}`;
  await rig.call("POST", `${path}/actions`, { action: "decide", question: question.id, choice: "approve" });
  await expect.poll(() => rig.call("GET", path)).toMatchObject({ body: { phase: "idle" } });
  return question.conversation;
};

describe("a chat completion", () => {
  it("is the session's turn, and the next one goes on in it", async () => {
    rig.script.answer({ pieces: ["In ", "retry.ts"] }, { pieces: ["Yes."] });
    const first = await ask("Where is it?");
    expect(first.choices[0]).toMatchObject({
      message: { role: "assistant", content: "In retry.ts" },
      finish_reason: "stop",
    });
    expect(first.usage?.total_tokens).toBeGreaterThan(0);
    await ask("Sure?");
    const { conversations } = z
      .object({ conversations: z.array(z.looseObject({})) })
      .parse((await rig.call("GET", "/api/conversations")).body);
    expect(conversations).toHaveLength(1);
  });

  it("has what it cites below it, as it was looked up; the text that streamed stays as it was", async () => {
    rig.script.answer({ pieces: ["See src/app.ts:3", " and src/gone.ts:9."] });
    const stream = await client.chat.completions.create({
      model: "parley",
      messages: [{ role: "user", content: "Where?" }],
      stream: true,
    });
    let text = "";
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? "";
    expect(text).toMatch(
      /^See src\/app\.ts:3 and src\/gone\.ts:9\.\n\nSources: `src\/app\.ts:3` · 1 not verified: `src\/gone\.ts:9` · commit \w+ \(main\)$/,
    );
  });

  it("streams as it is written", async () => {
    rig.script.answer({ pieces: ["In ", "retry.ts"] });
    const stream = await client.chat.completions.create({
      model: "parley",
      messages: [{ role: "user", content: "Where?" }],
      stream: true,
    });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe("In retry.ts");
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("stop");
  });

  it("row 113: says what needs approval; approve-session lets the repeated message through", async () => {
    rig.script.answer({ uses: [UPGRADE] }, { pieces: ["May write now."] });
    const upgrade = await thrown(ask("List it"));
    expect(upgrade).toMatchObject({ status: 400, type: "tool_error", code: "approval_required" });
    expect(await thrown(ask("List it"))).toMatchObject({ status: 400, code: "approval_required" });
    const conversation = await approveUpgrade(upgrade.error.details);

    rig.script.answer({ uses: [SUDO] });
    const held = await thrown(ask("List it"));
    expect(held).toMatchObject({
      status: 400,
      type: "tool_error",
      code: "approval_required",
      error: {
        details: {
          category: "SUDO",
          required_categories: ["SUDO"],
          session_id: "s1",
          prompt: {
            what: "sudo ls",
            why: expect.any(String),
            risk: expect.any(String),
            changes: [expect.any(String)],
          },
          blocked_reason: "approval_required",
        },
      },
    });
    expect(await rig.call("GET", `/api/conversations/${conversation}`)).toMatchObject({
      body: { phase: "idle" },
    });

    for (const path of ["/v1/approve-session", "/slavik/approve-session"]) {
      expect(await post(path, TOKEN, { session_id: "s1", categories: ["SUDO"] })).toMatchObject({
        status: 200,
        body: { approved: ["SUDO"] },
      });
    }
    rig.script.answer({ uses: [SUDO] }, { pieces: ["Listed."] });
    expect((await ask("List it")).choices[0]?.message.content).toBe("Listed.");
    const trace = [...(rig.bot.trace(z.templateLiteral(["c-", z.string()]).parse(conversation)) ?? [])];
    const labels = trace.flatMap((row) => row.labels);
    expect(labels).toEqual(expect.arrayContaining(["approval_required", "approval_granted"]));
  });

  it("the curl examples of Phase 5 work as they are written, given their tokens", async () => {
    const danger = '{\n "model": "slavik",\n "messages": [{"role":"user","content":"danger action"}]\n }';
    const say = async () => {
      const answer = await fetch(`${rig.origin}/v1/chat/completions`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${TALK}`,
          "Content-Type": "application/json",
          "X-Slavik-Session": "session-1",
        },
        body: danger,
      });
      return { status: answer.status, body: z.looseObject({}).parse(await answer.json()) };
    };
    rig.script.answer({ uses: [UPGRADE] }, { pieces: ["May write now."] });
    const { error } = z.object({ error: z.object({ details: z.unknown() }) }).parse((await say()).body);
    await approveUpgrade(error.details);
    rig.script.answer({ uses: [SUDO] });
    expect(await say()).toMatchObject({
      status: 400,
      body: {
        error: { type: "tool_error", code: "approval_required", details: { session_id: "session-1" } },
      },
    });
    const approval = '{\n "session_id": "session-1",\n "categories": ["SUDO", "EXEC_ARBITRARY"]\n }';
    expect(await post("/slavik/approve-session", TOKEN, approval)).toMatchObject({ status: 200 });
    rig.script.answer({ uses: [SUDO] }, { pieces: ["Done."] });
    expect(await say()).toMatchObject({ status: 200, body: { object: "chat.completion" } });
  });

  it("row 112: another session asks again", async () => {
    rig.script.answer({ uses: [UPGRADE] }, { pieces: ["ok"] });
    await approveUpgrade((await thrown(ask("go"))).error.details);
    await post("/v1/approve-session", TOKEN, { session_id: "s1", categories: ["SUDO"] });
    rig.script.answer({ uses: [UPGRADE] }, { pieces: ["ok"] });
    await approveUpgrade((await thrown(ask("go", "s2"))).error.details);
    rig.script.answer({ uses: [SUDO] });
    expect(await thrown(ask("go", "s2"))).toMatchObject({ code: "approval_required" });
  });
});

describe("who may what", () => {
  it("the token that talks does not approve, and no token does nothing", async () => {
    const body = { session_id: "s1", categories: ["SUDO"] };
    expect(await post("/v1/approve-session", TALK, body)).toMatchObject({ status: 403 });
    expect(await post("/v1/approve-session", "wrong", body)).toMatchObject({ status: 401 });
    expect(await post("/v1/chat/completions", "wrong", {})).toMatchObject({ status: 401 });
    expect(await post("/v1/chat/completions", TOKEN, {})).toMatchObject({ status: 401 });
  });

  it("wrong tokens are limited, of both kinds together, and clients throw what they have for it", async () => {
    const guess = new OpenAI({ apiKey: "wrong", baseURL: `${rig.origin}/v1`, maxRetries: 0 });
    for (let count = 0; count < 5; count += 1) {
      await expect(guess.models.list()).rejects.toThrow(OpenAI.AuthenticationError);
      expect(await post("/v1/approve-session", "wrong", {})).toMatchObject({ status: 401 });
    }
    await expect(guess.models.list()).rejects.toThrow(OpenAI.RateLimitError);
    expect(await post("/v1/approve-session", "wrong", {})).toMatchObject({ status: 429 });
    // 40.A5: the right token is accepted meanwhile.
    expect((await client.models.list()).data.length).toBeGreaterThan(0);
  });

  it.each([
    ["an unknown category", { session_id: "s1", categories: ["SUDO", "ROOT"] }, 400],
    ["no session", { categories: [] }, 400],
    ["no JSON", "{", 400],
  ])("approve-session with %s is refused", async (_, body, status) => {
    rig.script.answer({ pieces: ["hi"] });
    await ask("hi");
    expect(await post("/v1/approve-session", TOKEN, body)).toMatchObject({ status });
  });

  it("row 117: an empty list grants nothing", async () => {
    rig.script.answer({ pieces: ["hi"] });
    await ask("hi");
    const answer = await post("/v1/approve-session", TOKEN, { session_id: "s1", categories: [] });
    expect(answer).toMatchObject({ status: 200, body: { approved: [] } });
  });
});

describe("requests", () => {
  it("list the models, and another model is not found", async () => {
    const { data } = await client.models.list();
    expect(data.map(({ id }) => id)).toEqual(["parley", "slavik"]);
    const wrong = client.chat.completions.create({
      model: "gpt-5",
      messages: [{ role: "user", content: "hi" }],
    });
    expect(await thrown(wrong)).toMatchObject({ status: 404, code: "model_not_found" });
  });

  it.each([
    ["no user message", { model: "parley", messages: [{ role: "system", content: "x" }] }, 400],
    ["an empty one", { model: "parley", messages: [{ role: "user", content: " " }] }, 400],
    ["a picture", { model: "parley", messages: [{ role: "user", content: [{ type: "image_url" }] }] }, 400],
    ["too much", { model: "parley", messages: [{ role: "user", content: "x".repeat(200_000) }] }, 413],
  ])("with %s say what is wrong", async (_, body, status) => {
    expect(await post("/v1/chat/completions", TALK, body)).toMatchObject({
      status,
      body: { error: { message: expect.any(String) } },
    });
  });

  it("a client that goes away stops its turn", async () => {
    rig.script.answer({ pieces: ["Long ", "story"], until: new Promise(() => undefined) });
    const gone = new AbortController();
    const stream = await client.chat.completions.create(
      { model: "parley", messages: [{ role: "user", content: "go" }], stream: true },
      { signal: gone.signal, headers: { "X-Session-Id": "s9" } },
    );
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content === "Long ") break;
    gone.abort();
    const id = rig.bot.list(1, null)[0]?.state.id ?? "c-";
    await expect.poll(async () => (await rig.bot.read(id))?.state.turn.end?.why).toBe("stopped");
  });
});
