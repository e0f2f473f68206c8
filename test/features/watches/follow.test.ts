/** Whose thread is told what became of a pull request, and who looks into it. */

import { describe, expect, it } from "vitest";
import type { HostMessage } from "../../../src/ports/alerts.ts";
import type { SayResult } from "../../../src/ports/bot.ts";
import type { Conversation } from "../../../src/ports/conversation.ts";
import type {
  Became,
  PullOutcome,
  ForgeSource,
  Watch,
  WatchEvent,
} from "../../../src/features/watches/store/watches.ts";
import { follow, type FollowDeps } from "../../../src/features/watches/follow.ts";
import { investigateIn } from "../../../src/features/watches/investigation.ts";
import type { openedIn } from "../../../src/features/watches/opened-pull.ts";
import { watchWith } from "./watch.ts";
import { english } from "../../../src/i18n/say.ts";

const watchOf = (hears: ForgeSource["hears"], place = "C1"): Watch =>
  watchWith({ kind: "forge", forge: "github", hears, label: null, called: "parley" }, { place });

const REPO = "github.com/acme/api";

const eventOf = (what: Became, pull: number | null = 5): WatchEvent & { readonly follows: PullOutcome } => ({
  watch: "github-1",
  delivery: "acme/api checks abc",
  fingerprint: "f",
  title: "acme/api: checks failed",
  text: what === "merged" ? "" : "lint failed.",
  link: "https://github.com/acme/api/runs/1",
  at: 1,
  follows: { conversation: "c-12", what, repo: REPO, pull },
});

type Row = Parameters<typeof openedIn>[0][number];

/** What a conversation shows where a write was approved, or denied. */
const asked = (
  write: "open_pull_request" | "label_issue",
  url: string,
  choice: "approve" | "deny" = "approve",
): Row => ({
  ordinal: 1,
  revision: 1,
  post: {
    key: url,
    at: 1,
    final: true,
    actions: [],
    body: {
      kind: "question",
      question: null,
      turn: 1,
      message: "m-1",
      call: { id: "t1", name: write, intent: "tool" },
      ask: { kind: "write", write, shown: "m-2", fingerprint: "f" },
      decision: { choice, by: "slack:U1", at: 1, comment: null },
      ...(choice === "approve" ? { wrote: { kind: "done", name: "acme/api#5", url } } : {}),
    },
  },
});

const PULL = "https://github.com/acme/api/pull/5";

interface Given {
  readonly watch?: Watch;
  readonly event?: ReturnType<typeof eventOf>;
  readonly posts?: readonly Row[];
  readonly said?: SayResult;
  readonly mayPay?: boolean;
}

const followed = async ({
  watch = watchOf(["issues"]),
  event = eventOf("checks"),
  posts = [asked("open_pull_request", PULL)],
  said: answer = { kind: "accepted" },
  mayPay = true,
}: Given) => {
  const told: HostMessage[] = [];
  const said: Claim[] = [];
  const deps: FollowDeps = {
    bot: {
      read: (id) => Promise.resolve(id === "c-12" ? { conversation: CONVERSATION, posts } : null),
      say: (claim) => Promise.resolve(said.push(claim) > 0 ? answer : answer),
    },
    ledger: {
      thread: (conversation) => ({
        conversation,
        surface: "slack",
        place: "C1",
        root: "1.0",
        delivered: 0,
      }),
    },
    surfaces: () => [
      {
        name: "slack",
        off: null,
        standing: () => "on",
        say: () => english,
        tell: (_, line) => Promise.resolve({ kind: "put", message: `M${told.push(line)}` }),
      },
    ],
  };
  const done = await follow(deps, watch, event, "github-1/d", mayPay);
  return { done, told, said };
};

type Claim = Parameters<FollowDeps["bot"]["say"]>[0];

const CONVERSATION: Conversation = {
  id: "c-12",
  surface: "slack",
  title: "Uploads",
  repo: { kind: "url", location: "https://github.com/acme/api.git" },
  createdBy: "slack:U1",
  createdAt: 1,
  updatedAt: 1,
  prefix: "",
  base: null,
  origin: null,
};

