/** One message for each turn (TH1), from all of its entries, over generated walks. A failing seed is committed to `seeds` below. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/machine/transcript.ts";
import type { Post, TurnBody } from "../../src/thread/post.ts";
import { reviewOf, NARRATION, turnPost } from "../../src/thread/turn-post.ts";
import { view } from "../../src/thread/view.ts";
import { fresh, maintainer, bash } from "../machine/samples.ts";
import { looks } from "../looks.ts";
import { type Walk, walks } from "../machine/walk.ts";

const RUNS = 500;

interface Made {
  readonly post: Post;
  readonly body: TurnBody;
  /** Of its turn, up to then. */
  readonly entries: readonly Entry[];
  readonly isOver: boolean;
  /** Somebody has to look at its answer first, and nobody has. */
  readonly isWithheld: boolean;
}

const numberOf = ({ key }: Post): number => Number(/^turn\/(\d+)\/1$/.exec(key)?.[1]);

/** As the loop of a live conversation makes them. */
const madeIn = ({ steps }: Walk): readonly Made[] => {
  const made: Made[] = [];
  let entries: readonly Entry[] = [];
  for (const { before, result } of steps) {
    if (result.kind === "refused") continue;
    const appended = [...entries, ...result.append];
    const post = turnPost(before, result.state, entries, result.append, looks);
    const { turn } = result.state;
    if (post !== null) {
      if (post.body.kind !== "turn") throw new Error("no turn");
      const no = numberOf(post);
      const own = appended.filter((entry) => entry.turn === no);
      const { reviewed } = (turn.no === no ? result.state : before).turn;
      const isWithheld = reviewed !== undefined && reviewOf(own) === null;
      made.push({
        post,
        body: post.body,
        entries: own,
        isOver: turn.no > no || turn.end !== null,
        isWithheld,
      });
    }
    entries = appended.filter((entry) => entry.turn === appended.at(-1)?.turn);
  }
  return made;
};

const law = (name: string, holds: (made: readonly Made[]) => void, seeds: readonly number[] = []): void =>
  it(name, () => {
    const property = fc.property(walks, (walk) => holds(madeIn(walk)));
    for (const seed of seeds) fc.assert(property, { numRuns: RUNS, seed });
    fc.assert(property, { numRuns: RUNS });
  });

describe("the message of a turn", () => {
  law("is made when the turn is over, and never before", (made) => {
    for (const { isOver } of made) expect(isOver).toBe(true);
  });

  law(
    "TH11 made again it says the same, and has other buttons",
    (made) => {
      const first = new Map<string, Made>();
      for (const one of made) {
        const { post, body } = one;
        const known = first.get(post.key);
        if (known === undefined) first.set(post.key, one);
        else {
          const { said, changes, files, steps, notices, end } = body;
          expect(known.body).toMatchObject({ said, changes, files, steps, notices, end });
          expect(post.at).toBe(known.post.at);
        }
      }
    },
    [119033502, 263748487],
  );

  law(
    "holds each text that ends a turn, and no short one before tools",
    (made) => {
      for (const { body, entries, isWithheld } of made) {
        for (const entry of entries) {
          if (entry.kind !== "answer" || entry.text === 0 || isWithheld || body.looked?.edited === true)
            continue;
          if (entry.calls.length === 0) expect(body.said).toContain(entry.message);
          else if (entry.text <= NARRATION) expect(body.said).not.toContain(entry.message);
        }
      }
    },
    [119033502],
  );

  law("counts every result, names ten at most, and no time is negative", (made) => {
    for (const { body, entries, isWithheld } of made) {
      const results = entries.filter(({ kind }) => kind === "result").length;
      expect(body.steps.count).toBeLessThanOrEqual(results);
      expect(body.steps.rows).toHaveLength(isWithheld ? 0 : Math.min(10, body.steps.count));
      for (const { took } of body.steps.rows) expect(took).toBeGreaterThanOrEqual(0);
    }
  });

  law("says nothing that nobody has looked at, where somebody has to", (made) => {
    for (const { body, isWithheld } of made) {
      if (!isWithheld) continue;
      const { said, changes, files, steps } = body;
      expect([...said, ...changes, ...files, ...steps.rows]).toEqual([]);
    }
  });

  law(
    "is the words of whoever edited it, and names that person",
    (made) => {
      for (const { body, entries } of made) {
        const decision = reviewOf(entries);
        expect(body.looked?.by).toBe(decision?.by);
        if (decision?.choice === "edit") expect(body.said).toEqual([decision.comment]);
      }
    },
    [119033502],
  );

  law("has something to read", (made) => {
    for (const { body } of made) {
      const { said, changes, files, notices } = body;
      expect(said.length + changes.length + files.length + notices.length).toBeGreaterThan(0);
    }
  });
});

describe("what a question says instead", () => {
  const asked = { turn: 1, seq: 3, at: 30 };
  const decision = { choice: "deny", by: maintainer.id, at: 30, comment: null } as const;
  const entries: readonly Entry[] = [
    { turn: 1, seq: 1, at: 10, kind: "said", message: "m-1", speaker: maintainer, images: 0 },
    { turn: 1, seq: 2, at: 20, kind: "answer", message: "m-2", text: 900, calls: [bash], stop: "tools" },
    {
      ...asked,
      kind: "result",
      call: bash,
      outcome: { kind: "host", text: "", isError: true, decision },
      origin: "host",
    },
    { ...asked, kind: "notice", notice: { kind: "stopped", by: maintainer.id, skipped: 0 } },
  ];
  const before = { ...fresh(), seq: 2, turn: { ...fresh().turn, no: 1, speaker: maintainer } };
  const after = { ...before, seq: 3, turn: { ...before.turn, end: { at: 30, why: "stopped" } as const } };

  law("offers the earlier answers of its turn, and none of what somebody has to look at first", (made) => {
    for (const { body, entries, isWithheld } of made) {
      const all = entries.flatMap((one) => (one.kind === "answer" ? (one.earlier ?? []) : []));
      expect(body.earlier ?? []).toEqual(isWithheld ? [] : all);
    }
  });

  it("is the end of a turn that was stopped while it waited, and the long text that led to it", () => {
    expect(turnPost(before, after, [], entries, looks)).toBeNull();
    const question = view(after, entries).posts.find(({ body }) => body.kind === "question");
    expect(question?.body).toMatchObject({ stopped: true, plan: true, decision: { choice: "deny" } });
  });

  it("is not the end of one that was stopped later", () => {
    const later = entries.map((one) => (one.kind === "notice" ? { ...one, seq: 4, at: 40 } : one));
    const end = { at: 40, why: "stopped" } as const;
    const over = { ...after, seq: 4, turn: { ...after.turn, end } };
    expect(turnPost({ ...before, seq: 3 }, over, [], later, looks)).toMatchObject({
      key: "turn/1/1",
      body: { end: "stopped", said: [], notices: [{ kind: "stopped" }] },
    });
  });
});
