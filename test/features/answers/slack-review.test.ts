/** Answers that maintainers look at first, on Slack: nothing of one is told before, and it is posted once, as they say. */

import { describe, expect, it, vi } from "vitest";
import { readyWorkspaces, textAnswer, toolAnswer } from "../../runtime/world.ts";
import { inPieces, OFTEN } from "../../adapters/rig.ts";
import { createRig, type RigOptions, type SlackRig } from "../../adapters/slack/rig.ts";

const MAINTAINERS = "CMAINTAINERS";
const SECRET = "The cart is emptied in src/cart.ts:12, which reads <!channel> [here](https://evil.example).";

const env = { PARLEY_APPROVERS: "slack:UALICE,slack:UCAROL" };
const fake = { channels: [{ name: "general" }, { name: "maintainers" }] };

const reviewed = async (options: RigOptions = {}): Promise<SlackRig> => {
  const rig = await createRig({
    env,
    fake,
    patience: 0,
    stream: inPieces(SECRET.repeat(8), 40, 1),
    answer: () => textAnswer(SECRET),
    ...options,
  });
  rig.fake.as("alice").say(`@parley review on <#${MAINTAINERS}>`, { channel: "general" });
  await vi.waitFor(() => expect(whispered(rig, "alice")).toMatch(/reviewed in #maintainers/), OFTEN);
  return rig;
};

const whispered = (rig: SlackRig, name: string): string =>
  rig.fake.world.ephemerals
    .filter((one) => one.for === rig.fake.as(name).id)
    .map((one) => JSON.stringify(one))
    .join("\n");

const ask = async (rig: SlackRig) => {
  const root = rig.fake.as("bob").say("@parley where is the cart emptied?", { channel: "general" });
  await rig.thread(root, /A maintainer reviews it before it is posted here/);
  const card = await vi.waitFor(() => {
    const found = rig.fake.world
      .messages(MAINTAINERS)
      .findLast((one) => JSON.stringify(one).includes("Edit and send"));
    if (found === undefined) throw new Error("no card");
    return { channel: MAINTAINERS, ts: found.ts };
  }, OFTEN);
  return { root, card };
};

const shown = (rig: SlackRig): string =>
  rig.fake.world
    .messages(MAINTAINERS)
    .map((one) => JSON.stringify(one))
    .join("\n");

/** What reached the thread's channel, by whatever call. */
const leaked = (rig: SlackRig): readonly unknown[] =>
  rig.fake.calls.filter(
    (call) => JSON.stringify(call).includes("cart is emptied") && !JSON.stringify(call).includes(MAINTAINERS),
  );

describe("an answer in a channel whose answers are looked at", () => {
  it("is told nowhere but to those who look; a stranger may not decide, and the second click is told who did", async () => {
    const rig = await reviewed();
    const { root, card } = await ask(rig);
    expect(leaked(rig)).toEqual([]);
    expect(shown(rig)).toMatch(/UBOB[^]*where is the cart emptied\?[^]*cart is emptied in[^]*\\?"Send\\?"/);
    expect(shown(rig)).toMatch(/\$0\.\d\d/);
    rig.fake.as("bob").click(card, "Send");
    await vi.waitFor(() => expect(whispered(rig, "bob")).toContain("You can't decide this"), OFTEN);
    rig.fake.as("bob").messageShortcut("parley_show_steps", root);
    await vi.waitFor(
      () => expect(whispered(rig, "bob")).toContain("its steps are shown once it is posted"),
      OFTEN,
    );
    expect(leaked(rig)).toEqual([]);
    const next = await rig.restart();
    next.fake.as("alice").click(card, "Send");
    next.fake.as("carol").click(card, "Send");
    const thread = await next.thread(root, /The cart is emptied in/);
    expect(thread.match(/The cart is emptied in/g)).toHaveLength(1);
    await vi.waitFor(
      () => expect(whispered(next, "carol") + whispered(next, "alice")).toMatch(/Already sent by/),
      OFTEN,
    );
    await vi.waitFor(() => expect(shown(next)).toMatch(/Sent by/), OFTEN);
    expect(shown(next)).not.toMatch(/cart is emptied|where is the cart/);
    expect(next.fake.violations).toEqual([]);
  });

  it("is posted as whoever edited it wrote it: named, its links and mentions dead, and the model is told", async () => {
    const rig = await reviewed();
    const { root, card } = await ask(rig);
    rig.fake.as("carol").click(card, "Edit and send");
    await vi.waitFor(
      () => expect(JSON.stringify(rig.fake.as("carol").views())).toContain("src/cart.ts:12"),
      OFTEN,
    );
    rig.fake
      .as("carol")
      .submit({ words: "It is in `cart.ts`, ask <@UBOB> or [me](https://evil.example/x)." });
    const thread = await rig.thread(root, /It is in `cart.ts`/);
    expect(thread).toMatch(/Edited by .*carol/i);
    expect(JSON.stringify(rig.fake.thread(root.channel, root.ts))).not.toMatch(
      /\]\(https:\/\/evil|[^`\\]<@UBOB> or/,
    );
    expect(thread).not.toContain("The cart is emptied");
    rig.fake.as("bob").say("thanks, and who wrote it?", { channel: "general", thread: root.ts });
    await vi.waitFor(() => expect(rig.asked).toHaveLength(2), OFTEN);
    expect(JSON.stringify(rig.asked[1])).toMatch(/A person edited your answer[^]*It is in `cart.ts`/);
  });

  it("is not posted where somebody discards it, and says why where that was said", async () => {
    const rig = await reviewed();
    const { root, card } = await ask(rig);
    rig.fake.as("alice").click(card, "Discard, and say why");
    await vi.waitFor(() => expect(rig.fake.as("alice").views()).toHaveLength(1), OFTEN);
    rig.fake.as("alice").submit({ words: "It is wrong: see the wiki." });
    const thread = await rig.thread(root, /decided not to post the answer[^]*see the wiki/);
    expect(thread).not.toContain("cart is emptied");
    expect(leaked(rig)).toEqual([]);
    const [question] = rig.store.history(
      rig.ledger.find("slack", root.channel, root.ts)?.conversation ?? "c-",
      0,
    );
    expect(question?.entry).toMatchObject({ kind: "said", reviewed: MAINTAINERS });
  });

  it("stays where its card was deleted: the card comes again; and stays held where the channel is switched off", async () => {
    const rig = await reviewed();
    const { root, card } = await ask(rig);
    rig.fake.as("alice").say("@parley review off", { channel: "general" });
    await vi.waitFor(
      () => expect(whispered(rig, "alice")).toMatch(/posted without review\. 1 answer waits/),
      OFTEN,
    );
    rig.fake.admin.moderate(card);
    const next = await rig.restart();
    await vi.waitFor(() => expect(shown(next)).toMatch(/cart is emptied/), OFTEN);
    const again = next.fake.world
      .messages(MAINTAINERS)
      .findLast((one) => JSON.stringify(one).includes("Edit and send"));
    next.fake.as("alice").click({ channel: MAINTAINERS, ts: again?.ts ?? "" }, "Send");
    await next.thread(root, /The cart is emptied in/);
  });

  it("that nobody can look at is told to the operator and once in its thread, and a stop takes it back", async () => {
    const rig = await reviewed();
    rig.fake.admin.expel("maintainers");
    const root = rig.fake.as("bob").say("@parley where is the cart emptied?", { channel: "general" });
    await rig.thread(root, /nobody can review this answer yet/);
    expect(rig.alerted.get(`review slack ${MAINTAINERS}`)).toMatchObject({ kind: "review" });
    rig.fake.as("bob").say("and now?", { channel: "general", thread: root.ts });
    await vi.waitFor(
      () => expect(whispered(rig, "bob")).toMatch(/A maintainer is still reviewing the previous answer/),
      OFTEN,
    );
    rig.fake.as("bob").say("@parley stop", { channel: "general", thread: root.ts });
    const thread = await rig.thread(root, /The answer is not posted\. Stopped by/);
    expect(thread.match(/nobody can review/g)).toHaveLength(1);
    expect(leaked(rig)).toEqual([]);
  });
});

const cardWith = (rig: SlackRig, label: string) =>
  vi.waitFor(() => {
    const found = rig.fake.world
      .messages(MAINTAINERS)
      .findLast((one) => JSON.stringify(one).includes(`"${label}"`));
    if (found === undefined) throw new Error("no card");
    return { channel: MAINTAINERS, ts: found.ts };
  }, OFTEN);

describe("40.A10 a request of a turn whose answers are looked at", () => {
  const REASON = "The cart is emptied by a bug in src/cart.ts:12";
  for (const decision of ["Approve", "Deny"] as const)
    it(`shows its reason to the maintainers alone, and their ${decision} counts`, async () => {
      let asked = 0;
      const rig = await reviewed({
        workspaces: readyWorkspaces,
        stream: () => Promise.resolve(),
        answer: () => {
          asked += 1;
          return asked === 1
            ? toolAnswer({ name: "request_mode_upgrade", input: { reason: REASON } })
            : textAnswer("Done with the request.");
        },
      });
      const root = rig.fake.as("bob").say("@parley mend the cart", { channel: "general" });
      await rig.thread(root, /A request is waiting\. The maintainers decide on it in their channel\./);
      const on = await cardWith(rig, decision);
      expect(leaked(rig)).toEqual([]);
      expect(shown(rig)).toMatch(/cart is emptied by a bug[^]*UBOB/);
      rig.fake.as("bob").click(on, decision);
      await vi.waitFor(() => expect(whispered(rig, "bob")).toContain("You can't decide this"), OFTEN);
      rig.fake.as("alice").click(on, decision);
      const verdict = decision === "Approve" ? "approved" : "denied";
      await rig.thread(root, new RegExp(`Request: ${verdict}[^]*A maintainer reviews it before`));
      await vi.waitFor(() => expect(shown(rig)).toMatch(/(?:Approved|Denied) by[^]*a request of/i), OFTEN);
      expect(shown(rig)).not.toContain("cart is emptied");
      expect(leaked(rig)).toEqual([]);
      expect(rig.fake.violations).toEqual([]);
    });

  it("stands in its thread in a channel without review", async () => {
    const rig = await createRig({
      env,
      fake,
      workspaces: readyWorkspaces,
      answer: () => toolAnswer({ name: "request_mode_upgrade", input: { reason: REASON } }),
    });
    const root = rig.fake.as("bob").say("@parley mend the cart", { channel: "general" });
    await rig.thread(root, /cart is emptied by a bug/);
  });
});
