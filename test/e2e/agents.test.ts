/** Sub-agents through the whole product: real process, real checkout, real sandbox, the model's fake at the wire. */

import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { call, say } from "../fakes/anthropic/turn.ts";
import { descendants } from "../escape/arena/traces.ts";
import type { Exchange } from "../fakes/shared/exchange.ts";
import { createRig, type Rig, type Thread } from "./rig.ts";

const TASKS = ["Where is retrying configured?", "What does the README say?", "Is there a licence?"];

const bodyOf = (request: Exchange): string => JSON.stringify(request.body ?? null);

/** Requests of the sub-agent with that task. */
const ofAgent =
  (task: string) =>
  (request: Exchange): boolean =>
    bodyOf(request).includes("You are a sub-agent of Parley") && bodyOf(request).includes(task);

const ofParent = (request: Exchange): boolean => bodyOf(request).includes("You are Parley, a coding agent");

const spawn = call("spawn_agents", { tasks: TASKS.map((task) => ({ task })) });

const agentSchema = z.looseObject({ id: z.string(), parent: z.string(), phase: z.string() });

const agentsOf = async (rig: Rig, thread: Thread) => {
  const { body } = await rig.host().call("GET", `/api/conversations/${thread.id}`);
  return z.looseObject({ agents: z.array(agentSchema).default([]) }).parse(body).agents;
};

/** Commands of these tests that run below the host. */
const running = (rig: Rig): readonly string[] =>
  descendants(rig.host().process.pid)
    .flatMap((pid) => {
      const path = `/proc/${pid}/cmdline`;
      return existsSync(path) ? [readFileSync(path, "utf8").replaceAll("\0", " ").trim()] : [];
    })
    .filter((line) => line.startsWith("sleep 600."))
    .toSorted();

describe("an investigation", () => {
  it("rows 23 to 28, 50: three helpers read a real checkout, write nothing, and return one cited aggregate", async () => {
    const rig = await createRig();
    const thread = await rig.begin();
    const [retry = "", readme = "", licence = ""] = TASKS;
    rig.fake.scriptFor(ofParent, spawn, say("Three attempts (src/retry.js:1); see README.md:1."));
    rig.fake.scriptFor(
      ofAgent(retry),
      call("bash", { command: "cat src/retry.js; touch new.txt || echo refused" }),
      call("submit_result", { result: "ATTEMPTS is 3 (src/retry.js:1)." }),
    );
    rig.fake.scriptFor(
      ofAgent(readme),
      call("keyword_search", { query: "sample", search_terms: ["sample"] }),
      call("submit_result", { result: "It is a sample (README.md:1)." }),
    );
    rig.fake.scriptFor(ofAgent(licence), say("There is none."));

    const detail = await thread.turn("Investigate this repository.");
    expect(detail.phase).toBe("idle");

    const asked = rig.fake.requests.filter(ofParent).at(-1);
    const told = bodyOf(asked ?? fail());
    expect(told).toContain("3 of 3 sub-agents finished");
    expect(told.indexOf("ATTEMPTS is 3 (src/retry.js:1).")).toBeLessThan(told.indexOf("It is a sample"));
    expect(told.indexOf("It is a sample (README.md:1).")).toBeLessThan(told.indexOf("There is none."));
    const answer = detail.posts.find(({ kind }) => kind === "answer")?.markdown;
    expect(answer).toContain("src/retry.js:1");
    expect(JSON.stringify(detail.posts.at(-1))).toContain("src/retry.js:1");

    const tried = bodyOf(rig.fake.requests.filter(ofAgent(retry)).at(-1) ?? fail());
    expect(tried).toContain("export const ATTEMPTS = 3;");
    expect(tried).toContain("refused");
    expect(rig.fake.violations).toEqual([]);

    const agents = await agentsOf(rig, thread);
    expect(agents).toMatchObject(TASKS.map(() => ({ parent: thread.id, phase: "ended" })));
    const { body: list } = await rig.host().call("GET", "/api/conversations");
    expect(JSON.stringify(list)).not.toContain(agents[0]?.id);
    const { body: first } = await rig.host().call("GET", `/api/conversations/${agents[0]?.id}`);
    expect(JSON.stringify(first)).toContain("cat src/retry.js");
    const refused = await rig
      .host()
      .call("POST", `/api/conversations/${agents[0]?.id}/messages`, { text: "hello" });
    expect(refused).toMatchObject({ status: 409, body: { error: { code: "sub_agent" } } });
  });

  it("what a helper begins in the background is read by it and ends with it; its parent's goes on", async () => {
    const rig = await createRig();
    const thread = await rig.begin();
    const gate = rig.fake.gate();
    const [task = ""] = TASKS;
    rig.fake.scriptFor(
      ofParent,
      background("sleep 600.375"),
      call("spawn_agents", { tasks: [{ task }] }),
      say("All in."),
    );
    rig.fake.scriptFor(
      ofAgent(task),
      background("echo it said this; sleep 600.875"),
      call("bash", { command: "until cat ${PWD%/work}/background/* | grep this; do sleep 0.05; done" }),
      { ...call("submit_result", { result: "Three." }), hold: gate },
    );
    await thread.say("Investigate this repository.");
    await expect.poll(() => running(rig)).toEqual(["sleep 600.375", "sleep 600.875"]);
    await expect
      .poll(() => bodyOf(rig.fake.requests.filter(ofAgent(task)).at(-1) ?? fail()))
      .toContain('"it said this\\n"');
    gate.open();
    await thread.until("idle");
    await expect.poll(() => running(rig)).toEqual(["sleep 600.375"]);
  });

  it("a helper that answers nothing yet is stopped with its parent, and crashed helpers are counted", async () => {
    const rig = await createRig();
    const thread = await rig.begin();
    const gate = rig.fake.gate();
    const [retry = "", readme = "", licence = ""] = TASKS;
    rig.fake.scriptFor(ofParent, spawn, say("So far so good."));
    rig.fake.scriptFor(ofAgent(retry), call("submit_result", { result: "ATTEMPTS is 3." }));
    for (const task of [readme, licence]) rig.fake.scriptFor(ofAgent(task), { ...say("late"), hold: gate });
    await thread.say("Investigate this repository.");
    await expect
      .poll(async () => (await agentsOf(rig, thread)).map(({ phase }) => phase))
      .toEqual(["ended", "thinking", "thinking"]);
    await rig.crash();
    const crashed = await thread.until("idle");
    expect(JSON.stringify(crashed.posts)).toContain("interrupted by restart");
    expect((await agentsOf(rig, thread)).map(({ phase }) => phase)).toEqual(["ended", "ended", "ended"]);
    await thread.act({ action: "retry" });
    await thread.until("idle");
    const told = bodyOf(rig.fake.requests.filter(ofParent).at(-1) ?? fail());
    expect(told).toContain("1 of 3 sub-agents finished");
    expect(told).toContain("ATTEMPTS is 3.");

    rig.fake.scriptFor(ofParent, spawn);
    for (const task of TASKS) rig.fake.scriptFor(ofAgent(task), { ...say("late"), hold: gate });
    await thread.say("Again.");
    await expect
      .poll(async () => (await agentsOf(rig, thread)).filter(({ phase }) => phase === "thinking").length)
      .toBe(3);
    await thread.act({ action: "stop" });
    expect((await thread.until("idle")).phase).toBe("idle");
    await expect
      .poll(async () => (await agentsOf(rig, thread)).every(({ phase }) => phase === "ended"))
      .toBe(true);
  });
});

const fail = (): never => {
  throw new Error("there was no such request");
};

const background = (command: string) => call("bash", { command, mode: "background" });
