/** What a question says the model has read of others: never less than what came in, and only from what came in. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  validGrants,
  validThreadGrant,
  needsNetworkApproval,
  untrustedRead,
  withQuoted,
  withReached,
  withShownContent,
} from "../../src/machine/provenance.ts";
import type { State } from "../../src/machine/state.ts";
import { transition } from "../../src/machine/transition/transition.ts";
import type { Speaker, UntrustedContent } from "../../src/machine/vocabulary.ts";
import { events, inPhase, phases } from "./samples.ts";

const count = fc.nat(5);
const quoted = fc.record({ messages: count, previews: count, files: count, pictures: count });
const host = fc.constantFrom("a.example", "b.example", "c.example");

const code = (text: string): string => `<${text}>`;

describe("untrusted sources", () => {
  it("add up over the conversation, each host once, and what was blocked is none", () => {
    fc.assert(
      fc.property(fc.array(quoted), fc.array(host), fc.array(host), (all, reached, blocked) => {
        const state = all.reduce<{ untrusted?: UntrustedContent }>(withQuoted, {});
        const calls = [
          ...reached.map((name) => ({ host: name, port: 443, allowed: true })),
          ...blocked.map((name) => ({ host: `no.${name}`, port: 443, allowed: false })),
        ];
        const { untrusted } = withReached(state, calls);
        const sum = (key: "messages" | "previews" | "files" | "pictures") =>
          all.reduce((total, one) => total + one[key], 0);
        expect(untrusted?.messages ?? 0).toBe(sum("messages"));
        expect(untrusted?.previews ?? 0).toBe(sum("previews"));
        expect(untrusted?.files ?? 0).toBe(sum("files"));
        expect(untrusted?.pictures ?? 0).toBe(sum("pictures"));
        expect(untrusted?.hosts ?? []).toEqual([...new Set(reached)]);
      }),
    );
  });

  it("are one list; nothing read is said too, and names are written by the surface", () => {
    expect(untrustedRead(undefined, code)).toBe("none");
    const read = { messages: 1, previews: 2, files: 0, pictures: 1, hosts: ["a.example"] };
    expect(untrustedRead(read, code)).toBe(
      "1 quoted message, 2 link previews, 1 picture, answers from <a.example>",
    );
  });

  it("of many hosts keep the first ten", () => {
    const calls = Array.from({ length: 30 }, (_, index) => ({
      host: `h${index}`,
      port: 443,
      allowed: true,
    }));
    expect(withReached<{ untrusted?: UntrustedContent }>({}, calls).untrusted?.hosts).toHaveLength(10);
  });
});

describe("what a click has shown", () => {
  const nothingRead = { permission: "unrestricted", safeMode: false, grants: [] } as const;
  const source = fc.oneof(
    quoted.map(
      (what) =>
        <S extends { untrusted?: UntrustedContent }>(state: S) =>
          withQuoted(state, what),
    ),
    fc.nat(30).map(
      (no) =>
        <S extends { untrusted?: UntrustedContent }>(state: S) =>
          withReached(state, [{ host: `h${no}`, port: 443, allowed: true }]),
    ),
  );

  it("holds until more is read, also beyond the hosts that have a place, and a further click shows all of it", () => {
    fc.assert(
      fc.property(fc.array(source, { maxLength: 40 }), source, (before, more) => {
        const read = before.reduce<
          typeof nothingRead & { untrusted?: UntrustedContent; shown?: UntrustedContent }
        >((state, add) => add(state), nothingRead);
        const shown = withShownContent(read);
        expect(needsNetworkApproval(shown)).toBe(false);
        const after = more(shown);
        expect(needsNetworkApproval(after)).toBe(sizeOf(after.untrusted) > sizeOf(read.untrusted));
        expect(needsNetworkApproval(withShownContent(after))).toBe(false);
      }),
    );
  });

  it("is what a sub-agent began with, once it has woken", () => {
    const read = withReached<State>({ ...inPhase(phases.idle), permission: "unrestricted" }, [
      { host: "a.example", port: 443, allowed: true },
    ]);
    expect(needsNetworkApproval(read)).toBe(true);
    const woken = transition(read, events.woken);
    if (woken.kind === "refused") throw new Error("refused");
    expect(needsNetworkApproval(woken.state)).toBe(false);
    const quoted = { messages: 1, previews: 0, files: 0, pictures: 0 };
    expect(needsNetworkApproval(withQuoted(woken.state, quoted))).toBe(true);
    const page = { ...quoted, messages: 0, hosts: ["docs.example"] };
    expect(needsNetworkApproval(withQuoted(woken.state, page))).toBe(true);
    expect(needsNetworkApproval(withQuoted(woken.state, { ...page, hosts: [] }))).toBe(false);
    const later = transition(withQuoted(woken.state, quoted), events.woken);
    if (later.kind === "refused") throw new Error("refused");
    expect(needsNetworkApproval(later.state)).toBe(true);
  });

  it("bounds what was granted and let through for the thread", () => {
    const by = { id: "slack:U1" } as const;
    const standing = [{ scope: "linear/create", by }];
    const state = { ...nothingRead, grants: ["SUDO", "NETWORK_RISK"], standing } as const;
    expect(validGrants(state)).toEqual(["SUDO", "NETWORK_RISK"]);
    expect(validThreadGrant(state, "linear/create")).toEqual(standing[0]);
    const read = withReached<typeof state & { untrusted?: UntrustedContent }>(state, [
      { host: "a.example", port: 443, allowed: true },
    ]);
    expect(validGrants(read)).toEqual(["SUDO"]);
    expect(validThreadGrant(read, "linear/create")).toBeUndefined();
  });
});

const sizeOf = (read: UntrustedContent | undefined): number =>
  read === undefined
    ? 0
    : read.messages + read.previews + read.files + read.pictures + read.hosts.length + (read.others ?? 0);

const said = (state: State, id: Speaker["id"], own: number): State => {
  const speaker = { id, mayDrive: true, mayApprove: false };
  const quoted = { messages: 0, previews: 0, files: 0, pictures: 0, ...(own === 0 ? {} : { own }) };
  const step = transition(state, { kind: "said", at: 1, message: "m-1", speaker, images: 0, quoted });
  if (step.kind === "refused") throw new Error(step.why);
  return { ...step.state, phase: phases.idle };
};
describe("files of the person who writes (D54)", () => {
  const begun = inPhase(phases.idle);

  it("are trusted like that person's text, for as long as nobody else writes", () => {
    const once = said(said(begun, "slack:U1", 2), "slack:U1", 1);
    expect(once.untrusted).toEqual({ messages: 0, previews: 0, files: 0, pictures: 0, hosts: [] });
    expect(needsNetworkApproval(once)).toBe(false);
    expect(once.ownFiles).toEqual({ by: "slack:U1", count: 3 });
  });

  it("count as files of others from the next person's message on, once", () => {
    const other = said(said(begun, "slack:U1", 2), "slack:U2", 1);
    expect(other.untrusted?.files).toBe(2);
    expect(other.ownFiles).toEqual({ by: "slack:U2", count: 1 });
    expect(needsNetworkApproval(other)).toBe(true);
    const first = said(other, "slack:U1", 0);
    expect(first.untrusted?.files).toBe(3);
    expect(first.ownFiles).toBeUndefined();
    expect(said(first, "slack:U2", 0).untrusted?.files).toBe(3);
  });
});
