/**
 * A third platform, line by line over a socket, that needs nothing outside of this folder: it is answered, streamed to,
 * asked, caught up with, and neither loses nor repeats anything when a process or an answer is lost.
 */

import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createConnection } from "../../../src/runtime/chat/connection.ts";
import { textAnswer, toolAnswer } from "../../runtime/world.ts";
import { type HostOptions, OFTEN, REPO, startHost } from "../rig.ts";
import { createLines, LINES_FORMS } from "./adapter.ts";
import { BOT, createTown, type Message } from "./town.ts";
import { openMemory } from "../../store/in-memory.ts";

const createRig = async (options: HostOptions = {}) => {
  const town = await createTown();
  onTestFinished(() => town.close());
  const opened = openMemory();
  let answers = 0;
  const answer = (): ReturnType<typeof textAnswer> => textAnswer(`Answer ${(answers += 1)}.`);
  await opened.chat.bind("lines", "square", { repo: REPO, by: "lines:alice", at: 1 });
  const start = () =>
    startHost(
      "lines",
      opened,
      { answer, ...options },
      {
        env: {},
        surface: (deps) =>
          createConnection("lines", createLines(town.port, deps.clock), { ...deps, forms: LINES_FORMS }),
      },
    );
  let host = await start();
  return {
    town,
    reads: (root: Message, wanted: RegExp): Promise<string> =>
      vi.waitFor(() => {
        const text = town.read(root.id);
        if (!wanted.test(text)) throw new Error(`${wanted} is not in:\n${text}\n${host.logged.join("\n")}`);
        return text;
      }, OFTEN),
    asked: () => host.asked,
    restart: async () => {
      await host.close();
      host = await start();
    },
    end: () => host.close(),
    begin: async () => {
      host = await start();
    },
  };
};

const OVER = /-- (?:Unr|R)estricted · /;

describe("a platform of lines", () => {
  it("answers a mention in a thread, with one message", async () => {
    const { town, reads } = await createRig();
    const root = town.say("bob", "square", `@${BOT} what is this?`);
    expect(await reads(root, /^(?![^]*\[Stop\])[^]*-- Restricted · /)).toMatch(
      /^bob: @parley what is this\?\nparley: Answer 1\.\n-- Restricted · acme\/api@abc1234 · [\d.]+ s · This channel works on acme\/api: /,
    );
    town.say("bob", "square", "and what else?", root.id);
    await reads(root, /^(?![^]*\[Stop\])[^]*Answer 2\.\n-- Restricted/);
    expect(town.thread(root.id)).toHaveLength(4);
  });

  it("shows what is written while it is written, and takes that away", async () => {
    const { promise: written, resolve: write } = Promise.withResolvers<void>();
    const { town, reads } = await createRig({
      stream: async (text) => {
        text("The first half of it");
        await written;
      },
    });
    const root = town.say("bob", "square", `@${BOT} tell`);
    expect(await reads(root, /The first half/)).toContain("[Stop]");
    write();
    const text = await reads(root, OVER);
    await vi.waitFor(() => expect(town.read(root.id)).not.toContain("[Stop]"), OFTEN);
    expect(text).toContain("Answer 1.");
  });

  it("asks, and takes the word of who may decide alone, once", async () => {
    const upgrade = toolAnswer({ name: "request_mode_upgrade", input: { reason: "To fix it." } });
    const { town, reads } = await createRig({
      answer: (_, no) => (no === 1 ? upgrade : textAnswer("Fixed.")),
    });
    const root = town.say("bob", "square", `@${BOT} fix it`);
    await reads(root, /Write access for this thread\?[^]*> To fix it\.[^]*\[Approve\]/);
    const card = town.thread(root.id).findLast(({ buttons }) => buttons.length > 0);
    if (card === undefined) throw new Error("nothing is asked");
    town.click("bob", card, "Approve");
    await reads(root, /\(bob\) /);
    town.click("alice", card, "Approve");
    const text = await reads(root, /Write access for this thread: approved[^]*Fixed\.[^]*-- Unrestricted/);
    expect(text.match(/approved/g)).toHaveLength(1);
    expect(text).not.toContain("[Approve]");
  });

  it("answers once what was said while nobody was connected, and while no process ran", async () => {
    const rig = await createRig();
    const { town, reads } = rig;
    const root = town.say("bob", "square", `@${BOT} one?`);
    await reads(root, OVER);
    town.shut();
    town.say("bob", "square", "two?", root.id);
    town.open();
    await reads(root, /two\?[^]*Answer 2\./);
    await rig.end();
    town.say("bob", "square", "three?", root.id);
    const other = town.say("carol", "square", `@${BOT} four?`);
    await rig.begin();
    await reads(root, /three\?[^]*Answer \d\.\n--/);
    await reads(other, /four\?[^]*Answer \d\.\n--/);
    expect(rig.asked()).toHaveLength(2);
  });

  it("neither loses nor repeats an answer whose acknowledgement was lost, also where the process ends with it", async () => {
    const rig = await createRig();
    const { town, reads } = rig;
    town.loseAnswerTo("send");
    const root = town.say("bob", "square", `@${BOT} one?`);
    await reads(root, OVER);
    town.say("bob", "square", "two?", root.id);
    await reads(root, /Answer 2\.\n--/);
    town.loseAnswerTo("send");
    town.say("bob", "square", "three?", root.id);
    await vi.waitFor(
      () => expect(town.requests.filter((one) => one.do === "send").length).toBeGreaterThan(2),
      OFTEN,
    );
    await rig.restart();
    const text = await reads(root, /three\?[^]*Answer 3\.\n--/);
    for (const no of [1, 2, 3]) expect(text.match(new RegExp(`Answer ${no}\\.`, "g"))).toHaveLength(1);
    expect(text.match(/three\?\n/g)).toHaveLength(1);
  });
});
