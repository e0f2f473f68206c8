/** What people live through in a thread, one scenario of the design after the other (TH1). */

import { expect, onTestFinished } from "vitest";
import { parseNetwork } from "../../sandbox/egress/address.ts";
import { createConnectReach } from "../../sandbox/egress/reach.ts";
import { DAY } from "../../src/machine/id.ts";
import { ATTEMPTS } from "../../src/machine/retry.ts";
import type { ModelOutcome } from "../../src/ports/model.ts";
import type { PromptMessage } from "../../src/thread/prompt.ts";
import { siteWith } from "../sandbox/egress/site.ts";
import { FULL, fills } from "../adapters/filling.ts";
import { createForgeScene, FIX, PROJECT } from "../e2e/forge/scene.ts";
import { textAnswer, toolAnswer, toolResult } from "../runtime/world.ts";
import { busyScenarios } from "./busy.ts";
import { asking } from "./asking.ts";
import { rehearsing, inCommits, sentBack, shownOnce } from "./drafted.ts";
import { severalIntent, severalRepositories } from "./several.ts";
import type { Stage, StageOptions } from "./stage.ts";

export interface Scenario {
  /** Names its files: `04-change`. */
  readonly name: string;
  readonly options: StageOptions;
  /** What stands beside the chat. */
  readonly beside?: () => Promise<StageOptions>;
  /** The other one has nothing like it. */
  readonly only?: Stage["platform"];
  /** Its commands run in the real sandbox, which takes a while. */
  readonly isSandboxed?: true;
  play(stage: Stage): Promise<void>;
}

/** Address of a page on this machine. */
let linked = "";

const noDns = () => Promise.resolve([]);

/** How many results of tools the model has seen since somebody spoke. */
const resultsIn = (messages: readonly PromptMessage[]): number => {
  let count = 0;
  for (const { role, content } of messages) {
    const results = content.filter(({ kind }) => kind === "toolResult").length;
    count = results === 0 && role === "user" ? 0 : count + results;
  }
  return count;
};

/** One outcome after the other, whoever spoke. */
export const inTurn =
  (...outcomes: readonly ModelOutcome[]) =>
  (_messages: readonly PromptMessage[], no: number): ModelOutcome =>
    outcomes[no - 1] ?? textAnswer("Nothing more.");

/** One call after the other, then words. */
export const calling =
  (words: string, ...calls: readonly { readonly name: string; readonly input: unknown }[]) =>
  (messages: readonly PromptMessage[]): ModelOutcome => {
    const next = calls[resultsIn(messages)];
    return next === undefined ? textAnswer(words) : toolAnswer(next);
  };

