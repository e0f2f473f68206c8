/**
 * A community's memory in one session: a question answered from a closed issue, the same in other words for nothing, a push that
 * marks both, a thumb down with its reason, an answer that a maintainer edits, and the page that tells of it. The real host
 * process with the real discord.js and Anthropic clients, git, sandbox and Chromium, on wire-level servers.
 */

import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { expect, onTestFinished, test, vi } from "vitest";
import { hookSecret } from "../hook-secret.ts";
import { openStoreForReading } from "../../src/store/sqlite.ts";
import { chromiumPath, launchBrowser, noChromium } from "../browser/browser.ts";
import { startHost } from "../app/cli/host.ts";
import { createForge, PROJECT } from "../crash/platforms/killed-forge.ts";
import { createFakeAnthropic } from "../fakes/anthropic/fake.ts";
import { call, say } from "../fakes/anthropic/turn.ts";
import { createFakeDiscord, type FakeDiscord } from "../fakes/discord/fake.ts";
import { onGitHub } from "../fakes/side.ts";
import { replayDirectory } from "../replay.ts";
import { scratch } from "../scratch.ts";
import { commit } from "../workspace/scene.ts";

if (chromiumPath === null) console.log(`skipped: ${noChromium}`);

const MASTER = "0123456789abcdef";
const FILE = "export const FIRST = 1;\nexport const ATTEMPTS = 3;\n";
const COMMUNITY = {
  name: "Community",
  channels: [{ name: "general" }, { name: "team" }],
  members: [{ name: "alice" }, { name: "bob" }, { name: "maria", roles: ["maintainer"] }],
};

