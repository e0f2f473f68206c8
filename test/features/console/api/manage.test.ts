/** Conversations renamed, archived and deleted over real HTTP. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asked, error, phase } from "../../../adapters/http/ask.ts";
import { listen } from "../listen.ts";
import { createRig, field, type Rig } from "../../../adapters/http/rig.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

const ids = async (query = ""): Promise<readonly string[]> => {
  const { body } = await rig.call("GET", `/api/conversations?limit=200${query}`);
  const found =
    typeof body === "object" && body !== null && "conversations" in body ? body.conversations : [];
  return Array.isArray(found) ? found.map((one) => field(one, "id")) : [];
};

describe("PATCH /api/conversations/ID", () => {
  it("renames: the summary, the list and an open page say so", async () => {
    const id = await rig.begin();
    const path = `/api/conversations/${id}`;
    expect(await rig.call("PATCH", path, { title: "  Retry bug " })).toMatchObject({
      status: 200,
      body: { id, title: "Retry bug" },
    });
    expect(await rig.call("GET", path)).toMatchObject({ body: { title: "Retry bug" } });
  });

  it("archives what works, which stops it and takes it off the list; a message brings it back", async () => {
    const { id } = await asked(rig);
    const path = `/api/conversations/${id}`;
    expect(await rig.call("PATCH", path, { archived: true })).toMatchObject({
      status: 200,
      body: { id, archived: true, phase: "idle" },
    });
    expect(await ids()).not.toContain(id);
    expect(await ids("&archived=true")).toEqual([id]);
    rig.script.answer({ pieces: ["Back."] });
    expect(await rig.call("POST", `${path}/messages`, { text: "Go on" })).toMatchObject({ status: 202 });
    const body = await phase(rig, id, "idle");
    expect(body).not.toHaveProperty("archived");
    expect(await ids()).toContain(id);
    expect(await ids("&archived=true")).toEqual([]);
    await rig.call("PATCH", path, { archived: true });
    expect(await rig.call("PATCH", path, { archived: false })).toMatchObject({ status: 200 });
    expect(await ids()).toContain(id);
  });

  it.each([
    ["nothing to change", {}],
    ["an empty title", { title: "  " }],
    ["a field that is none", { title: "x", phase: "idle" }],
    ["another type", { archived: "yes" }],
  ])("refuses %s", async (_, body) => {
    const path = `/api/conversations/${await rig.begin()}`;
    expect(await rig.call("PATCH", path, body)).toMatchObject({
      status: 400,
      body: { error: { type: "invalid_request" } },
    });
  });

  it("knows only what is there", async () => {
    for (const method of ["PATCH", "DELETE"]) {
      expect(await rig.call(method, "/api/conversations/c-none", { title: "x" })).toMatchObject({
        status: 404,
        body: error("not_found", "unknown_conversation"),
      });
    }
    expect(await rig.call("GET", "/api/conversations?archived=perhaps")).toMatchObject({ status: 400 });
  });

  it("is refused to a page of another origin", async () => {
    const id = await rig.begin();
    for (const method of ["PATCH", "DELETE"]) {
      const answer = await fetch(`${rig.origin}/api/conversations/${id}`, {
        method,
        headers: { origin: "https://evil.example", "content-type": "application/json" },
        body: "{}",
      });
      expect(answer.status).toBe(403);
    }
    expect(await ids()).toContain(id);
  });
});

describe("DELETE /api/conversations/ID", () => {
  it("removes it with all that it held, and ends the streams that show it", async () => {
    const { id } = await asked(rig);
    const path = `/api/conversations/${id}`;
    const stream = listen(rig, id);
    await stream.heard(({ event }) => event === "snapshot");
    expect(await rig.call("DELETE", path)).toEqual({ status: 200, body: { result: "done" } });
    await stream.ended;
    for (const rest of ["", "/events", "/trace"]) {
      expect(await rig.call("GET", `${path}${rest}`)).toMatchObject({ status: 404 });
    }
    expect(await ids()).not.toContain(id);
    expect(await rig.call("POST", `${path}/messages`, { text: "Hello?" })).toMatchObject({ status: 404 });
    expect(await rig.call("DELETE", path)).toMatchObject({ status: 404 });
  });

  it("is for those who may approve", async () => {
    const guest = await createRig({
      operator: { id: "console:operator", mayDrive: true, mayApprove: false },
    });
    const id = await guest.begin();
    expect(await guest.call("DELETE", `/api/conversations/${id}`)).toMatchObject({
      status: 403,
      body: error("forbidden", "not_allowed"),
    });
    expect(await guest.call("GET", `/api/conversations/${id}`)).toMatchObject({ status: 200 });
    await guest.close();
  });
});