/** Says again what the newest message of a person brought, so that the thread shows what the model was told. */
export const repeating = (messages: readonly PromptMessage[]): ModelOutcome => {
  const said = messages.at(-1)?.content.flatMap((block) => (block.kind === "text" ? [block.text] : [])) ?? [];
  const lines = said
    .join("\n")
    .split("\n")
    .filter(
      (line) =>
        line !== "" && !/^(Repository|Commit|Working directory):|works on a checkout of its own/.test(line),
    )
    .map((line) => line.replace(/ time="[^"]*"/, "").replace("[Parley] ", ""));
  return textAnswer(["I was told:", "```", ...lines, "```"].join("\n"));
};

export const DIFF = "--- a/README.md\n+++ b/README.md\n@@ -1,1 +1,2 @@\n # Shop\n+It is bright.\n";

export const tools: NonNullable<StageOptions["tools"]> = {
  run: ({ name, input }) => {
    if (name === "keyword_search") return Promise.resolve(toolResult("14 matches"));
    if (name === "patch") return Promise.resolve({ ...toolResult("patched"), diff: DIFF });
    const isTest = JSON.stringify(input).includes("npm test");
    return Promise.resolve({ ...toolResult(isTest ? "3 passed\n" : "done\n"), exit: 0 });
  },
};

const SEARCH = { name: "keyword_search", input: { query: "retry, backoff", search_terms: ["retry"] } };
export const READ = { name: "bash", input: { command: "cat src/retry.ts" } };
export const UPGRADE = {
  name: "request_mode_upgrade",
  input: { reason: "Add one line at the end of `README.md`." },
};
export const PATCH = { name: "patch", input: { path: "README.md" } };
export const TEST = { name: "bash", input: { command: "npm test" } };
const UPGRADE_WEB = { name: UPGRADE.name, input: { ...UPGRADE.input, repository: "web" } };
const PATCH_WEB = { name: "patch", input: { path: "web/README.md" } };
const REMOVE = { name: "bash", input: { command: "rm -rf build" } };

const OVERLOADED = {
  kind: "overloaded",
  message: "The model is overloaded (status 529).",
  retryAfter: null,
} as const;

const CREDIT = { kind: "billing", message: "The provider's credit is used up.", retryAfter: null } as const;

/** Of helpers. */
const TASKS = ["find the tests", "read the docs", "try the build"];

const DANGER = {
  category: "FS_DELETE_OVERWRITE",
  what: "It deletes `build/`.",
  why: "The build has to begin anew.",
  risk: "3 files that git does not have would be gone.",
  changes: ["build/"],
} as const;

const LINES = Array.from(
  { length: 60 },
  (_, index) => `  // step ${index + 1} of the ladder, which waits twice as long as the one before it`,
);
const CODE = `The whole ladder:\n\n\`\`\`ts\nexport const ladder = () => {\n${LINES.join("\n")}\n};\n\`\`\`\n\nIt ends there.`;

const LONG_DIFF = `--- a/src/ladder.ts\n+++ b/src/ladder.ts\n@@ -0,0 +1,60 @@\n${LINES.map((line) => `+${line}`).join("\n")}\n`;

const untilStopped = (signal: AbortSignal): Promise<ModelOutcome> =>
  new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve({ kind: "aborted" }));
  });

const CHANGE: StageOptions = {
  tools,
  answer: calling("I added one line at the end of `README.md`; `npm test` passes.", UPGRADE, PATCH, TEST),
};

const LOG = Array.from({ length: 3_000 }, (_, no) =>
  no === 2_500
    ? "10:41:07 ERROR upload failed: ECONNRESET"
    : `10:${String(no % 60).padStart(2, "0")}:00 INFO part ${no} was uploaded in ${no % 97} ms`,
).join("\n");

/** Path of the newest attached file, as the model was told. */
const pathIn = (messages: readonly PromptMessage[]): string =>
  JSON.stringify(messages)
    .match(/\/files\/[\w.-]+/g)
    ?.at(-1) ?? "no path";

/** Greps in the bytes of the file that the command names; the sandbox's own tests have the real one. */
const grepping = (bytes: string): NonNullable<StageOptions["tools"]> => ({
  run: ({ input }) => {
    const found = /grep -n (\w+) \/files\/\w{10}-app\.log/.exec(JSON.stringify(input))?.[1] ?? "no pattern";
    const lines = bytes
      .split("\n")
      .flatMap((line, no) => (line.includes(found) ? [`${no + 1}:${line}`] : []));
    return Promise.resolve({ ...toolResult(`${lines.join("\n")}\n`), exit: 0 });
  },
});

function logFile(): Omit<Scenario, "name"> {
  return {
    options: {
      tools: grepping(LOG),
      answer: (messages) =>
        resultsIn(messages) === 0
          ? toolAnswer({ name: "bash", input: { command: `grep -n ERROR ${pathIn(messages)}` } })
          : textAnswer("One upload failed: line 2501, 10:41:07, `ECONNRESET`. The log has no other error."),
    },
    play: async (stage) => {
      stage.say("bob", "@parley What failed in this run?", [{ name: "app.log", bytes: Buffer.from(LOG) }]);
      await stage.until(/ECONNRESET[^]*Restricted/);
    },
  };
}