test.skipIf(chromiumPath === null)(
  "a question answered from a closed issue, one from the checkout that is given again, marked by a push, judged, edited by a maintainer, and told in the digest",
  async () => {
    const source = scratch("api");
    execFileSync("git", ["init", "-q", "-b", "main", source]);
    await commit(source, { "src/retry.js": FILE });
    const { forge, bare, file } = await createForge(onGitHub, source);
    const push = async (text: string): Promise<string> => {
      const made = await commit(source, { "src/retry.js": text });
      execFileSync("git", ["push", "-q", bare, "main"], { cwd: source });
      return made;
    };
    forge.addIssue(PROJECT, {
      title: "Uploads give up too early",
      text: "An upload is tried three times; ATTEMPTS decides.",
      state: "closed",
    });
    const issue = `${forge.url}/${PROJECT}/issues/1`;
    const model = await createFakeAnthropic();
    const fake = await createFakeDiscord({
      rates: "off",
      times: { identifyWindowMs: 0 },
      guilds: [COMMUNITY],
    });
    const data = scratch("memory");
    const host = await startHost(data, {
      ANTHROPIC_API_KEY: model.apiKey,
      ANTHROPIC_BASE_URL: model.url,
      PARLEY_MODEL: "claude-sonnet-5-5",
      DISCORD_TOKEN: fake.token,
      DISCORD_API_URL: fake.apiUrl,
      PARLEY_FORGES: file,
      PARLEY_REPOS: `${forge.host}/${PROJECT}`,
      PARLEY_HOOK_SECRET: MASTER,
    });
    onTestFinished(async () => {
      await host.stop("SIGKILL");
      await Promise.all([fake.close(), model.close()]);
      replayDirectory(data);
    });
    const reads = (channel: string, wanted: RegExp): Promise<string> =>
      vi.waitFor(() => {
        const text = fake.asText(channel);
        if (!wanted.test(text)) throw new Error(`${wanted} is not in:\n${text}\n${host.errors.join("\n")}`);
        return text;
      });
    const maria = async (command: string, options: Readonly<Record<string, string>>): Promise<string> => {
      const ran = await vi.waitFor(() => fake.as("maria").command("general", command, options));
      return ran.told;
    };
    const ask = (person: string, text: string): string =>
      fake.as(person).say("general", `@parley ${text}`).id;

    // A question is answered from a closed issue, with a link that was checked.
    expect(await maria("parley repo", { name: `${forge.host}/${PROJECT}` })).toContain("chosen by @maria");
    await maria("parley knowledge", { change: "add", sources: "issues" });
    await vi.waitFor(async () =>
      expect(await maria("parley knowledge", {})).toMatch(/issues`: 1 text, read/),
    );
    model.script(
      call("search_knowledge", { query: "how often are uploads tried" }),
      call("bash", { command: "cat src/retry.js" }),
      say(`Set \`ATTEMPTS\` in \`src/retry.js:2\`: ["An upload is tried three times"](${issue}).`),
    );
    const first = ask("alice", "How can I change how often uploads are tried?");
    const answered = await reads(first, /tried three times[^]*tricted[^·\n]* · [[`<]/);
    expect(answered).toContain(issue);
    expect(answered).not.toContain("not found");
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain("Uploads give up too early");

    // An answer that read more than the checkout is given to nobody else (40.A3).
    const posted = () => {
      const opened = openStoreForReading(data);
      if (opened.kind === "failed") throw new Error(opened.message);
      const all = opened.answers.answersPage(0, null, 100);
      opened.store.close();
      return all;
    };
    await vi.waitFor(() => expect(posted()).toMatchObject([{ audience: "public" }]));
    model.script(
      call("bash", { command: "cat src/retry.js" }),
      say("`ATTEMPTS` in `src/retry.js:2` sets it: uploads are tried three times."),
    );
    const own = ask("bob", "how can i change how often uploads are tried");
    expect(await reads(own, /tried three times[^]*tricted[^·\n]* · [[`<]/)).not.toContain(
      "This question was answered",
    );
    await vi.waitFor(() => expect(posted()).toMatchObject([{ audience: "public" }, { audience: "public" }]));

    // The same question, by another person: at once, and for nothing.
    const before = model.requests.length;
    const second = ask("alice", "Hi, how can I change how often uploads are tried?");
    await reads(second, /tried three times[^]*This question was answered[^]*\[Ask again from scratch\]/);
    expect(model.requests).toHaveLength(before);
    await vi.waitFor(() =>
      expect(posted()).toMatchObject([
        { audience: "public" },
        { audience: "public" },
        { audience: "public" },
      ]),
    );

    // A thumb down, with its reason, of what was given again: it is not given a third time.
    fake.as("maria").click(withButton(fake, second, "thumb_down"), "👎");
    await reads(second, /only for @maria\)[^]*\[Say why\]/);
    const form = fake.as("maria").click(withButton(fake, second, "Say why"), "Say why");
    await form.ended;
    await fake.as("maria").submit(form, { words: "It does not say where the default is." });
    await reads(second, /Thank you\./);
    model.script(say("Nothing else sets it."));
    await reads(ask("alice", "How can I change how often uploads are tried?"), /Nothing else sets it\./);

    // A push that changes the cited line marks both.
    const by = await push(FILE.replace("= 3", "= 5"));
    const body = JSON.stringify({
      ref: "refs/heads/main",
      repository: { html_url: `https://github.com/${PROJECT}`, full_name: PROJECT },
    });
    const signature = createHmac("sha256", hookSecret(MASTER, "github")).update(body).digest("hex");
    const headers = {
      "x-hub-signature-256": `sha256=${signature}`,
      "x-github-event": "push",
      "x-github-delivery": "1",
    };
    const heard = await fetch(`${host.origin}/hooks/github`, { method: "POST", body, headers });
    expect(heard.status).toBe(202);
    const marked = new RegExp(`src/retry\\.js:2.* changed in .*${by.slice(0, 7)}`);
    await reads(first, marked);
    await reads(second, marked);

    // An answer is held until a maintainer has edited it.
    const { id: team } = fake.world.channelNamed("team");
    expect(await maria("parley review", { change: "on", channel: `<#${team}>` })).toContain(
      "are reviewed in",
    );
    model.script(say("The queue lives in memory."));
    const third = ask("bob", "Where does the queue live?");
    await reads(third, /A maintainer reviews it before it is posted here/);
    const card = await vi.waitFor(() => withButton(fake, team, "Edit and send"));
    const edit = fake.as("maria").click(card, "Edit and send");
    expect(JSON.stringify(await edit.ended)).toContain("The queue lives in memory.");
    await fake.as("maria").submit(edit, { words: "The queue lives on the disk." });
    expect(await reads(third, /on the disk\.[^]*Edited by @maria/)).not.toContain("in memory");
    expect([...fake.violations, ...model.violations, ...forge.violations]).toEqual([]);

    // The page that tells maintainers of it.
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const { page, faults } = await browser.open(host.url);
    await page.getByRole("link", { name: "Questions" }).click();
    await page.getByText("It does not say where the default is.").first().waitFor();
    expect(await page.locator(".bars").count()).toBeGreaterThan(0);
    const came = page.getByRole("region", { name: "Outcomes" });
    await came.getByText("As a table").click();
    expect(await came.getByRole("table").first().innerText()).toMatch(/Asked\s+5\s+Answered\s+5/);
    expect(faults).toEqual([]);
  },
  180_000,
);

/** The newest message with it. */
const withButton = (fake: FakeDiscord, channel: string, label: string) => {
  const found = fake.world
    .messages(channel)
    .findLast(({ components }) => JSON.stringify(components).includes(label));
  if (found === undefined) throw new Error(`no ${label} in:\n${fake.asText(channel)}`);
  return { channel, id: found.id };
};
