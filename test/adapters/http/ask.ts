/** Steps and looks that the tests of the API share. */

import { expect } from "vitest";
import { field, type Rig } from "./rig.ts";

export const UPGRADE = {
  name: "request_mode_upgrade",
  input: { reason: "I need to edit `retry.ts`." },
};

/** The shape of an error answer. */
export const error = (type: string, code: string) => ({
  error: expect.objectContaining({ type, code, message: expect.any(String) }),
});

/** The conversation as soon as it is in `wanted`. */
export const phase = async (rig: Rig, id: string, wanted: string): Promise<object> => {
  for (;;) {
    const { body } = await rig.call("GET", `/api/conversations/${id}`);
    if (typeof body === "object" && body !== null && field(body, "phase") === wanted) return body;
    await new Promise(setImmediate);
  }
};

/** A conversation that waits for a decision. */
export const asked = async (rig: Rig): Promise<{ readonly id: string; readonly question: string }> => {
  const id = await rig.begin();
  rig.script.answer({ uses: [UPGRADE] });
  await rig.call("POST", `/api/conversations/${id}/messages`, { text: "Change it" });
  const body = await phase(rig, id, "awaitingApproval");
  expect(body).toMatchObject({
    question: {
      kind: "upgrade",
      reason: "I need to edit `retry.ts`.",
      facts: { repo: "/srv/lantern", untrusted: "none" },
    },
  });
  const { question } = Object.fromEntries(Object.entries(body));
  return { id, question: field(question, "id") };
};

export const posts = (body: unknown): readonly object[] => {
  const found = typeof body === "object" && body !== null && "posts" in body ? body.posts : null;
  return Array.isArray(found) ? found : [];
};

export const kinds = (body: unknown): readonly string[] => posts(body).map((post) => field(post, "kind"));
