/** A review of a pull request: people remove comments one by one, and the review is posted as its last card showed it. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { labels } from "../../src/thread/labels.ts";
import type { Event } from "../../src/machine/event.ts";
import type { State } from "../../src/machine/state.ts";
import type { Step } from "../../src/machine/step.ts";
import { transition } from "../../src/machine/transition/transition.ts";
import { unsureOf } from "../../src/machine/unconfirmed-writes.ts";
import { offeredBy, type ReviewOffer } from "../../src/machine/vocabulary.ts";
import { answersTo, commentsLeft } from "../../src/thread/question.ts";
import { events, inPhase, maintainer, phases, reviewAsked, stranger, writeAsked } from "./samples.ts";

const step = (state: State, event: Event): Step => {
  const result = transition(state, event);
  if (result.kind === "refused") throw new Error(`refused: ${result.why}`);
  return result;
};

type Decided = Event & { kind: "decided" };
const decide = (choice: Decided["choice"], option?: number, by = maintainer): Decided => ({
  ...events.decided,
  choice,
  by,
  ...(option === undefined ? {} : { option }),
});

const asked = inPhase(reviewAsked);
const offerIn = ({ phase }: State): ReviewOffer | undefined =>
  phase.kind === "awaitingApproval" && phase.question.kind === "write" ? phase.question.review : undefined;
const approvedIn = ({ effects: [first] }: Step) =>
  first?.kind === "run" ? first.approved?.review : undefined;

describe("a review", () => {
  it("is asked with all of its comments", () => {
    const proposed = {
      ...events.proposed,
      write: "post_review",
      review: { comments: 3, mayRequest: true },
    } as const;
    expect(offerIn(step(inPhase(phases.running), proposed).state)).toEqual({
      comments: 3,
      leftOut: [],
      mayRequest: true,
    });
  });

  it("loses one comment at a click, stays the same question, and is posted without the comment", () => {
    const left = step(asked, decide("leave_out", 2));
    expect(offerIn(left.state)?.leftOut).toEqual([2]);
    expect([left.append, left.effects]).toEqual([[], []]);
    expect(labels(asked, decide("leave_out", 2), left.state)).toEqual(["review_comment_removed"]);
    const { phase } = left.state;
    if (phase.kind !== "awaitingApproval") throw new Error("it is decided");
    expect(phase.question).toEqual({
      ...reviewAsked.question,
      review: { comments: 3, leftOut: [2], mayRequest: true },
    });
    expect(answersTo(left.state, phase.question)).toEqual(["approve", "request_changes", "deny"]);
    expect(commentsLeft(phase.question)).toEqual([1, 3]);
    const posted = step(left.state, decide("approve"));
    expect(approvedIn(posted)).toEqual({ leftOut: [2], requestsChanges: false });
    expect(posted.append).toMatchObject([{ kind: "granted", ask: { review: { leftOut: [2] } } }]);
  });

  it("requests changes only if a person chose that, and the forge lets it", () => {
    expect(approvedIn(step(asked, decide("request_changes")))?.requestsChanges).toBe(true);
    expect(approvedIn(step(asked, decide("approve")))?.requestsChanges).toBe(false);
    const { question } = reviewAsked;
    if (question.kind !== "write") throw new Error("no write");
    const review = { comments: 3, leftOut: [], mayRequest: false };
    const elsewhere = inPhase({ ...reviewAsked, question: { ...question, review } });
    expect(transition(elsewhere, decide("request_changes"))).toEqual({
      kind: "refused",
      why: "wrong_choice",
    });
    expect(approvedIn(step(elsewhere, decide("approve")))?.requestsChanges).toBe(false);
  });

  it.each([0, 4, -1, 1.5, undefined])("has no comment %s to remove", (option) => {
    expect(transition(asked, decide("leave_out", option))).toEqual({ kind: "refused", why: "wrong_choice" });
  });

  it("a comment is removed once, and a person without the right removes none", () => {
    const { state } = step(asked, decide("leave_out", 1));
    expect(transition(state, decide("leave_out", 1))).toEqual({ kind: "refused", why: "already_decided" });
    expect(transition(asked, decide("leave_out", 1, stranger))).toEqual({
      kind: "refused",
      why: "not_allowed",
    });
    expect(transition(asked, decide("request_changes", undefined, stranger))).toEqual({
      kind: "refused",
      why: "not_allowed",
    });
  });

  it("another write has neither choice", () => {
    const other = inPhase(writeAsked);
    for (const choice of ["leave_out", "request_changes"] as const)
      expect(transition(other, decide(choice, 1))).toEqual({ kind: "refused", why: "wrong_choice" });
    if (writeAsked.question.kind === "write")
      expect(offeredBy(writeAsked.question)).toEqual(["approve", "deny"]);
  });

  it("whose outcome is unknown is the same only with the same comments and verdict", () => {
    const { state, effects } = step(step(asked, decide("leave_out", 2)).state, decide("approve"));
    const [first] = effects;
    if (first?.kind !== "run" || first.approved === undefined) throw new Error("nothing runs");
    const { approved } = first;
    const lost = step(state, { ...events.ran, by: first.id, wrote: { kind: "unknown", why: "lost" } }).state;
    expect(unsureOf(lost, { ...approved, at: 200 })?.effect).toBe(first.id);
    expect(unsureOf(lost, { ...approved, review: { leftOut: [], requestsChanges: false } })).toBeNull();
    expect(unsureOf(lost, { ...approved, review: { leftOut: [2], requestsChanges: true } })).toBeNull();
  });

  it("posts only comments that stood on every earlier card (property)", () => {
    const clicks = fc.array(fc.integer({ min: -1, max: 5 }), { maxLength: 8 });
    fc.assert(
      fc.property(clicks, fc.constantFrom("approve", "request_changes"), (options, choice) => {
        let state = asked;
        const shown = new Set([1, 2, 3]);
        for (const option of options) {
          const next = transition(state, decide("leave_out", option));
          const isShown = shown.delete(option);
          expect(next.kind === "step").toBe(isShown);
          if (next.kind === "step") ({ state } = next);
        }
        const leftOut = [1, 2, 3].filter((one) => !shown.has(one));
        expect(approvedIn(step(state, decide(choice)))).toEqual({
          leftOut,
          requestsChanges: choice === "request_changes",
        });
      }),
      { numRuns: 200 },
    );
  });
});
