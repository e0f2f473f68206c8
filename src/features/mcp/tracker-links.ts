/**
 * Reads title and state of issues in Linear and Jira that a message links to, with the read tool of a server that the channel
 * has turned on. Nothing happens without such a server. The answer is untrusted content.
 */

import { z } from "zod";
import type { Core } from "../../feature.ts";
import type { Millis } from "../../machine/id.ts";
import type { ReadLinks } from "../../ports/links.ts";
import { fieldIn, jsonIn } from "../../text/json.ts";
import { linksIn } from "../../text/links.ts";
import { oneLine } from "../../text/one-line.ts";
import { quoteUntrusted } from "../../text/quotes.ts";
import { maskSecrets } from "../../text/secrets/known-forms.ts";
import type { LinkedPage } from "../../thread/linked-pages.ts";
import type { McpEntry } from "./entry.ts";
import type { OfferedTool, Servers } from "./servers.ts";

interface TrackerDeps {
  readonly servers: Pick<Servers, "tools" | "call">;
  readonly entries: readonly McpEntry[];
  readonly chat: Pick<Core["chat"], "channel">;
  readonly clock: Pick<Core["clock"], "after">;
  readonly mask: (text: string) => string;
}

/** Issues per message. */
const MOST_ISSUES = 3;
const LONGEST: Millis = 10_000;
const MOST_TITLE = 300;

export const createTrackerLinks =
  ({ servers, entries, chat, clock, mask }: TrackerDeps): ReadLinks =>
  async ({ surface, channel, text }) => {
    const names = chat.channel(surface, channel)?.servers ?? [];
    const enabled = entries.filter(({ name }) => names.includes(name));
    const asked = enabled.length === 0 ? [] : trackerIssuesIn(text, enabled).slice(0, MOST_ISSUES);
    if (asked.length === 0) return { pages: [], hosts: [] };
    const ending = new AbortController();
    const cancel = clock.after(LONGEST, () => ending.abort());
    const late = new Promise<null>((resolve) => {
      ending.signal.addEventListener("abort", () => resolve(null));
    });
    const one = async ({ entry, key, url }: TrackerIssue): Promise<LinkedPage | null> => {
      const listed = await servers.tools(entry.name);
      if (listed.kind === "failed") return null;
      const found = callOf(listed.tools, key, url.hostname);
      if (found === null) return null;
      const called = await servers.call(entry.name, found.tool, found.input, ending.signal);
      if (called.kind === "failed" || called.result.isError === true) return null;
      const said = called.result.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
      const summary = issueSummary(called.result.structuredContent ?? jsonIn(said.join("\n")));
      if (summary === null) return null;
      const quote = { author: `MCP server ${entry.name}`, at: Number.NaN, text: mask(`${key}: ${summary}`) };
      return {
        address: maskSecrets(url.href),
        outcome: { kind: "read", text: quoteUntrusted(quote) },
      };
    };
    const read = await Promise.all(
      asked.map(async (issue) => ({
        issue,
        page: await Promise.race([one(issue).catch(() => null), late]),
      })),
    );
    cancel();
    const found = read.flatMap(({ issue, page }) => (page === null ? [] : [{ issue, page }]));
    return {
      pages: found.map(({ page }) => page),
      hosts: [...new Set(found.map(({ issue: { entry } }) => hostOf(entry)))],
    };
  };

interface TrackerIssue {
  readonly entry: McpEntry;
  readonly key: string;
  readonly url: URL;
}

const LINEAR = /^\/[\w-]+\/issue\/([A-Za-z][A-Za-z0-9]{0,9}-\d{1,9})(?:\/|$)/;
const JIRA = /\/browse\/([A-Za-z][A-Za-z0-9_]{0,19}-\d{1,9})\/?$/;

