/**
 * What is found among the first five, of a set that was labelled by hand: questions as people ask them, in other words than the pages',
 * each with the section of this project's own guides that answers it. Beside it stands what keyword_search does with a question's words:
 * sections with more of the words first, then those with more matches.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createIndexReader } from "../../../../src/features/knowledge/read-index.ts";
import { openForReading, openIndexForWriting } from "../../../../src/features/knowledge/schema.ts";
import { termsOf } from "../../../../src/text/terms.ts";
import { createIndexWriter } from "../../../../src/features/knowledge/write-index.ts";

const DOCS = resolve(import.meta.dirname, "../../../../docs");
const FIRST = 5;
const SOURCE = "https://docs.example/";

/** Each question, and the page and heading that answer it. */
const QUESTIONS: readonly (readonly [string, string, string])[] = [
  ["how can I run it in a container", "operators", "Docker"],
  ["deploying to a k8s cluster with kubernetes", "operators", "Kubernetes"],
  ["starting the bot automatically as a system service with systemd", "operators", "systemd"],
  ["how do I make a copy of all the data and put it back later", "operators", "Backup and restore"],
  ["somebody wants everything they said deleted", "operators", "Forgetting somebody"],
  ["when are old conversations removed from disk", "operators", "How long things are kept"],
  ["moving to a newer release and going back again", "operators", "Upgrade and rollback"],
  ["scraping figures with prometheus", "operators", "Metrics"],
  ["sending spans to an OpenTelemetry collector", "operators", "Traces"],
  ["reaching the web console from another computer", "operators", "The console from elsewhere"],
  ["how much RAM does the process need", "operators", "Memory"],
  ["what happens on SIGTERM, will running work be lost", "operators", "Stopping"],
  ["which log lines are written and at what level", "operators", "Logs"],
  ["connecting to a private repository with a token", "forges", "Private repositories"],
  ["self-hosted gitlab instance access", "forges", "GitLab"],
  ["cloning over ssh with a deploy key", "forges", "Deploy keys"],
  [
    "does it read CONTRIBUTING or AGENTS instructions of the project",
    "forges",
    "What the repository says itself",
  ],
  ["which things can it write to issues and pull requests", "forges", "What it writes"],
  ["creating the discord application and inviting it", "discord", "Set up"],
  ["the bot does not answer on discord, what can be wrong", "discord", "When something is wrong"],
  ["installing the slack app from the manifest", "slack", "Set up"],
  ["slack without socket mode, over requests to a public address", "slack", "HTTP mode"],
  ["an openai compatible endpoint for my editor", "gateway", "Switch it on"],
  ["approving something that was asked through the api gateway", "gateway", "When a person's word is needed"],
  ["giving a channel the tools of an MCP server", "mcp", "In a channel"],
  ["using jira tickets from a thread", "mcp", "Jira"],
  ["error reports of sentry", "mcp", "Sentry"],
  ["falling back to another model when the provider is down", "models", "When a model fails"],
  ["offering several models to choose from with aliases", "models", "Several models"],
  ["writing my own work mode", "modes", "A mode of your own"],
  ["installing npm dependencies before the agent starts", "setup", "The file"],
  ["does the setup script run again when the lock file changes", "setup", "When it runs"],
  ["starting a thread every monday morning", "watch", "Schedules"],
  ["opening a thread when an alert is posted by webhook", "watch", "Webhooks"],
  ["limits on how many threads a watch begins per hour and what they cost", "watch", "Bounds"],
  ["does a new github issue start a thread by itself", "watch", "GitHub and GitLab"],
  ["two different people have to approve", "approvers", "Who may, and two persons"],
  ["CODEOWNERS deciding who can apply a change", "approvers", "Owners of files"],
  ["what should I look at before pressing approve", "approvers", "How to judge"],
  ["which kernel version is required for the sandbox tiers", "security", "Tiers"],
  ["can commands reach cloud metadata or the internal network", "security", "Network"],
  ["reporting a vulnerability", "security", "Reporting a hole"],
  ["are api keys in a checkout masked", "security", "Secrets in repositories"],
  ["memory and process limits for each command", "security", "Limits"],
];

interface Part {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/** Percent of the questions whose section is among the first five. `directory`: for the index. */
export const recall = (directory: string): { readonly plain: number; readonly indexed: number } => {
  const parts = readdirSync(DOCS)
    .filter((file) => file.endsWith(".md") && file !== "reference.md")
    .flatMap((file) => partsOf(file.replace(/\.md$/, ""), readFileSync(join(DOCS, file), "utf8")));
  const share = (find: (question: string) => readonly string[]): number => {
    const found = QUESTIONS.filter(([question, page, heading]) => {
      const wanted = `${page}#${heading}`;
      if (!parts.some(({ name }) => name === wanted)) throw new Error(`there is no section ${wanted}`);
      return find(question).slice(0, FIRST).includes(wanted);
    });
    return (100 * found.length) / QUESTIONS.length;
  };
  return { plain: share(plainly(parts)), indexed: share(inIndex(parts, join(directory, "recall.sqlite"))) };
};

const partsOf = (page: string, text: string): readonly Part[] => {
  const [head = "", ...sections] = text.split(/^## /m);
  const title = /^# (.*)$/m.exec(head)?.[1] ?? page;
  return [
    { name: page, title, text: head },
    ...sections.map((section) => {
      const heading = section.slice(0, section.indexOf("\n"));
      return { name: `${page}#${heading}`, title: `${title} › ${heading}`, text: section };
    }),
  ];
};

const plainly =
  (parts: readonly Part[]) =>
  (question: string): readonly string[] => {
    const terms = termsOf(question);
    return parts
      .map(({ name, title, text }) => {
        const lower = `${title}\n${text}`.toLowerCase();
        const counts = terms.map((term) => lower.split(term).length - 1);
        const held = counts.filter((count) => count > 0).length;
        return { name, held, matches: counts.reduce((sum, count) => sum + count, 0) };
      })
      .filter(({ held }) => held > 0)
      .toSorted((a, b) => b.held - a.held || b.matches - a.matches)
      .map(({ name }) => name);
  };

const inIndex = (parts: readonly Part[], file: string) => {
  const db = openIndexForWriting(file);
  const writer = createIndexWriter(db);
  writer.keep([SOURCE]);
  writer.begin(SOURCE, true);
  const leaves = parts.map(({ name, title, text }, index) => ({
    key: `${SOURCE}${name} ${index}`,
    of: null,
    address: name,
    title,
    text,
    state: null,
    version: null,
    at: 0,
  }));
  writer.take({ source: SOURCE, leaves, ended: 1, due: 1, why: null });
  const reader = createIndexReader(openForReading(file));
  db.close();
  return (question: string): readonly string[] =>
    reader.find([SOURCE], question, FIRST).map(({ address }) => address);
};