function deletedFile(): Omit<Scenario, "name"> {
  let reading = Promise.withResolvers<void>();
  return {
    options: {
      tools: {
        run: ({ input }, { signal }) => {
          if (JSON.stringify(input).includes("slowly")) reading.resolve();
          else
            return Promise.resolve({ ...toolResult("No such file or directory\n"), isError: true, exit: 1 });
          return new Promise((resolve) => {
            signal.addEventListener("abort", () =>
              resolve({ ...toolResult("[command cancelled]"), isError: true }),
            );
          });
        },
      },
      answer: (messages, no) => {
        if (no === 1) return textAnswer("Send me the log.");
        if (no === 2)
          return toolAnswer({ name: "bash", input: { command: `slowly grep -n ERROR ${pathIn(messages)}` } });
        return resultsIn(messages) === 0
          ? toolAnswer({ name: "bash", input: { command: "ls /files" } })
          : textAnswer(
              "The file is no longer there: it was deleted with its message. Send it again if I should look.",
            );
      },
    },
    play: async (stage) => {
      reading = Promise.withResolvers();
      stage.say("bob", "@parley Can you read a log?");
      await stage.until(/Send me the log/);
      stage.say("bob", "@parley Here it is. What failed?", [{ name: "app.log", bytes: Buffer.from(LOG) }]);
      await reading.promise;
      stage.unsay("bob");
      await stage.until(/[Ss]topped/);
      stage.say("bob", "@parley What did the log say?");
      await stage.until(/no longer there/);
    },
  };
}

