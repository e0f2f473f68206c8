/** Row 56: however a turn ends or pauses, its request is answered, streamed or not, and the client throws its typed error. */

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Planned } from "../../adapters/http/script.ts";
import { type GatewayRig, openGateway, thrown } from "./rig.ts";

let rig: GatewayRig;
beforeEach(async () => {
  rig = await openGateway();
});
afterEach(() => rig.close());

const BASH = { name: "bash", input: { command: "ls" } };
/** Of a window of 200,000: nine tenths and more. */
const FULL = 185_000;
const SUMMARY: Planned = { pieces: ["What was done."] };

/** Begins the request and comes back when the model is asked. */
const hanging = async (ask: () => Promise<unknown>, pieces: readonly string[] = []) => {
  rig.script.answer({ pieces, until: new Promise(() => undefined) });
  const outcome = thrown(ask());
  await expect.poll(() => rig.bot.list(1, null)[0]?.state.phase.kind).toBe("thinking");
  if (pieces.length > 0)
    await expect.poll(async () => (await rig.bot.read(rig.conversation()))?.live).toBe(pieces.join(""));
  return outcome;
};

const ways = [
  ["whole", (text: string) => rig.ask(text)],
  ["streamed", (text: string) => rig.stream(text)],
] as const;

describe.each(ways)("%s: a turn that", (way, ask) => {
  it("fills the context with its answer is answered, and says so", async () => {
    rig.script.answer({ pieces: ["In retry.ts."], input: FULL }, SUMMARY);
    expect(await ask("Where?")).toMatch(/^In retry\.ts\.\n\n\[The session's context is full.*X-Session-Id/);
  });

  it("fills the context before its calls says what did not run", async () => {
    rig.script.answer({ pieces: ["I look."], uses: [BASH], input: FULL }, SUMMARY);
    expect(await ask("Where?")).toMatch(/^I look\.\n\n\[The session's context is full.* Not run: bash\./);
  });

  it("fills the context without a word is an error of the context", async () => {
    rig.script.answer({ uses: [BASH], input: FULL }, SUMMARY);
    expect(await thrown(ask("Where?"))).toMatchObject({
      name: "BadRequestError",
      status: 400,
      code: "context_length_exceeded",
      message: expect.stringContaining("Not run: bash."),
    });
  });

  it("is too large for the model is the same error, whatever becomes of the summary", async () => {
    rig.script.answer({ fails: "too long", kind: "context" }, { fails: "no summary", kind: "auth" });
    expect(await thrown(ask("Where?"))).toMatchObject({ status: 400, code: "context_length_exceeded" });
  });

  it("is stopped, or stopped for another message, is a conflict", async () => {
    const stopped = hanging(() => ask("Where?"));
    await expect.poll(() => rig.bot.list(1, null)[0]?.state.phase.kind).toBe("thinking");
    await rig.act({ action: "stop" });
    expect(await stopped).toMatchObject({ name: "ConflictError", status: 409, code: "stopped" });

    const replaced = hanging(() => ask("Where?"));
    await expect.poll(() => rig.bot.list(1, null)[0]?.state.phase.kind).toBe("thinking");
    rig.script.answer({ pieces: ["Something else."] });
    await rig.act({ action: "stop_and_send", text: "Something else?" });
    expect(await replaced).toMatchObject({ status: 409, code: "stopped" });
  });

  it("is stopped while it summarises keeps what it has said", async () => {
    rig.script.answer(
      { pieces: ["In retry.ts."], input: FULL },
      { pieces: ["Sum"], until: new Promise(() => undefined) },
    );
    const asked = ask("Where?");
    await expect.poll(() => rig.bot.list(1, null)[0]?.state.phase.kind).toBe("summarizing");
    await rig.act({ action: "stop" });
    expect(await asked).toMatch(/^In retry\.ts\.\n\n\[The session's context is full/);
  });

  it.each([
    ["auth", "InternalServerError", 502, "auth"],
    ["not_found", "InternalServerError", 502, "not_found"],
    ["limit", "InternalServerError", 502, "limit"],
    ["budget", "APIError", 402, "budget"],
    ["costly", "APIError", 402, "costly"],
    ["billing", "InternalServerError", 502, "billing"],
  ] as const)("fails for %s: %s", async (kind, name, status, code) => {
    rig.script.answer({ fails: "No luck.", kind });
    expect(await thrown(ask("Where?"))).toMatchObject({
      name,
      status,
      code,
      message: expect.stringContaining("No luck."),
    });
  });

  it("comes to nothing says so, and one that the model refuses or cuts has OpenAI's reason", async () => {
    rig.script.answer({ pieces: [] });
    expect(await thrown(ask("Where?"))).toMatchObject({ status: 502, code: "empty" });
    for (const [stop, reason] of [
      ["refusal", "content_filter"],
      ["max_tokens", "length"],
    ] as const) {
      rig.script.answer(...Array.from({ length: 5 }, () => ({ pieces: ["No."], stop })));
      const { choices } = await rig
        .client()
        .chat.completions.create(
          { model: "parley", messages: [{ role: "user", content: "Where?" }] },
          { headers: { "X-Session-Id": `${way}-${stop}` } },
        );
      expect(choices[0]?.finish_reason).toBe(reason);
      rig.script.clear();
    }
  });

  it("goes on after an attempt that failed", async () => {
    rig.script.answer({ fails: "busy", kind: "overloaded" }, { pieces: ["In retry.ts."] });
    expect(await ask("Where?")).toBe("In retry.ts.");
  });

  it("loses its session, or its host, is told", async () => {
    const deleted = hanging(() => ask("Where?"));
    await expect.poll(() => rig.bot.list(1, null)[0]?.state.phase.kind).toBe("thinking");
    const path = `/api/conversations/${rig.conversation()}`;
    expect(await rig.call("DELETE", path)).toMatchObject({ status: 200 });
    expect(await deleted).toMatchObject({
      status: 409,
      code: expect.stringMatching(/^(stopped|deleted)$/),
    });

    const ended = hanging(() => ask("Where?"));
    await expect.poll(() => rig.bot.list(1, null)[0]?.state.phase.kind).toBe("thinking");
    await rig.bot.close();
    expect(await ended).toMatchObject({ name: "InternalServerError", status: 503, code: "interrupted" });
  });

  it.each([
    [
      "write access",
      { name: "request_mode_upgrade", input: { reason: "To edit" } },
      "EXEC_ARBITRARY",
      ["EXEC_ARBITRARY"],
    ],
    [
      "a work mode",
      { name: "agent_change_mode", input: { mode: "triage", branch: false, reason: "To sort" } },
      null,
      [],
    ],
  ] as const)(
    "row 113: asks for %s is a BadRequestError with all of the details",
    async (_, use, category, all) => {
      rig.script.answer({ uses: [use] });
      const first = await thrown(ask("Do it"));
      expect(first).toMatchObject({
        name: "BadRequestError",
        status: 400,
        code: "approval_required",
        error: {
          details: {
            category,
            required_categories: all,
            session_id: "s1",
            prompt: {
              what: expect.stringMatching(/write access|triage/),
              why: expect.stringMatching(/^To (edit|sort)$/),
              risk: expect.any(String),
              changes: expect.any(Array),
            },
            blocked_reason: "approval_required",
            question: { id: expect.any(String), conversation: rig.conversation() },
          },
        },
      });
      expect((await thrown(ask("Do it"))).error.details).toEqual(first.error.details);
    },
  );
});

it("row 113: a dangerous call is an HTTP error of a stream too, and has ended when the client hears of it", async () => {
  rig.script.answer(
    { uses: [{ name: "request_mode_upgrade", input: { reason: "To list" } }] },
    { pieces: ["May."] },
  );
  await thrown(rig.stream("List it"));
  const id = rig.conversation();
  const wire = (await rig.bot.read(id))?.question?.wire;
  await rig.act({ action: "decide", question: wire, choice: "approve" });
  await expect.poll(async () => (await rig.bot.read(id))?.state.phase.kind).toBe("idle");
  rig.script.answer({ uses: [{ name: "bash", input: { command: "sudo ls" } }] });
  expect(await thrown(rig.stream("List it"))).toMatchObject({
    name: "BadRequestError",
    error: { details: { category: "SUDO", required_categories: ["SUDO"], prompt: { what: "sudo ls" } } },
  });
  expect((await rig.bot.read(id))?.state.phase.kind).toBe("idle");
});

it("what goes wrong after the first text of a stream is thrown while it is read", async () => {
  rig.script.answer({
    pieces: ["I try. "],
    uses: [{ name: "request_mode_upgrade", input: { reason: "To edit" } }],
  });
  expect(await thrown(rig.stream("Do it"))).toMatchObject({ name: "APIError", code: "approval_required" });
});

it("an attempt that broke off in the middle of a stream is followed by the whole answer", async () => {
  rig.script.answer(
    { pieces: ["In con", "fig. "], fails: "cut", kind: "network" },
    { pieces: ["In retry.ts."] },
  );
  expect(await rig.stream("Where?")).toBe(
    "In config. \n\n[The answer was interrupted and begins again.]\n\nIn retry.ts.",
  );
});

it("the client does not repeat a message that was taken, as it does by default after 409 and 5xx", async () => {
  for (const [session, plan] of [
    ["a", { fails: "No luck." }],
    ["b", { pieces: [] }],
  ] as const) {
    rig.script.answer(plan, { pieces: ["Again!"] });
    const headers = { "X-Session-Id": session };
    const body = { model: "parley", messages: [{ role: "user" as const, content: "Where?" }] };
    expect(await thrown(rig.client(2).chat.completions.create(body, { headers }))).toMatchObject({
      status: 502,
    });
    rig.script.clear();
  }
});

it("a session that is full takes nothing, and goes on where it was continued", async () => {
  rig.script.answer({ pieces: ["In retry.ts."], input: FULL }, SUMMARY);
  await rig.ask("Where?");
  expect(await thrown(rig.ask("And now?"))).toMatchObject({ status: 400, code: "context_length_exceeded" });
  const first = rig.conversation();
  rig.script.answer({ pieces: ["Read."] });
  expect(await rig.act({ action: "continue" })).toEqual({ result: "done" });
  const conversations = () => rig.bot.list(9, null).map(({ state }) => state);
  await expect.poll(() => conversations().map(({ turn }) => turn.end?.why)).toEqual(["answered", "answered"]);
  await expect
    .poll(() => conversations().find(({ id }) => id === first)?.phase)
    .toMatchObject({
      next: conversations().find(({ id }) => id !== first)?.id,
    });
  rig.script.answer({ pieces: ["On we go."] });
  expect(await rig.ask("And now?")).toBe("On we go.");
  expect(
    conversations()
      .map(({ turn }) => turn.no)
      .toSorted((a, b) => a - b),
  ).toEqual([1, 2]);
});

it("a message while another is answered is refused, and may be repeated", async () => {
  const first = hanging(() => rig.ask("Where?"));
  await expect.poll(() => rig.bot.list(1, null)[0]?.state.phase.kind).toBe("thinking");
  expect(await thrown(rig.ask("And?"))).toMatchObject({ name: "ConflictError", code: "agent_busy" });
  await rig.act({ action: "stop" });
  await first;
});

it("a client that goes away before the first text stops its turn", async () => {
  const gone = new AbortController();
  rig.script.answer({ until: new Promise(() => undefined) });
  const asked = rig
    .client()
    .chat.completions.create(
      { model: "parley", messages: [{ role: "user", content: "go" }], stream: true },
      { signal: gone.signal },
    );
  await expect.poll(() => rig.bot.list(1, null)[0]?.state.phase.kind).toBe("thinking");
  gone.abort();
  await expect(asked).rejects.toThrow(/abort/i);
  await expect.poll(() => rig.bot.list(1, null)[0]?.state.turn.end?.why).toBe("stopped");
});