/** Links of the person's own text: block quotes and code are left out. */
const trackerIssuesIn = (text: string, enabled: readonly McpEntry[]): readonly TrackerIssue[] => {
  const own = text
    .replaceAll(/^```[^]*?(?:^```|$(?![^]))/gm, " ")
    .split("\n")
    .filter((line) => !/^\s{0,3}>/.test(line))
    .map((line) => line.replaceAll(/`[^`]*`/g, " "))
    .join("\n");
  const found = new Map<string, TrackerIssue>();
  for (const link of linksIn(own)) {
    const url = URL.parse(link);
    if (url === null || url.protocol !== "https:" || url.username !== "" || url.password !== "") continue;
    url.hash = "";
    const { hostname, pathname } = url;
    const isLinear = hostname === "linear.app";
    const [, key] = (isLinear ? LINEAR : JIRA).exec(pathname) ?? [];
    if (key === undefined) continue;
    const entry = enabled.find((one) => isServerOf(one, hostname, isLinear));
    if (entry !== undefined) found.set(url.href, { entry, key: key.toUpperCase(), url });
  }
  return [...found.values()];
};

/** A server belongs to a tracker by its name, its own address, or the tracker's address in its settings. */
const isServerOf = ({ name, way }: McpEntry, host: string, isLinear: boolean): boolean => {
  const own = way.kind === "http" ? new URL(way.url).hostname : "";
  if (isLinear) return /linear/.test(name) || own === "linear.app" || own.endsWith(".linear.app");
  if (own === host) return true;
  if (way.kind === "stdio" && (way.hosts.includes(`${host}:443`) || namesHost(way.env, host))) return true;
  return host.endsWith(".atlassian.net") && (/jira|atlassian/.test(name) || own.endsWith(".atlassian.com"));
};

const namesHost = (env: Readonly<Record<string, string>>, host: string): boolean =>
  Object.values(env).some((value) => URL.parse(value)?.hostname === host);

const hostOf = ({ name, way }: McpEntry): string =>
  way.kind === "http" ? new URL(way.url).hostname : `MCP server ${name}`;

const TOOLS = ["get_issue", "getJiraIssue", "jira_get_issue", "linear_get_issue", "getIssue"];
const KEYS: ReadonlySet<string> = new Set(
  "id issueId issue_id key issueKey issue_key issueIdOrKey issue_id_or_key".split(" "),
);

const schemaOf = z.object({
  properties: z.record(z.string(), z.unknown()).catch({}),
  required: z.array(z.string()).max(20).catch([]),
});

/** The tool must be accepted, and a read tool by the operator's file. All required arguments must be known. */
const callOf = (
  tools: readonly OfferedTool[],
  key: string,
  host: string,
): { readonly tool: string; readonly input: Readonly<Record<string, string>> } | null => {
  for (const name of TOOLS) {
    const tool = tools.find((one) => one.name === name && one.access === "read" && one.standing === "usable");
    const schema = schemaOf.safeParse(tool?.inputSchema);
    if (tool === undefined || !schema.success) continue;
    const { properties, required } = schema.data;
    const field = Object.keys(properties).find((one) => KEYS.has(one));
    if (field === undefined) continue;
    const input = { [field]: key, ...(Object.hasOwn(properties, "cloudId") ? { cloudId: host } : {}) };
    if (required.every((one) => Object.hasOwn(input, one))) return { tool: name, input };
  }
  return null;
};

/** Title and state, as Linear and Jira name them; null without a title. */
const issueSummary = (value: unknown): string | null => {
  const issue = fieldIn(value, "issue") ?? value;
  const fields = fieldIn(issue, "fields") ?? issue;
  const title = wordsIn(fieldIn(fields, "title") ?? fieldIn(fields, "summary"));
  const state = wordsIn(fieldIn(fields, "state") ?? fieldIn(fields, "status"));
  return title === "" ? null : `${title}${state === "" ? "" : ` (${state})`}`;
};

const wordsIn = (value: unknown): string => {
  const named = typeof value === "string" ? value : fieldIn(value, "name");
  return typeof named === "string" ? oneLine(named).slice(0, MOST_TITLE) : "";
};
