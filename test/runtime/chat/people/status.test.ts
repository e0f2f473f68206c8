/** What `status` tells: where the conversation works, what it may, how full it is and what it does (BED-011.3, BED-012). */

import { describe, expect, it } from "vitest";
import { statusText } from "../../../../src/runtime/chat/people/reply-texts.ts";
import { inPhase, phases } from "../../../machine/samples.ts";
import { conversationOf } from "../../../store/plain.ts";
import { english } from "../../../../src/i18n/say.ts";

const base = { commit: "0123456789abcdef", ref: "main", cwd: "/work" };
const conversation = { ...conversationOf("c-1"), base };

describe("the status of a conversation", () => {
  it("BED-011.3 names permission, mode, safe mode, repository and commit, and what it does", () => {
    const [held, , where, doing] = statusText(
      { conversation, state: inPhase(phases.running) },
      null,
      [],
      null,
      english,
    ).split("\n");
    expect(held).toBe("Restricted · mode general · safe mode on");
    expect(where).toBe(`${conversation.repo.location} at 012345678 (main)`);
    expect(doing).toBe("Running a tool.");
    const open = { ...inPhase(phases.idle), permission: "unrestricted", safeMode: false } as const;
    expect(statusText({ conversation, state: open }, null, [], null, english)).toContain(
      "Unrestricted · mode general · safe mode off",
    );
  });

  it("BED-012.1 says how full the model's window is", () => {
    const state = { ...inPhase(phases.idle), context: { used: 61_000, window: 200_000, warned: false } };
    expect(statusText({ conversation, state }, null, [], null, english)).toContain(
      "context 31 % of 200000 tokens",
    );
  });
});
