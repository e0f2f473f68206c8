/** A command is one object: it cannot lack a part, and reading, rights, help and `/parley` are made of it. */

import { describe, expect, it } from "vitest";
import { SLACK_FORMS } from "../../../../adapters/slack/forms.ts";
import { slackManifest } from "../../../../adapters/slack/receive/manifest.ts";
import { chatCommands } from "../../../../src/app/commands.ts";
import type { Person } from "../../../../src/ports/chat-platform.ts";
import { createCommands } from "../../../../src/runtime/chat/commands/commands.ts";
import {
  NO_OPTIONS,
  asInThread,
  type Command,
  type CommandContext,
  defineCommand,
  defineThreadCommand,
} from "../../../../src/runtime/chat/commands/define-command.ts";
import { choiceOption, wordOption } from "../../../../src/runtime/chat/commands/options.ts";
import { english } from "../../../../src/i18n/say.ts";

const CHANGE = choiceOption("change", "What to do", "on", "off");
const CODE = wordOption("code", "Name", /^[0-9]+$/);
const refusal = "Only admins choose the repository of a channel. Ask one of them.";
const help = {
  does: "How to work with Parley",
  thread: "lamp",
  channel: { code: "`/parley lamp`" },
} as const;

/** A command of nobody's, and what it ran with. */
const createLamp = () => {
  const ran: unknown[] = [];
  const lamp = defineCommand({
    words: ["lamp", "light"],
    options: [CHANGE, CODE],
    read: (valueOf) => {
      const [change, code] = [valueOf(CHANGE), valueOf(CODE)];
      return change === null ? null : { change, code };
    },
    rights: { right: "mayManage", refusal, isFree: (asked) => asked === null },
    help,
    slash: asInThread,
    run: (_, asked) => {
      ran.push(asked);
      return "Done.";
    },
  });
  return { lamp, ran };
};

const person: Person = { id: "U1", name: "alice", standing: "member", admin: false, groups: [] };

/** As far as a command made here looks. */
const contextOf = (changes: Partial<CommandContext>, approver: boolean): CommandContext => {
  const policy = {
    surface: "slack",
    approvers: approver ? [{ kind: "person", id: "U1" }] : [],
    twoPerson: "off",
    drivers: "members",
  } as const;
  const deps = { policy, say: english, mention: "@parley" };
  const asking = { place: "C1", root: null, direct: false, person: "U1" };
  const commands = createCommands([]);
  // @ts-expect-error: the dependencies that no command made here has.
  return { deps, asking, person, conversation: null, commands, ...changes };
};

const run = (command: Command, text: string, context: CommandContext): Promise<string | null> | null => {
  const parsed = createCommands([command]).parse(text);
  return parsed.kind === "command" ? parsed.order.run(context) : null;
};

describe("a command made of one object", () => {
  it("does not compile without words, rights or help", () => {
    const all = {
      words: ["lamp"] as const,
      ...NO_OPTIONS,
      rights: "everybody" as const,
      help,
      run: () => null,
    };
    const { words, rights, help: _, ...rest } = all;
    // @ts-expect-error: no words.
    const nameless = () => defineCommand({ ...rest, rights, help });
    // @ts-expect-error: no rights.
    const lawless = () => defineCommand({ ...rest, words, help });
    // @ts-expect-error: no help.
    const helpless = () => defineCommand({ ...rest, words, rights });
    expect([nameless, lawless, helpless]).toHaveLength(3);
    expect(defineCommand(all).words).toEqual(["lamp"]);
  });

  it.each([
    ["lamp", null],
    ["Light on.", { change: "on", code: null }],
    ["/lamp off 12", { change: "off", code: "12" }],
  ])("%s is read by its options", (text, asked) => {
    expect(createCommands([createLamp().lamp]).parse(text)).toMatchObject({
      kind: "command",
      order: { command: "lamp", asked },
    });
  });

  it.each(["lamp dim", "lamp on twelve", "lamp on 12 please", "the lamp"])("%s is a message", (text) => {
    expect(createCommands([createLamp().lamp]).parse(text)).toEqual({ kind: "message" });
  });

  it("a slip in one of its words is asked back", () => {
    const { lamp } = createLamp();
    expect(createCommands([lamp]).parse("lihgt")).toEqual({ kind: "near", typed: "lihgt", meant: "light" });
  });

  it("people without its right are refused and nothing runs; with it, and for what is free, it runs", async () => {
    const { lamp, ran } = createLamp();
    expect(await run(lamp, "lamp on", contextOf({}, false))).toBe(refusal);
    expect(ran).toEqual([]);
    expect(await run(lamp, "lamp", contextOf({}, false))).toBe("Done.");
    expect(await run(lamp, "lamp on", contextOf({}, true))).toBe("Done.");
    expect(ran).toEqual([null, { change: "on", code: null }]);
  });

  it("one for threads says so without a conversation, whoever asks; in one it runs by right", async () => {
    const ran: string[] = [];
    const shade = defineThreadCommand({
      words: ["shade"],
      ...NO_OPTIONS,
      rights: { right: "mayManage", refusal },
      help,
      run: ({ conversation }) => {
        ran.push(conversation);
        return null;
      },
    });
    for (const approver of [true, false])
      expect(await run(shade, "shade", contextOf({}, approver))).toContain("There is no conversation");
    expect(await run(shade, "shade", contextOf({ conversation: "c-1" }, false))).toBe(refusal);
    expect(ran).toEqual([]);
    expect(await run(shade, "shade", contextOf({ conversation: "c-1" }, true))).toBeNull();
    expect(ran).toEqual(["c-1"]);
  });

  it("the help and the list of platforms have it, and nothing else has to name it", () => {
    const commands = createCommands([...chatCommands.all, createLamp().lamp]);
    expect(commands.threadHelp("@parley", SLACK_FORMS, english)).toContain(" · `help` · `lamp`.");
    expect(commands.channelHelp("@parley", SLACK_FORMS, english)).toContain(
      " · `/parley help` · `/parley lamp`",
    );
    expect(commands.menu.at(-1)).toEqual({
      name: "lamp",
      does: help.does,
      options: [
        { name: "change", does: "What to do", form: "text", choices: ["on", "off"] },
        { name: "code", does: "Name", form: "text" },
      ],
      isText: false,
      takesNames: false,
    });
  });
});

describe("the list of commands", () => {
  const words = chatCommands.all.flatMap((one) => one.words);

  it("gives each word to one command", () => {
    expect(words.toSorted()).toEqual([...new Set(words)].toSorted());
  });

  it("orders by commands that there are", () => {
    const named = chatCommands.all.flatMap(({ help: { before = {} } }) => Object.values(before));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((one) => !words.includes(one))).toEqual([]);
  });

  it("has what Slack hints at behind `/parley`", () => {
    const [command] = slackManifest(null).features.slash_commands;
    const hinted = (command?.usage_hint ?? "").split(" | ").map((hint) => hint.split(" ")[0]);
    expect(hinted.length).toBeGreaterThan(5);
    const taken = chatCommands.all.filter(({ slash }) => slash !== null).map((one) => one.words[0]);
    expect(hinted.filter((one = "") => !taken.includes(one))).toEqual([]);
  });

  it("stops at once with one command alone", () => {
    expect(words.filter(chatCommands.stops)).toEqual(["stop", "cancel"]);
  });
});
