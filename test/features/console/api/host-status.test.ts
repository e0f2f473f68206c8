/** What the operator reads of the host, and what is found in every conversation of it. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { asked, phase } from "../../../adapters/http/ask.ts";
import { createRig, field, type Rig } from "../../../adapters/http/rig.ts";
import { openMemory } from "../../../store/in-memory.ts";

let rig: Rig;
const opened = openMemory();
beforeAll(async () => {
  rig = await createRig({
    opened,
    late: [{ conversation: "c-late", since: 1_700_000_000_500, why: "no usable answer came" }],
    alerts: [{ text: "parley-2: The disk is nearly full.", began: 1_700_000_000_000 }],
  });
});
afterAll(() => rig.close());

const hits = z.object({
  hits: z.array(
    z.object({
      conversation: z.string(),
      surface: z.string(),
      title: z.string(),
      of: z.string(),
      archived: z.boolean(),
      snippet: z.array(z.object({ text: z.string(), match: z.boolean() })),
    }),
  ),
  next: z.number().nullable(),
});

const search = async (query: string) => {
  const { status, body } = await rig.call("GET", `/api/search?${query}`);
  expect(status).toBe(200);
  return hits.parse(body);
};

describe("GET /api/status", () => {
  it("tells the surfaces, the sandbox, what waits, what was spent, the disk and the memory", async () => {
    const { id } = await asked(rig);
    await opened.purse.spend(new Date().toISOString().slice(0, 10), ["day"], 1_250_000);
    const { status, body } = await rig.call("GET", "/api/status");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "ok",
      version: "0.0.0-test",
      late: [{ conversation: "c-late", since: 1_700_000_000_500, why: "no usable answer came" }],
      startedAt: 1_700_000_000_000,
      surfaces: { console: "on", slack: "off (SLACK_BOT_TOKEN is not set)" },
      sandbox: { tier: "T0", abi: 6, notice: null, network: "proxy", residual: ["One leak."] },
      queues: {
        working: 0,
        modelCalls: { most: 64, inUse: 0, waiting: 0 },
        toolProcesses: { most: 8, inUse: 0, waiting: 0 },
        behind: {},
        unhandled: {},
      },
      spend: { todayUsd: expect.closeTo(1.25, 1), mostUsd: expect.any(Number) },
      approvals: [
        {
          conversation: id,
          title: expect.any(String),
          surface: "console",
          kind: "upgrade",
          askedAt: expect.any(Number),
          link: `/#/c/${id}`,
        },
      ],
      alerts: [{ text: "parley-2: The disk is nearly full.", began: 1_700_000_000_000 }],
      parkedCheckouts: 2,
      knowledge: { sources: 0, texts: 0, failing: 0, bytes: 0 },
      disk: {
        freeBytes: expect.any(Number),
        sizeBytes: expect.any(Number),
        databaseBytes: expect.any(Number),
      },
      memory: { residentBytes: expect.any(Number), heapBytes: expect.any(Number) },
    });
    await rig.call("POST", `/api/conversations/${id}/actions`, { action: "stop" });
    await phase(rig, id, "idle");
    expect((await rig.call("GET", "/api/status")).body).toMatchObject({ approvals: [] });
  });

  it("counts the turns and the model calls that are under way", async () => {
    const held = Promise.withResolvers<void>();
    rig.script.answer({ pieces: ["late"], until: held.promise });
    const id = await rig.begin();
    await rig.call("POST", `/api/conversations/${id}/messages`, { text: "Wait." });
    await phase(rig, id, "thinking");
    expect((await rig.call("GET", "/api/status")).body).toMatchObject({ queues: { working: 1 } });
    held.resolve();
    await phase(rig, id, "idle");
    expect((await rig.call("GET", "/api/status")).body).toMatchObject({ queues: { working: 0 } });
  });
});

describe("GET /api/search", () => {
  it("finds what was just said and answered, page by page, with what was found marked", async () => {
    rig.script.answer({ pieces: ["The lighthouse keeper sleeps."] });
    const id = await rig.begin();
    await rig.call("POST", `/api/conversations/${id}/messages`, {
      text: "Who keeps the Lighthouse <b>lit</b>?",
    });
    await phase(rig, id, "idle");
    const { hits: all, next } = await search("q=lightho");
    expect(all.map(({ of }) => of)).toEqual(["answer", "said", "title"]);
    expect(next).toBeNull();
    expect(all[0]).toMatchObject({ conversation: id, surface: "console", archived: false });
    expect(all[1]?.snippet).toEqual([
      { text: "Who keeps the ", match: false },
      { text: "Lighthouse", match: true },
      { text: " <b>lit</b>?", match: false },
    ]);
    const first = await search("q=lightho&limit=2");
    expect(first.hits).toHaveLength(2);
    expect((await search(`q=lightho&limit=2&before=${first.next}`)).hits.map(({ of }) => of)).toEqual([
      "title",
    ]);
  });

  it("takes whatever is typed, and says what a query must be", async () => {
    for (const typed of ['"', "NEAR(", "a AND", "", "'; DROP TABLE search"]) {
      expect(await search(`q=${encodeURIComponent(typed)}`), typed).toEqual({ hits: [], next: null });
    }
    for (const query of ["", "q=a&limit=500", `q=${"a".repeat(401)}`]) {
      const { status, body } = await rig.call("GET", `/api/search?${query}`);
      expect(status, query).toBe(400);
      expect(field(z.object({ error: z.unknown() }).parse(body).error, "code")).toBe("invalid_request");
    }
  });
});
