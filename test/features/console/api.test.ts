/** The table of docs/reference.md, "Console API", over real HTTP: every status, every code. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import sharp from "sharp";
import { padded } from "../../tools/pictures/samples.ts";
import { error, kinds, phase, UPGRADE } from "../../adapters/http/ask.ts";
import { createRig, field, type Rig, TOKEN } from "../../adapters/http/rig.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

const raw = async (path: string, body: string | Uint8Array<ArrayBuffer>, type = "application/json") => {
  const response = await fetch(`${rig.origin}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": type },
    body,
  });
  return { status: response.status, body: await response.json() };
};

describe("conversations", () => {
  it("are created with the default repository and listed newest first", async () => {
    const first = await rig.call("POST", "/api/conversations", { title: "One" });
    expect(first).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^c-/),
        surface: "console",
        title: "One",
        repo: "/srv/lantern",
        permission: "restricted",
        confinement: "enforced",
        mode: "general",
        model: "scripted-1",
        safeMode: true,
        phase: "idle",
        context: { used: 0, window: 200_000, percent: 0 },
        usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0 },
        createdAt: expect.any(Number),
        updatedAt: expect.any(Number),
      },
    });
    const second = await rig.call("POST", "/api/conversations", { repo: "https://forge.example/a/b.git" });
    const id = field(second.body, "id");
    const listed = await rig.call("GET", "/api/conversations?limit=1");
    expect(listed).toMatchObject({ status: 200, body: { conversations: [{ id }] } });
    const rest = await rig.call("GET", `/api/conversations?limit=1&before=${id}`);
    expect(rest).toMatchObject({ body: { conversations: [{ id: field(first.body, "id") }] } });
  });

  it.each([
    ["a relative path", "not/absolute"],
    ["another protocol", "ext::sh -c id"],
    ["a URL with a password", "https://me:secret@forge.example/a.git"],
    ["a file URL", "file:///etc"],
    ["an option", "--upload-pack=id"],
    ["an option as host", "ssh://-oProxyCommand=id/x"],
    ["a control character", "/srv/a\nb"],
  ])("are refused on %s", async (_, repo) => {
    expect(await rig.call("POST", "/api/conversations", { repo })).toMatchObject({
      status: 400,
      body: error("invalid_request", "unusable_repo"),
    });
  });

  it("say what cannot be read", async () => {
    expect(await rig.call("GET", "/api/conversations?limit=0")).toMatchObject({ status: 400 });
    expect(await rig.call("GET", "/api/conversations?before=../x")).toMatchObject({ status: 404 });
    expect(await rig.call("GET", "/api/nothing")).toMatchObject({ status: 404 });
    for (const path of ["", "/events", "/trace"]) {
      expect(await rig.call("GET", `/api/conversations/c-none${path}`)).toMatchObject({
        status: 404,
        body: error("not_found", "unknown_conversation"),
      });
    }
    expect(await rig.call("POST", "/api/conversations/c-none/messages", { text: "x" })).toMatchObject({
      status: 404,
    });
    expect(await rig.call("POST", "/api/conversations/c-none/actions", { action: "stop" })).toMatchObject({
      status: 404,
    });
  });

  it("need a repository where the host has no default", async () => {
    const bare = await createRig({ defaultRepo: null });
    expect(await bare.call("POST", "/api/conversations", {})).toMatchObject({
      status: 400,
      body: error("invalid_request", "repo_needed"),
    });
    expect(await bare.call("POST", "/api/conversations", { repo: "/srv/a" })).toMatchObject({ status: 201 });
    await bare.close();
  });
});

describe("messages", () => {
  it("are taken once per id, whatever is sent again", async () => {
    const id = await rig.begin();
    rig.script.answer({ pieces: ["one answer"] });
    const said = { id: "m-1", text: "Hello" };
    const [first, again] = await Promise.all([
      rig.call("POST", `/api/conversations/${id}/messages`, said),
      rig.call("POST", `/api/conversations/${id}/messages`, said),
    ]);
    expect([first, again]).toEqual(
      expect.arrayContaining([
        { status: 202, body: { accepted: true, id: "m-1" } },
        { status: 202, body: { accepted: true, duplicate: true, id: "m-1" } },
      ]),
    );
    await phase(rig, id, "idle");
    expect(await rig.call("POST", `/api/conversations/${id}/messages`, said)).toMatchObject({
      status: 202,
      body: { duplicate: true },
    });
    const { body } = await rig.call("GET", `/api/conversations/${id}`);
    expect(kinds(body)).toEqual(["notice", "user", "answer", "footer"]);
  });

  it("the same id in another conversation is another message", async () => {
    const [a, b] = [await rig.begin(), await rig.begin()];
    rig.script.answer({ pieces: ["a"] }, { pieces: ["b"] });
    for (const id of [a, b]) {
      const sent = await rig.call("POST", `/api/conversations/${id}/messages`, { id: "same", text: "Hi" });
      expect(sent.body).toEqual({ accepted: true, id: "same" });
      await phase(rig, id, "idle");
    }
  });

  it.each([
    ["empty", { text: "" }, 400, "empty_message"],
    ["white space", { text: " \n\t" }, 400, "empty_message"],
    ["without text", {}, 400, "invalid_request"],
    ["of another type", { text: 7 }, 400, "invalid_request"],
    ["with an empty id", { id: "", text: "x" }, 400, "invalid_request"],
    ["longer than 1 MB", { text: "x".repeat(1_048_577) }, 413, "too_large"],
    ["half a character", { text: "\ud800" }, 400, "invalid_text"],
    ["a picture of another type", image("image/svg+xml", "PHN2Zy8+"), 400, "unsupported_image"],
    ["a picture that is none", image("image/png", "aGVsbG8="), 400, "invalid_image"],
    ["a picture in no base64", image("image/png", "%%%"), 400, "invalid_image"],
    [
      "nine pictures",
      { text: "", images: Array.from({ length: 9 }, () => ({ mediaType: "image/png", data: "" })) },
      413,
      "too_large",
    ],
  ])("%s get a clear answer and change nothing", async (_, body, status, code) => {
    const id = await rig.begin();
    const answer = await rig.call("POST", `/api/conversations/${id}/messages`, body);
    expect(answer).toMatchObject({ status, body: { error: { code } } });
    expect(kinds((await rig.call("GET", `/api/conversations/${id}`)).body)).toEqual([]);
  });

  it("of exactly 1 MB are taken", async () => {
    const id = await rig.begin();
    const text = "x".repeat(1_048_576);
    expect(await rig.call("POST", `/api/conversations/${id}/messages`, { text })).toMatchObject({
      status: 202,
    });
    // Stored whole; that it is more than this model's window takes is said in the thread.
    await phase(rig, id, "exhausted");
  });

  it("a conversation that is full goes on in one other, however often that is asked for", async () => {
    const id = await rig.begin();
    const seedFrom = id;
    expect(await rig.call("POST", "/api/conversations", { seedFrom })).toMatchObject({
      status: 409,
      body: error("conflict", "not_available"),
    });
    await rig.call("POST", `/api/conversations/${id}/messages`, { text: "x".repeat(1_048_576) });
    await phase(rig, id, "exhausted");
    rig.script.clear();
    const both = await Promise.all([
      rig.call("POST", "/api/conversations", { seedFrom }),
      rig.call("POST", "/api/conversations", { seedFrom }),
    ]);
    const [next = ""] = both.map(({ body }) => field(body, "id"));
    expect(next).not.toBe(id);
    for (const { status, body } of [...both, await rig.call("POST", "/api/conversations", { seedFrom })]) {
      expect({ status, body }).toMatchObject({
        status: 201,
        body: { id: next, continuedFrom: id, permission: "restricted" },
      });
    }
    expect(await rig.call("GET", `/api/conversations/${id}`)).toMatchObject({ body: { continuedTo: next } });
    expect(await rig.call("POST", "/api/conversations", { seedFrom, title: "Mine" })).toMatchObject({
      status: 400,
      body: error("invalid_request", "invalid_request"),
    });
    expect(await rig.call("POST", "/api/conversations", { seedFrom: "c-none" })).toMatchObject({
      status: 404,
    });
  });

  it("bodies that are no UTF-8, no JSON or too large are told apart", async () => {
    const path = `/api/conversations/${await rig.begin()}/messages`;
    const broken = Buffer.concat([Buffer.from('{"text":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
    expect(await raw(path, broken)).toMatchObject({
      status: 400,
      body: error("invalid_request", "invalid_utf8"),
    });
    expect(await raw(path, "{nope")).toMatchObject({
      status: 400,
      body: error("invalid_request", "invalid_json"),
    });
    expect(await raw(path, "")).toMatchObject({
      status: 400,
      body: error("invalid_request", "invalid_json"),
    });
    expect(await raw(path, "[1]")).toMatchObject({ status: 400 });
    expect(await raw(path, '{"text":"x"}', "text/plain")).toMatchObject({
      status: 400,
      body: error("invalid_request", "not_json"),
    });
    const large = await rig.call("POST", path, { text: "x".repeat(32 * 2 ** 20) });
    expect(large).toMatchObject({ status: 413, body: error("too_large", "too_large") });
  });

  it("pictures are made anew, no larger than a model looks at, and served back", async () => {
    const id = await rig.begin();
    const large = sharp({ create: { width: 3_000, height: 1_000, channels: 3, background: "#357" } });
    const data = (await large.jpeg().toBuffer()).toString("base64");
    rig.script.answer({ pieces: ["seen"] });
    const said = { text: "", images: [{ mediaType: "image/jpeg", data }] };
    expect(await rig.call("POST", `/api/conversations/${id}/messages`, said)).toMatchObject({ status: 202 });
    const body = await phase(rig, id, "idle");
    const url = /\/api\/images\/[0-9a-f]{64}/.exec(JSON.stringify(body))?.[0] ?? "";
    const picture = await fetch(`${rig.origin}${url}`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect(picture.headers.get("content-type")).toBe("image/jpeg");
    const { width, height } = await sharp(Buffer.from(await picture.arrayBuffer())).metadata();
    expect([width, height]).toEqual([1_568, 523]);
    expect(await rig.call("GET", `/api/images/${"0".repeat(64)}`)).toMatchObject({ status: 404 });
  });

  it("a picture of 20 MB is taken, and a byte more is refused with the limit", async () => {
    const send = async (bytes: Buffer) => {
      const image = { mediaType: "image/png", data: bytes.toString("base64") };
      return rig.call("POST", `/api/conversations/${await rig.begin()}/messages`, {
        text: "",
        images: [image],
      });
    };
    const most = await padded(20 * 2 ** 20);
    expect(most.length).toBe(20 * 2 ** 20);
    rig.script.answer({ pieces: ["seen"] });
    expect(await send(most)).toMatchObject({ status: 202 });
    for (const more of [Buffer.alloc(1), Buffer.alloc(4)])
      expect(await send(Buffer.concat([most, more]))).toMatchObject({
        status: expect.toSatisfy((status: number) => status === 400 || status === 413),
        body: { error: { message: expect.stringContaining("20 MB") } },
      });
  });

  it("are refused by name while the agent works, waits or stops", async () => {
    const id = await rig.begin();
    const path = `/api/conversations/${id}`;
    const held = Promise.withResolvers<void>();
    rig.script.answer({ until: held.promise, uses: [UPGRADE] }, { pieces: ["sent"] });
    await rig.call("POST", `${path}/messages`, { text: "Change it" });
    expect(await rig.call("POST", `${path}/messages`, { text: "And?" })).toMatchObject({
      status: 409,
      body: error("conflict", "agent_busy"),
    });
    held.resolve();
    await phase(rig, id, "awaitingApproval");
    expect(await rig.call("POST", `${path}/messages`, { text: "And?" })).toMatchObject({
      status: 409,
      body: error("conflict", "awaiting_approval"),
    });
    const sent = await rig.call("POST", `${path}/actions`, {
      action: "stop_and_send",
      text: "Instead, this",
    });
    expect(sent).toEqual({ status: 200, body: { result: "done" } });
    await phase(rig, id, "idle");
  });
});

describe("the host", () => {
  it("tells its health to anyone", async () => {
    const health = await fetch(`${rig.origin}/healthz`);
    expect([health.status, await health.json()]).toEqual([
      200,
      {
        status: "ok",
        sandbox: { tier: "T0", abi: 6, network: "proxy", residual: ["One leak."] },
        surfaces: { console: "on", slack: "off" },
        version: "0.0.0-test",
      },
    ]);
    for (const status of ["starting", "draining"] as const) {
      rig.setHealth(status);
      expect((await fetch(`${rig.origin}/healthz`)).status).toBe(503);
      expect((await fetch(`${rig.origin}/readyz`)).status).toBe(503);
    }
    rig.setHealth("ok");
    expect((await fetch(`${rig.origin}/readyz`)).status).toBe(200);
    // 40.B: readiness says which platform has no connection, and since when; the process itself is well.
    const lost = { surface: "discord", since: Date.UTC(2026, 0, 2, 3, 4, 5), isLong: false };
    for (const [isLong, wanted] of [
      [false, [200, "ok"]],
      [true, [503, "disconnected"]],
    ] as const) {
      rig.setHealth("ok", [{ ...lost, isLong }]);
      const answer = await fetch(`${rig.origin}/readyz`);
      expect([answer.status, await answer.json()]).toEqual([
        wanted[0],
        { status: wanted[1], away: { discord: "2026-01-02T03:04:05.000Z" } },
      ]);
      expect((await fetch(`${rig.origin}/healthz`)).status).toBe(200);
    }
    rig.setHealth("ok");
  });

  it("streams the trace as one JSON object a line", async () => {
    const id = await rig.begin();
    rig.script.answer({ pieces: ["x"] });
    await rig.call("POST", `/api/conversations/${id}/messages`, { text: "Hi" });
    await phase(rig, id, "idle");
    await rig.call("POST", `/api/conversations/${id}/actions`, { action: "mode", choice: "triage" });
    const response = await fetch(`${rig.origin}/api/conversations/${id}/trace`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    expect(response.headers.get("content-type")).toContain("application/x-ndjson");
    const lines = (await response.text())
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(lines.map((line) => field(line, "after"))).toEqual(["idle", "thinking", "idle", "idle"]);
    expect(lines[3]).toMatchObject({
      event: { kind: "modeSet", mode: "triage", organisation: "console", by: "console:operator" },
      reason: "Chosen in the console.",
    });
    expect(lines[1]).toMatchObject({ before: "idle", actor: "console:operator", hash: expect.any(String) });
    expect(JSON.stringify(lines)).not.toContain("Hi");
  });
});

function image(mediaType: string, data: string) {
  return { text: "look", images: [{ mediaType, data }] };
}
