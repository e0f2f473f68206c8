/** Buttons as requests: every click gets one clear answer, and only one of two clicks decides (B2). */

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { asked, error, kinds, phase, posts } from "../../../adapters/http/ask.ts";
import { createRig, field, type Rig } from "../../../adapters/http/rig.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

/** A conversation whose context is full. */
const exhausted = async (summary: { readonly pieces: readonly string[] }) => {
  const id = await rig.begin();
  rig.script.answer({ pieces: ["In retry.ts."], input: 185_000 }, summary);
  await rig.call("POST", `/api/conversations/${id}/messages`, { text: "Where?" });
  await phase(rig, id, "exhausted");
  return `/api/conversations/${id}`;
};

/** What the new conversation begins with. */
const beginning = async (path: string) => {
  const next = async () => {
    const { body } = await rig.call("GET", path);
    const summary = posts(body).find((post) => field(post, "kind") === "summary") ?? {};
    return "thread" in summary ? field(summary, "thread") : null;
  };
  await expect.poll(next).not.toBeNull();
  return JSON.stringify((await rig.call("GET", `/api/conversations/${await next()}`)).body);
};

describe("actions", () => {
  it("two clicks at once: one decides, the other is told who did", async () => {
    const { id, question } = await asked(rig);
    const click = (choice: string) =>
      rig.call("POST", `/api/conversations/${id}/actions`, { action: "decide", question, choice });
    rig.script.answer({ pieces: ["done"] });
    const answers = await Promise.all([click("approve"), click("deny")]);
    expect(answers).toEqual([
      { status: 200, body: { result: "done" } },
      { status: 200, body: { result: "already_decided", by: "console:operator", at: expect.any(Number) } },
    ]);
    expect(await phase(rig, id, "idle")).toMatchObject({ permission: "unrestricted" });
    expect(await rig.call("POST", `/api/conversations/${id}/actions`, { action: "restrict" })).toEqual({
      status: 200,
      body: { result: "done" },
    });
    expect(await rig.call("POST", `/api/conversations/${id}/actions`, { action: "restrict" })).toEqual({
      status: 200,
      body: { result: "no_op" },
    });
  });

  it("an answer has the operator's vote, which is changed, explained and taken back, and can be the one that solved it", async () => {
    const id = await rig.begin();
    rig.script.answer({ pieces: ["In retry.ts."] });
    await rig.call("POST", `/api/conversations/${id}/messages`, { text: "Where?" });
    await phase(rig, id, "idle");
    const judged = async () => {
      const { body } = await rig.call("GET", `/api/conversations/${id}`);
      const footer = posts(body).find((post) => field(post, "kind") === "footer") ?? {};
      return "answer" in footer ? footer.answer : null;
    };
    const answer = field(await judged(), "id");
    const requests = rig.script.asked.length;
    const act = (action: string, more = {}) =>
      rig.call("POST", `/api/conversations/${id}/actions`, { action, answer, ...more });
    expect(await act("thumb_up")).toEqual({ status: 200, body: { result: "done", thumb: "up" } });
    expect(await act("why", { text: "Wrong file." })).toMatchObject({ body: { thumb: "down" } });
    expect(await act("solved")).toMatchObject({ status: 200 });
    expect(await judged()).toEqual({ id: answer, thumb: "down", solved: true, deeper: false });
    expect(await act("thumb_down")).toMatchObject({ body: { thumb: null } });
    expect(await act("why")).toMatchObject({ status: 400 });
    expect(rig.script.asked).toHaveLength(requests);
  });

  it("another model answers from the next request on; one that the host has not is refused by name", async () => {
    const id = await rig.begin();
    const act = (choice: string) =>
      rig.call("POST", `/api/conversations/${id}/actions`, { action: "model", choice });
    expect(await act("other")).toEqual({ status: 200, body: { result: "done" } });
    expect((await rig.call("GET", `/api/conversations/${id}`)).body).toMatchObject({ model: "other" });
    expect(await act("other")).toEqual({ status: 200, body: { result: "no_op" } });
    expect(await act("nothing")).toMatchObject({
      status: 400,
      body: {
        error: { code: "unknown_model", message: "There is no model nothing. There are test, other." },
      },
    });
    expect((await rig.call("GET", "/api/about")).body).toMatchObject({ models: ["test", "other"] });
    expect(await rig.call("POST", `/api/conversations/${id}/actions`, { action: "retry_other" })).toEqual({
      status: 200,
      body: { result: "no_op" },
    });
  });

  it("a denial keeps Restricted, and its comment is shown", async () => {
    const { id, question } = await asked(rig);
    rig.script.answer({ pieces: ["as you wish"] });
    const body = { action: "decide", question, choice: "deny", text: "Only read, please." };
    expect(await rig.call("POST", `/api/conversations/${id}/actions`, body)).toMatchObject({ status: 200 });
    const after = await phase(rig, id, "idle");
    expect(after).toMatchObject({ permission: "restricted" });
    expect(posts(after)).toContainEqual(
      expect.objectContaining({
        kind: "question",
        actions: [],
        decision: expect.objectContaining({ choice: "deny", comment: "Only read, please." }),
      }),
    );
  });

  it("a question that was withdrawn, is another conversation's or never was has expired", async () => {
    const { id, question } = await asked(rig);
    const path = `/api/conversations/${id}/actions`;
    expect(await rig.call("POST", path, { action: "stop" })).toEqual({
      status: 200,
      body: { result: "done" },
    });
    const late = await rig.call("POST", path, { action: "decide", question, choice: "approve" });
    expect(late).toMatchObject({ status: 200, body: { result: "expired", by: "console:operator" } });
    const never = { action: "decide", question: "nobody-asked", choice: "approve" };
    expect(await rig.call("POST", path, never)).toEqual({ status: 200, body: { result: "expired" } });
    const other = await asked(rig);
    const crossed = { action: "decide", question: other.question, choice: "approve" };
    expect(await rig.call("POST", path, crossed)).toEqual({ status: 200, body: { result: "expired" } });
    expect(await phase(rig, id, "idle")).toMatchObject({ permission: "restricted" });
    await rig.call("POST", `/api/conversations/${other.id}/actions`, { action: "stop" });
  });

  it("an owner of the version before, who says null where nobody was first, is told on as nobody", async () => {
    const { id, question } = await asked(rig);
    const path = `/api/conversations/${id}/actions`;
    const decide = { action: "decide", question, choice: "approve" };
    const answered = async (by: string | null, at: number | null) => {
      const result = JSON.stringify({ kind: "refused", why: "already_decided", by, at });
      vi.spyOn(rig.bot, "act").mockResolvedValueOnce(JSON.parse(result));
      return (await rig.call("POST", path, decide)).body;
    };
    expect(await answered(null, null)).toEqual({ result: "expired" });
    expect(await answered("slack:U1", 5)).toEqual({ result: "already_decided", by: "slack:U1", at: 5 });
    await rig.call("POST", path, { action: "stop" });
  });

  it("nothing to do is said so", async () => {
    const path = `/api/conversations/${await rig.begin()}/actions`;
    for (const action of ["stop", "restrict", "retry"]) {
      expect(await rig.call("POST", path, { action })).toEqual({ status: 200, body: { result: "no_op" } });
    }
  });

  it.each([
    ["unknown", { action: "sudo" }, 400, "invalid_request"],
    ["missing", {}, 400, "invalid_request"],
    ["without its question", { action: "decide", choice: "approve" }, 400, "invalid_request"],
    [
      "with a choice that no question has",
      { action: "decide", question: "q", choice: "perhaps" },
      400,
      "unknown_choice",
    ],
    ["with a choice that is none", { action: "continue", choice: "half" }, 400, "invalid_request"],
    ["for a mode that is not there", { action: "mode", choice: "nope" }, 400, "unknown_mode"],
    ["with an empty message", { action: "stop_and_send", text: "" }, 400, "empty_message"],
  ])("%s: a clear answer", async (_, body, status, code) => {
    const path = `/api/conversations/${await rig.begin()}/actions`;
    expect(await rig.call("POST", path, body)).toMatchObject({ status, body: { error: { code } } });
  });

  it("continue without a choice is New with summary where the context is full", async () => {
    const path = await exhausted({ pieces: ["What was done."] });
    rig.script.answer({ pieces: ["On we go."] });
    const done = await rig.call("POST", `${path}/actions`, { action: "continue" });
    expect(done).toEqual({ status: 200, body: { result: "done" } });
    expect(await beginning(path)).toContain("What was done.");
  });

  it("continue without a choice is New empty where there is no summary", async () => {
    const path = await exhausted({ pieces: [] });
    expect(await rig.call("POST", `${path}/actions`, { action: "continue" })).toMatchObject({ status: 200 });
    expect(await beginning(path)).not.toContain("What was done.");
  });

  it("a refused message names the actions that help, and they do", async () => {
    const path = await exhausted({ pieces: ["What was done."] });
    const refused = await rig.call("POST", `${path}/messages`, { text: "And now?" });
    const actions = [{ action: "continue" }, { action: "continue", choice: "empty" }];
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { code: "context_exhausted", details: { actions } } },
    });
    expect(await rig.call("POST", `${path}/actions`, actions[1])).toMatchObject({ status: 200 });

    const busy = await rig.begin();
    rig.script.answer({ until: new Promise(() => undefined) });
    await rig.call("POST", `/api/conversations/${busy}/messages`, { text: "Go" });
    const held = await rig.call("POST", `/api/conversations/${busy}/messages`, { text: "And?" });
    expect(held).toMatchObject({
      status: 409,
      body: {
        error: { code: "agent_busy", details: { actions: expect.arrayContaining([{ action: "stop" }]) } },
      },
    });
    expect(await rig.call("POST", `/api/conversations/${busy}/actions`, { action: "stop" })).toMatchObject({
      status: 200,
    });
  });

  it("D7 a message that was refused is sent by its id, once, with what the host stored of it", async () => {
    const id = await rig.begin();
    const path = `/api/conversations/${id}`;
    const said = async () => {
      const { body } = await rig.call("GET", path);
      return posts(body)
        .filter((post) => field(post, "kind") === "user")
        .map((post) => field(post, "markdown"));
    };
    rig.script.answer({ until: new Promise(() => undefined) }, { pieces: ["One."] }, { pieces: ["Two."] });
    await rig.call("POST", `${path}/messages`, { text: "Go" });
    for (const [message, text] of [
      ["first", "Instead, this"],
      ["second", "And this"],
    ] as const)
      expect(await rig.call("POST", `${path}/messages`, { id: message, text })).toMatchObject({
        status: 409,
      });
    const stopAndSend = () =>
      rig.call("POST", `${path}/actions`, { action: "stop_and_send", refused: "first" });
    expect(await stopAndSend()).toEqual({ status: 200, body: { result: "done" } });
    await phase(rig, id, "idle");
    const again = () => rig.call("POST", `${path}/messages`, { id: "third", refused: "second" });
    expect(await again()).toMatchObject({ status: 202 });
    expect(await again()).toMatchObject({ status: 202, body: { duplicate: true } });
    await phase(rig, id, "idle");
    expect(await said()).toEqual(["Go", "Instead, this", "And this"]);
    const gone = { status: 404, body: { error: { code: "unknown_message" } } };
    expect(await stopAndSend()).toMatchObject(gone);
    for (const refused of ["third", "never"])
      expect(await rig.call("POST", `${path}/messages`, { refused })).toMatchObject(gone);
    const other = `/api/conversations/${await rig.begin()}/messages`;
    expect(await rig.call("POST", other, { refused: "second" })).toMatchObject(gone);
    expect(await said()).toEqual(["Go", "Instead, this", "And this"]);
  });

  it("D51 a refused message is added to the turn or waits, as the conversation shows, and can be removed", async () => {
    const id = await rig.begin();
    const path = `/api/conversations/${id}`;
    const gate = Promise.withResolvers<void>();
    rig.script.answer(
      { pieces: ["One."], until: gate.promise },
      { pieces: ["Two."] },
      { pieces: ["Three."] },
      { pieces: ["Four."] },
    );
    await rig.call("POST", `${path}/messages`, { text: "Go" });
    for (const [message, text] of [
      ["first", "Only the client"],
      ["second", "And the tests?"],
    ] as const)
      expect(await rig.call("POST", `${path}/messages`, { id: message, text })).toMatchObject({
        status: 409,
        body: {
          error: {
            details: {
              actions: ["stop", "stop_and_send", "send_when_done", "add_to_turn"].map((action) =>
                expect.objectContaining({ action }),
              ),
            },
          },
        },
      });
    const act = (body: object) => rig.call("POST", `${path}/actions`, body);
    expect(await act({ action: "add_to_turn", refused: "first" })).toEqual({
      status: 200,
      body: { result: "done", as: "added" },
    });
    expect(await act({ action: "send_when_done", text: "Gone again" })).toMatchObject({
      body: { result: "done", as: "waiting" },
    });
    expect(await act({ action: "send_when_done", refused: "second" })).toMatchObject({
      status: 409,
      body: { error: { code: "already_waiting" } },
    });
    const shown = async () => (await rig.call("GET", path)).body;
    const waiting = expect.stringMatching(/^m-/);
    const before = await shown();
    expect(before).toMatchObject({
      waiting: [{ id: waiting, name: "operator", text: "Gone again" }],
      status: { text: "Thinking · 1 message waits, from @operator" },
    });
    const [{ id: message }] = z
      .object({ waiting: z.tuple([z.object({ id: z.string() })]) })
      .parse(before).waiting;
    expect(await act({ action: "remove_waiting", message })).toMatchObject({ body: { result: "done" } });
    expect(await act({ action: "remove_waiting", message })).toMatchObject({ body: { result: "no_op" } });
    expect(await shown()).not.toHaveProperty("waiting");
    expect(await act({ action: "send_when_done", refused: "second" })).toMatchObject({
      body: { result: "done", as: "waiting" },
    });
    gate.resolve();
    await expect
      .poll(async () =>
        posts(await shown()).flatMap((post) =>
          field(post, "kind") === "user" ? [field(post, "markdown")] : [],
        ),
      )
      .toEqual(["Go", "Only the client", "And the tests?"]);
    await phase(rig, id, "idle");
    expect(await act({ action: "add_to_turn", text: "And this" })).toMatchObject({
      body: { result: "done", as: "started" },
    });
    await phase(rig, id, "idle");
  });

  it("safe mode and the work mode are set, and seen in the summary", async () => {
    const id = await rig.begin();
    const path = `/api/conversations/${id}`;
    expect(await rig.call("POST", `${path}/actions`, { action: "safe_mode", choice: "on" })).toMatchObject({
      body: { result: "no_op" },
    });
    await rig.call("POST", `${path}/actions`, { action: "safe_mode", choice: "off" });
    await rig.call("POST", `${path}/actions`, { action: "mode", choice: "triage" });
    expect(await rig.call("GET", path)).toMatchObject({ body: { safeMode: false, mode: "triage" } });
  });

  it("a failed turn offers another try, which is taken", async () => {
    const id = await rig.begin();
    rig.script.answer({ fails: "The key is wrong." }, { pieces: ["now"] });
    await rig.call("POST", `/api/conversations/${id}/messages`, { text: "Hi" });
    const failed = await phase(rig, id, "failed");
    expect(posts(failed)).toContainEqual(
      expect.objectContaining({ tone: "error", actions: [{ action: "retry", label: "Try again" }] }),
    );
    const retried = await rig.call("POST", `/api/conversations/${id}/actions`, { action: "retry" });
    expect(retried).toEqual({ status: 200, body: { result: "done" } });
    expect(kinds(await phase(rig, id, "idle"))).toContain("answer");
  });

  it("who may not approve is told 403, and nothing opens", async () => {
    const guest = await createRig({
      operator: { id: "console:operator", mayDrive: true, mayApprove: false },
    });
    const { id, question } = await asked(guest);
    const decision = { action: "decide", question, choice: "approve" };
    expect(await guest.call("POST", `/api/conversations/${id}/actions`, decision)).toMatchObject({
      status: 403,
      body: error("forbidden", "not_allowed"),
    });
    expect((await guest.call("GET", `/api/conversations/${id}`)).body).toMatchObject({
      permission: "restricted",
      phase: "awaitingApproval",
    });
    await guest.close();
  });

  it("without a sandbox, restrict answers with what the kernel needs and the thread says so", async () => {
    const open = await createRig({ confinement: "unavailable" });
    const id = await open.begin();
    const answer = await open.call("POST", `/api/conversations/${id}/actions`, { action: "restrict" });
    expect(answer).toMatchObject({
      status: 409,
      body: {
        error: { code: "not_available", details: { requires: expect.stringContaining("Linux 5.13") } },
      },
    });
    open.script.answer({ pieces: ["hi"] });
    await open.call("POST", `/api/conversations/${id}/messages`, { text: "Hi" });
    const { body } = await open.call("GET", `/api/conversations/${id}`);
    expect(posts(body)[0]).toMatchObject({ key: "opening", tone: "warning" });
    expect(JSON.stringify(posts(body)[0])).toContain("no sandbox");
    await open.close();
  });
});