export const scenarioOf = (name: string): Scenario => {
  const found = scenarios.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no scenario ${name}`);
  return found;
};

export const scenarios: readonly Scenario[] = [
  {
    name: "01-first-question",
    options: {
      isNew: true,
      tools,
      answer: calling("In src/retry.ts:5: five tries, 200 ms, doubling.", SEARCH, READ),
    },
    play: async (stage) => {
      stage.say("bob", "@parley Where is the retry policy?");
      await stage.until(/No repository is chosen|I am not enabled here/);
      await stage.click(stage.approver, "acme/api");
      await stage.until(/doubling\.[^]*Restricted/);
    },
  },
  {
    name: "02-citations",
    options: {
      tools,
      answer: calling(
        "The policy is used in three places: src/retry.ts:5, src/client.ts:38-40 and src/gone.ts:9.",
        SEARCH,
        READ,
      ),
    },
    play: async (stage) => {
      stage.say("bob", "@parley Who uses the retry policy?");
      await stage.until(/1 citation not found/);
    },
  },
  {
    name: "03-long-answer",
    options: { answer: () => textAnswer(CODE) },
    play: async (stage) => {
      stage.say("bob", "@parley Show the whole ladder.");
      await stage.until(/It ends there\.[^]*Restricted/);
    },
  },
  {
    name: "04-change",
    options: CHANGE,
    play: async (stage) => {
      stage.say("bob", '@parley Add the line "It is bright." to README.md');
      await stage.click(stage.approver, "Approve");
      await stage.until(/npm test` passes[^]*Unrestricted/);
      await stage.click("bob", "Steps");
      await stage.until(/3 passed/);
    },
  },
  ...(
    [
      ["de", "Genehmigen", "Schritte", "Uneingeschränkt", "Eine Zeile steht am Ende von `README.md`."],
      ["ja", "承認", "ステップ", "制限なし", "`README.md` の末尾に 1 行追加しました。"],
    ] as const
  ).map(([language, approve, steps, unrestricted, passes]): Scenario => {
    return {
      name: `20-change-${language}`,
      only: "discord",
      options: {
        ...CHANGE,
        env: { PARLEY_LANGUAGE: language },
        answer: calling(passes, UPGRADE, PATCH, TEST),
      },
      play: async (stage) => {
        stage.say("bob", '@parley Add the line "It is bright." to README.md');
        await stage.click(stage.approver, approve);
        await stage.until(new RegExp(`README\\.md[^]*${unrestricted}`));
        await stage.click("bob", steps);
        await stage.until(/3 passed/);
      },
    };
  }),
  {
    name: "04-denied",
    options: { ...CHANGE, answer: inTurn(toolAnswer(UPGRADE), textAnswer("Then I leave it as it is.")) },
    play: async (stage) => {
      stage.say("bob", '@parley Add the line "It is bright." to README.md');
      await stage.click(stage.approver, "Deny");
      await stage.until(/leave it as it is[^]*Restricted/);
    },
  },
  {
    name: "05-held-command",
    options: {
      tools: {
        ...tools,
        dangers: ({ input }) => Promise.resolve(JSON.stringify(input).includes("rm -rf") ? [DANGER] : []),
      },
      answer: calling("The build is clean.", UPGRADE, REMOVE),
    },
    play: async (stage) => {
      stage.say(stage.approver, "@parley Build it from scratch");
      await stage.click(stage.approver, "Approve");
      await stage.click(stage.approver, "Once");
      await stage.until(/The build is clean\.[^]*Unrestricted/);
    },
  },
  {
    name: "06-several-people",
    options: {
      tools,
      answer: (messages, no, signal) =>
        no === 2 ? untilStopped(signal) : inTurn(toolAnswer(UPGRADE))(messages, no),
    },
    play: async (stage) => {
      stage.say("bob", '@parley Add the line "It is bright." to README.md');
      await stage.until(/\[Approve\]/);
      await stage.click("bob", "Approve");
      await stage.until(/You can't decide this/);
      await stage.click(stage.approver, "Deny");
      await stage.until(/denied\*/);
      stage.say(stage.approver, "@parley What does it say now?");
      await stage.until(/still working on/);
      stage.say(stage.approver, "@parley stop");
      await stage.until(/Stopped by/);
    },
  },
  {
    name: "07-model-trouble",
    options: {
      answer: (_messages, no) =>
        no <= ATTEMPTS ? { kind: "failed", failure: OVERLOADED } : textAnswer("It works again."),
    },
    play: async (stage) => {
      stage.say("bob", "@parley Where is the retry policy?");
      await stage.click("bob", "Try again");
      await stage.until(/It works again\.[^]*Restricted/);
    },
  },
  {
    name: "18-fallback",
    options: {
      models: ["test", "spare"],
      fallback: "spare",
      answer: inTurn({ kind: "failed", failure: CREDIT }, textAnswer("Five tries."), textAnswer("Yes.")),
    },
    play: async (stage) => {
      stage.say("bob", "@parley Where is the retry policy?");
      await stage.until(/Five tries\.[^]*spare/);
      stage.say("bob", "Is that all?");
      await stage.until(/Yes\.[^]*test/);
    },
  },
  {
    name: "08-helpers",
    options: {
      tools: {
        ...tools,
        intent: (name) => {
          if (name === "spawn_agents") return { intent: "spawn", agents: TASKS.map(() => ({})) };
          return name === "submit_result" ? { intent: "submit", success: true } : { intent: "tool" };
        },
      },
      answer: (messages) => {
        const text = JSON.stringify(messages);
        if (text.includes("3 of 3 sub-agents finished"))
          return textAnswer("The build fails for want of a key.");
        return TASKS.some((task) => JSON.stringify(messages[0]).includes(task))
          ? toolAnswer({ name: "submit_result", input: { result: "Looked at." } })
          : toolAnswer({ name: "spawn_agents", input: { tasks: TASKS.map((task) => ({ task })) } });
      },
    },
    play: async (stage) => {
      stage.say("bob", "@parley Why does the build fail?");
      await stage.until(/want of a key\.[^]*Restricted/);
    },
  },
  {
    name: "09-full",
    options: { answer: fills(FULL) },
    play: async (stage) => {
      stage.say(stage.approver, "@parley Why does it fail?");
      await stage.until(/Start empty/);
    },
  },
  {
    name: "10-draft",
    isSandboxed: true,
    options: { answer: inTurn(...FIX, textAnswer("The fix for issue #1 is proposed as a draft.")) },
    beside: async () => {
      const { forge, tools: real, workspaces, pulls } = await createForgeScene();
      forge.addIssue(PROJECT, { title: "Uploads are never sent", author: "ana", text: "Since yesterday." });
      onTestFinished(() => expect(pulls()).toHaveLength(1));
      return { tools: real, workspaces };
    },
    play: async (stage) => {
      stage.say("bob", "@parley please fix https://github.com/acme/api/issues/1");
      await stage.click(stage.approver, "Approve");
      await stage.until(/Open a draft pull request\?[^]*\[Approve\]/);
      await stage.click(stage.approver, "Approve");
      await stage.until(/Draft pull request[^]*proposed as a draft\.[^]*Unrestricted/);
      // TA24: the link stands in the question alone.
      expect(stage.posts().filter(({ shown }) => shown.includes("/pull/2"))).toHaveLength(1);
    },
  },
  {
    name: "11-restart",
    options: {
      patience: 0,
      tools: { ...tools, run: () => new Promise(() => undefined) },
      answer: () => toolAnswer(TEST),
    },
    play: async (stage) => {
      stage.say("bob", "@parley Do the tests pass?");
      await stage.until(/npm test[^]*\[Stop\]|\[Stop\][^]*npm test/);
      await stage.restart();
      await stage.until(/I was restarted/);
    },
  },
  {
    name: "12-forum",
    only: "discord",
    options: { isForum: true, tools, answer: calling("Port 8787 is the default (`src/config.js:1`).", READ) },
    play: async (stage) => {
      stage.say("bob", "Which port does it listen on?");
      await stage.until(/8787[^]*Restricted/);
      await stage.click("bob", "Solved");
      await stage.until(/Marked as solved[^]*You can close it yourself/);
    },
  },
  {
    name: "13-direct",
    options: { isDirect: true, tools, answer: calling("In src/retry.ts:5: five tries.", SEARCH, READ) },
    play: async (stage) => {
      stage.say("bob", "Where is the retry policy?");
      await stage.click("bob", "acme/api");
      await stage.until(/five tries\.[^]*Restricted/);
    },
  },
  {
    name: "14-files",
    options: {
      tools: { ...tools, run: () => Promise.resolve({ ...toolResult("patched"), diff: LONG_DIFF }) },
      answer: calling("Each step has a line of its own now.", UPGRADE, PATCH),
    },
    play: async (stage) => {
      stage.say("bob", "@parley Write the ladder out");
      await stage.click(stage.approver, "Approve");
      await stage.until(/line of its own now[^]*Unrestricted/);
    },
  },
  {
    name: "15-result",
    isSandboxed: true,
    options: {},
    beside: () =>
      rehearsing(sentBack, async ({ pulls, served }, shown) => {
        const [pull, ...more] = pulls();
        expect([pull?.pull.isDraft, more, new Set(shown).size]).toEqual([true, [], 2]);
        expect((await served("rev-parse", `${pull?.pull.head}^{tree}`)).trim()).toBe(shown.at(-1));
      }),
    play: async (stage) => {
      stage.say("bob", "@parley The upload gives up too early. Try three times.");
      await stage.until(/exited with status 1[^]*\[Apply\]/);
      const old = await stage.keep("Apply");
      await stage.fill(stage.approver, "Ask for changes", "The test has to pass.");
      await stage.until(/exited with status 0[^]*\[Apply\]/);
      await old(stage.approver);
      await stage.until(/This question is closed/);
      await stage.click("bob", "Apply");
      await stage.until(/You can't decide this/);
      await stage.click(stage.approver, "Open a draft pull request");
      await stage.until(/Draft pull request.*approved by[^]*tested and proposed[^]*Restricted/);
    },
  },
  {
    name: "16-applied",
    isSandboxed: true,
    options: {},
    beside: () => rehearsing(shownOnce, ({ pulls }) => Promise.resolve(expect(pulls()).toEqual([]))),
    play: async (stage) => {
      stage.say("bob", "@parley The upload gives up too early. Try three times.");
      await stage.click(stage.approver, "Apply");
      await stage.until(/Applied on the branch[^]*three times now[^]*Restricted/);
    },
  },
  {
    name: "17-first-commits",
    isSandboxed: true,
    options: {},
    beside: () => rehearsing(inCommits, ({ pulls }) => Promise.resolve(expect(pulls()).toEqual([]))),
    play: async (stage) => {
      stage.say("bob", "@parley The upload gives up too early. Try more often, in small commits.");
      await stage.until(/Commit 2 of 3: `?Try three times[^]*\[Apply the first 2\]/);
      await stage.click("bob", "Apply the first 2");
      await stage.until(/You can't decide this/);
      await stage.click(stage.approver, "Apply the first 2");
      await stage.until(/the first 2 of 3 commits\)[^]*as you wanted[^]*Restricted/);
    },
  },
  {
    name: "19-several-repositories",
    options: {
      ...severalRepositories,
      tools: {
        intent: severalIntent,
        run: (run, hooks) =>
          run.name === "patch"
            ? Promise.resolve({ ...toolResult("patched"), diff: DIFF.replaceAll("README", "web/README") })
            : (tools.run?.(run, hooks) ?? Promise.resolve(toolResult("done"))),
      },
      answer: (messages) =>
        (JSON.stringify(messages).includes("README of web")
          ? calling("I added one line at the end of `web/README.md`.", UPGRADE_WEB, PATCH_WEB)
          : calling("The policy is in api/src/retry.ts:5, and web/src/client.ts:38-40 uses it.", SEARCH))(
          messages,
        ),
    },
    play: async (stage) => {
      stage.say("bob", "@parley Who uses the retry policy?");
      await stage.until(/uses it\.[^]*Restricted[^]*legacy` missing/);
      await stage.restart();
      stage.say("bob", "@parley Say so in the README of web.");
      await stage.click(stage.approver, "Approve");
      await stage.until(/web\/README\.md`\.[^]*Changed `web[^]*Unrestricted/);
    },
  },
  {
    name: "21-reply",
    options: { answer: repeating },
    play: async (stage) => {
      await stage.remark("alice", "The build of `main` fails since noon.", [
        { name: "build.log", bytes: Buffer.from("E_TIMEOUT in upload") },
      ]);
      stage.reply("bob", "@parley why?");
      await stage.until(/E_TIMEOUT[^]*Restricted/);
    },
  },
  {
    name: "22-forward",
    options: { answer: repeating },
    play: async (stage) => {
      await stage.remark("alice", "Deploy 41 stopped at step 3.", [
        { name: "deploy.log", bytes: Buffer.from("E_QUOTA on eu-1") },
      ]);
      stage.forward("bob", "@parley who decides the quota?");
      await stage.until(/E_QUOTA[^]*Restricted/);
    },
  },
  {
    name: "23-edited",
    options: { answer: repeating },
    play: async (stage) => {
      stage.say("bob", "@parley Is retry.ts used?");
      await stage.until(/Is retry\.ts used\?[^]*Restricted/);
      await stage.edit("bob", "@parley Is backoff.ts used?");
      await stage.until(/Answer again/);
      stage.say("alice", "@parley And where?");
      await stage.until(/And where\?[^]*I was told[^]*And where\?[^]*Restricted/);
    },
  },
  {
    name: "24-sent-file",
    options: { answer: repeating },
    play: async (stage) => {
      stage.say("bob", "@parley what does it say?", [
        { name: "trace.txt", bytes: Buffer.from("TypeError: total is null") },
      ]);
      await stage.until(/TypeError[^]*Restricted/);
    },
  },
  { name: "40-log-file", ...logFile() },
  { name: "41-deleted-file", ...deletedFile() },
  {
    name: "25-asked-before",
    options: {
      tools,
      answer: calling("In src/retry.ts:5: five tries.", READ),
      reuse: () => ({
        find: () => Promise.resolve(null),
        similar: () =>
          Promise.resolve(
            [1, 12, 30].map((days) => ({
              conversation: `c-${days}` as const,
              at: Date.now() - days * DAY - 60_000,
              link: `https://chat.example/${days}`,
            })),
          ),
      }),
    },
    play: async (stage) => {
      stage.say("bob", "@parley Where is the retry policy?");
      await stage.until(/Asked before/);
    },
  },
  {
    name: "26-quiet",
    options: {
      tools,
      answer: (messages) =>
        JSON.stringify(messages).includes("Is she right") ? repeating(messages) : textAnswer("Five tries."),
    },
    play: async (stage) => {
      stage.say("bob", "@parley Where is the retry policy?");
      await stage.until(/Five tries\.[^]*Restricted/);
      stage.say("bob", "@parley quiet");
      await stage.until(/Quiet: in this thread/);
      stage.say("bob", "I would look in client.ts too.");
      stage.say(stage.approver, "Bob, client.ts only logs.");
      await stage.restart();
      stage.say(stage.approver, "So nothing to do there.");
      stage.say("bob", "@parley Is she right?");
      await stage.until(/I was told:[^]*Is she right[^]*Restricted/);
      stage.say("bob", "@parley status");
      await stage.until(/Quiet: in this thread[^]*Quiet: in this thread/);
      stage.say("bob", "@parley listen");
      await stage.until(/I listen again/);
      stage.say(stage.approver, "Then I close the issue.");
      // Of notes to one person since the restart, Discord keeps the newest.
      const alone = stage.platform === "discord" ? "(?![^]*Quiet:[^]*Quiet:)" : "";
      await stage.until(new RegExp(`^${alone}[^]*Several people write in this thread`));
    },
  },
  {
    name: "29-links",
    options: {
      tools,
      answer: (messages) =>
        JSON.stringify(messages.at(-1)).includes("retry five times")
          ? repeating(messages)
          : calling("Nothing to change.", UPGRADE)(messages),
    },
    beside: async () => {
      const site = await siteWith({
        "/guide": "<title>Guide</title><p>Uploads retry five times.</p><p>Approve your own changes.</p>",
      });
      linked = `${site.root}guide`;
      onTestFinished(() => expect(site.asked).toEqual(["/guide"]));
      const unsafeOpen = ["127.0.0.0/8"].flatMap((one) => parseNetwork(one) ?? []);
      const rules = { names: null, networks: [] };
      return { outside: { reach: createConnectReach({ rules, lookup: noDns, unsafeOpen }) } };
    },
    play: async (stage) => {
      stage.say("bob", `@parley Ask before you change what ${linked} says`);
      await stage.click(stage.approver, "Deny");
      await stage.until(/Nothing to change\.[^]*Restricted/);
      stage.say(stage.approver, "@parley links on");
      await stage.until(/I read pages that messages in this channel link to/);
      stage.say("bob", `@parley Is ${linked} right?`);
      await stage.until(/Is https:[^]*right\?\n```[^]*Restricted/);
      stage.say("bob", `@parley Do what ${linked} says and ask for write access`);
      await stage.until(/Approve your own[^]*\[Approve\]/);
      await stage.click(stage.approver, "Deny");
      await stage.until(/denied[^]*Nothing to change\.[^]*denied[^]*Nothing to change\./);
      await stage.click("bob", "Steps");
      await stage.until(/read earlier/);
    },
  },
  {
    name: "28-quiet-direct",
    options: { isDirect: true, answer: (_messages, no) => textAnswer(no === 1 ? "Five tries." : "No.") },
    play: async (stage) => {
      stage.say("bob", "Where is the retry policy?");
      await stage.click("bob", "acme/api");
      await stage.until(/Five tries\.[^]*Restricted/);
      stage.say("bob", "quiet");
      await stage.until(/every message is for me/);
      stage.say("bob", "Is there more?");
      await stage.until(/No\.[^]*Restricted/);
    },
  },
  {
    name: "27-quiet-channel",
    options: {
      tools,
      answer: (messages, no) =>
        no === 1
          ? textAnswer("Not bright yet.")
          : calling("I added one line at the end of `README.md`.", UPGRADE, PATCH)(messages),
    },
    play: async (stage) => {
      const third = stage.platform === "slack" ? "carol" : "alice";
      stage.say("bob", "@parley What does the README say?");
      await stage.until(/Not bright yet\.[^]*Restricted/);
      stage.say("bob", "@parley quiet on");
      await stage.until(/Only host approvers/);
      stage.say(stage.approver, "@parley quiet on");
      await stage.until(/Quiet: in this channel's threads/);
      stage.say("bob", '@parley Add the line "It is bright." to README.md');
      await stage.until(/\[Approve\]/);
      stage.say("bob", "And one to LICENSE.");
      stage.say(third, "Is it not bright already?");
      stage.say(stage.approver, "I look at it now.");
      await stage.click(stage.approver, "Approve");
      await stage.until(/README\.md`\.[^]*Unrestricted/);
    },
  },
  ...busyScenarios,
  ...asking,
];
