/**
 * SIGTERM to the real process in every phase: it takes no more work, lets commits finish, says so in busy threads and
 * ends with 0, at the latest by its own limit; what waited for a person goes on in the next process through the buttons posted before.
 */

import { expect, it, vi } from "vitest";
import { z } from "zod";
import { DRAIN } from "../../src/runtime/bot/drain.ts";
import { controlsOf } from "../fakes/slack/controls.ts";
import { labelOf } from "../fakes/slack/render.ts";
import { plainly } from "./plainly.ts";
import { createReal, type Real } from "./real.ts";

const read = ({ slack }: Real, root: string): string => slack.threadAsText("CGENERAL", root);

const until = (real: Real, root: string, wanted: RegExp): Promise<void> =>
  vi.waitFor(() => expect(read(real, root)).toMatch(wanted), { interval: 20 });

/** The line of context below an answer. */
const CONTEXT = /estricted · [[`<]/;

/** Slack shows beside the thread what is done. */
const hinted = ({ slack }: Real, root: string, status: string): Promise<void> =>
  vi.waitFor(
    () =>
      expect(
        slack.calls.filter(
          ({ method, args }) =>
            method === "assistant.threads.setStatus" &&
            args["thread_ts"] === root &&
            String(args["status"]).startsWith(status),
        ),
      ).not.toEqual([]),
    { interval: 20 },
  );

/** Presses the newest button of that name, as the person sees it. */
const press = ({ slack }: Real, root: string, label: string): void => {
  const message = slack.world
    .thread("CGENERAL", root)
    .findLast(({ blocks = [] }) => controlsOf(blocks).some(({ element }) => labelOf(element) === label));
  if (message === undefined) throw new Error(`no ${label} in\n${slack.threadAsText("CGENERAL", root)}`);
  slack.as("alice").click({ channel: "CGENERAL", ts: message.ts }, label);
};

const detail = z.looseObject({
  id: z.string(),
  phase: z.string(),
  question: z.looseObject({ id: z.string() }).nullish(),
  posts: z.array(
    z.looseObject({ kind: z.string(), markdown: z.string().optional(), actions: z.array(z.unknown()) }),
  ),
});

it("SIGTERM in every phase: busy threads say so, questions and other tries work in the next process", async () => {
  const real = await createReal();
  const { slack, model } = real;
  model.fault({ kind: "stall", afterDeltas: 0 }, { match: { contains: "think for ever" } });
  const first = await real.start();
  const say = (text: string): string => slack.as("alice").say(`@parley ${text}`, { channel: "general" }).ts;
  const [idle, asked, running, thinking] = [
    say("list"),
    say("change"),
    say("hang"),
    say("think for ever, then hello"),
  ];
  const created = z
    .looseObject({ id: z.string() })
    .parse((await first.call("POST", "/api/conversations", {})).body);
  const path = `/api/conversations/${created.id}`;
  await first.call("POST", `${path}/messages`, { text: "change" });
  await until(real, idle, CONTEXT);
  await until(real, asked, /\[Approve\]/);
  await hinted(real, running, "is running sleep");
  await hinted(real, thinking, "is thinking");
  const before = read(real, asked);

  expect(await first.stop("SIGTERM")).toBe(0);
  for (const root of [running, thinking])
    expect(read(real, root)).toMatch(/I was restarted[^]*\[Try again\]( \[Steps\])?\n$/);
  expect(read(real, asked)).toBe(before);
  for (const root of [idle, asked, running, thinking]) expect(read(real, root)).not.toContain("[Stop]");

  const second = await real.start();
  press(real, asked, "Approve");
  await until(real, asked, /approved\* by @alice[^]*Paragraph 60[^]*Unrestricted · [[`<]/);
  press(real, thinking, "Try again");
  await until(real, thinking, /Hello\.[^]*estricted · [[`<]/);
  expect(plainly(read(real, thinking))).not.toContain("I was restarted");
  const waiting = detail.parse((await second.call("GET", path)).body);
  expect(waiting.phase).toBe("awaitingApproval");
  const decision = { action: "decide", question: waiting.question?.id, choice: "deny" };
  expect((await second.call("POST", `${path}/actions`, decision)).body).toMatchObject({ result: "done" });
  expect(await second.stop("SIGTERM")).toBe(0);
});

it("SIGTERM while Slack answers nothing ends the process all the same", async () => {
  const real = await createReal();
  const host = await real.start();
  const { ts } = real.slack.as("alice").say("@parley hang", { channel: "general" });
  await hinted(real, ts, "is running sleep");
  real.slack.fault({ kind: "stall", applied: false }, { times: Number.POSITIVE_INFINITY });
  expect(await host.stop("SIGTERM")).toBe(0);
});

it("the shares of a shutdown end before all of it does", () => {
  const { whole, ...shares } = DRAIN;
  expect(Object.values(shares).reduce((sum, share) => sum + share, 0)).toBeLessThan(whole);
});