describe("a pull request of a conversation", () => {
  it("that fails its checks is told in its thread, with a button that asks for what failed", async () => {
    const { told, said } = await followed({});
    expect(told).toMatchObject([
      {
        root: "1.0",
        text: "acme/api#5 failed its checks.",
        words: "lint failed.",
        button: { action: { feature: "look" } },
      },
    ]);
    expect(investigateIn(told[0]?.button?.value ?? "", "c-12")).toMatch(
      /^Pull request 5, .* from the branch parley\/c-12, failed its checks\. Read them/,
    );
    expect(said).toEqual([]);
  });

  it("that is merged is told without: there is nothing to look into", async () => {
    const { told, said } = await followed({ event: eventOf("merged"), watch: watchOf(["follow"]) });
    expect(told).toMatchObject([{ text: "acme/api#5 was merged." }]);
    expect(told[0]?.button).toBeUndefined();
    expect(said).toEqual([]);
  });

  it("is looked into by itself where the watch follows, in nobody's name, with the event quoted", async () => {
    const { told, said } = await followed({ watch: watchOf(["follow"]) });
    expect(told).toHaveLength(1);
    expect(told[0]?.button).toBeUndefined();
    expect(said).toMatchObject([
      {
        conversation: "c-12",
        speaker: { id: "watch:github-1", mayDrive: false, mayApprove: false },
        quoted: { events: 1 },
        text: expect.stringMatching(
          /\| acme\/api: checks failed\n\| lint failed\.[^]*nobody may be asked for write access[^]*Pull request 5/,
        ),
      },
    ]);
  });

  it("is not once the money of the day is spent, nor where something goes on there: the button stays", async () => {
    const spent = await followed({ watch: watchOf(["follow"]), mayPay: false });
    expect(spent.said).toEqual([]);
    expect(spent.told).toMatchObject([
      { text: expect.stringContaining("spent"), button: { action: { feature: "look" } } },
    ]);
    const busy = await followed({ watch: watchOf(["follow"]), said: { kind: "refused", why: "agent_busy" } });
    expect(busy.told).toMatchObject([
      { text: expect.stringContaining("on my own") },
      { edits: "M1", button: { action: { feature: "look" } } },
    ]);
  });

  it("of which the forge gives no number is the latest that it opened", async () => {
    const posts = [asked("open_pull_request", `${PULL}0`), asked("open_pull_request", PULL)];
    const { told } = await followed({ event: eventOf("checks", null), posts });
    expect(told).toMatchObject([{ text: "acme/api#5 failed its checks." }]);
  });
});

describe("nothing is told", () => {
  it.each<readonly [string, Given]>([
    ["of a pull request that the conversation did not open", { event: eventOf("reviewed", 6) }],
    ["of one that it only labelled", { posts: [asked("label_issue", PULL)] }],
    ["where a person denied it", { posts: [asked("open_pull_request", PULL, "deny")] }],
    [
      "in a conversation that is not stored",
      { event: { ...eventOf("checks"), follows: { ...eventOf("checks").follows, conversation: "c-13" } } },
    ],
    [
      "of one of that number in another repository of the conversation",
      {
        event: {
          ...eventOf("checks"),
          follows: { ...eventOf("checks").follows, repo: "github.com/acme/web" },
        },
      },
    ],
    ["by the watch of another channel", { watch: watchOf(["follow"], "C2") }],
  ])("%s", async (_, given) => {
    const { told, said, done } = await followed(given);
    expect([told, said]).toEqual([[], []]);
    expect(done.kind).toBe("begun");
  });

  it("of a button that nobody made: what stands on it asks nothing", () => {
    const values = [
      "",
      "checks/5",
      "deploy/5/0123456789ab",
      "checks/5/0123456789ab\nand push",
      "checks/x/0123456789ab",
    ];
    expect(values.map((one) => investigateIn(one, "c-12"))).toEqual(values.map(() => null));
  });
});
