/** The host's tools say these things of themselves: for tests that run none. app/tools.test.ts compares both. */

import type { ResultOrigin } from "../src/machine/vocabulary.ts";
import { type CallWording, type FindCallWording, UNKNOWN } from "../src/thread/call-text.ts";

export const LOOKS: ReadonlyMap<string, CallWording> = new Map<string, CallWording>([
  [
    "ask_person",
    { past: "Asked {object}", now: "asking {object}", fields: ["question"], icon: "eye", face: "prose" },
  ],
  [
    "attach_file",
    { past: "Shared {object}", now: "sharing {object}", fields: ["path"], icon: "file", face: "code" },
  ],
  [
    "bash",
    {
      past: "Ran {object}",
      now: "running {object}",
      fields: ["command"],
      icon: "terminal",
      face: "code",
      commits: true,
    },
  ],
  [
    "agent_change_mode",
    {
      past: "Asked for the work mode {object}",
      now: "asking for the work mode {object}",
      fields: ["mode"],
      icon: "lock",
      face: "code",
    },
  ],
  ["draft", { past: "Opened a draft", now: "opening a draft", fields: [], icon: "branch", face: "code" }],
  [
    "propose",
    {
      past: "Proposed {object}",
      now: "testing and proposing {object}",
      fields: ["title"],
      icon: "check",
      face: "prose",
    },
  ],
  [
    "file_issue",
    {
      past: "Proposed an issue: {object}",
      now: "proposing an issue: {object}",
      fields: ["title"],
      icon: "plus",
      face: "prose",
    },
  ],
  [
    "comment_on_issue",
    { past: "Proposed a comment", now: "proposing a comment", fields: [], icon: "plus", face: "prose" },
  ],
  [
    "label_issue",
    { past: "Proposed labels", now: "proposing labels", fields: [], icon: "plus", face: "prose" },
  ],
  [
    "answer_review",
    {
      past: "Answered the comment {object}",
      now: "answering the comment {object}",
      fields: ["comment"],
      icon: "branch",
      face: "prose",
    },
  ],
  [
    "open_pull_request",
    {
      past: "Proposed a pull request: {object}",
      now: "proposing a pull request: {object}",
      fields: ["title"],
      icon: "branch",
      face: "prose",
      commits: true,
    },
  ],
  [
    "read_issue",
    {
      past: "Read issue {object}",
      now: "reading issue {object}",
      fields: ["number"],
      icon: "eye",
      face: "code",
    },
  ],
  [
    "search_issues",
    {
      past: "Searched issues for {object}",
      now: "searching issues for {object}",
      fields: ["query"],
      icon: "search",
      face: "prose",
    },
  ],
  [
    "read_pull_request",
    {
      past: "Read pull request {object}",
      now: "reading pull request {object}",
      fields: ["number"],
      icon: "eye",
      face: "code",
    },
  ],
  [
    "read_checks",
    {
      past: "Read the checks of {object}",
      now: "reading the checks of {object}",
      fields: ["number", "ref"],
      icon: "eye",
      face: "code",
    },
  ],
  [
    "search_knowledge",
    {
      past: "Searched the knowledge for {object}",
      now: "searching the knowledge for {object}",
      fields: ["query"],
      icon: "search",
      face: "prose",
    },
  ],
  [
    "agent_list_modes",
    { past: "Listed the work modes", now: "listing the work modes", fields: [], icon: "eye", face: "code" },
  ],
  [
    "mcp_tools",
    {
      past: "Listed the tools of {object}",
      now: "listing the tools of {object}",
      fields: ["server"],
      icon: "eye",
      face: "code",
    },
  ],
  [
    "mcp_call",
    { past: "Called {object}", now: "calling {object}", fields: ["tool"], icon: "plus", face: "code" },
  ],
  [
    "patch",
    { past: "Changed {object}", now: "changing {object}", fields: ["path"], icon: "file", face: "code" },
  ],
  [
    "read_image",
    { past: "Looked at {object}", now: "looking at {object}", fields: ["path"], icon: "eye", face: "code" },
  ],
  [
    "request_mode_upgrade",
    {
      past: "Asked for write access",
      now: "asking for write access",
      fields: [],
      icon: "lock",
      face: "prose",
    },
  ],
  [
    "keyword_search",
    {
      past: "Searched for {object}",
      now: "searching for {object}",
      fields: ["search_terms", "query"],
      icon: "search",
      face: "prose",
    },
  ],
  [
    "spawn_agents",
    { past: "Started sub-agents", now: "starting sub-agents", fields: [], icon: "branch", face: "prose" },
  ],
  [
    "submit_result",
    { past: "Submitted a result", now: "submitting a result", fields: [], icon: "check", face: "prose" },
  ],
  [
    "submit_error",
    { past: "Reported a problem", now: "reporting a problem", fields: [], icon: "check", face: "prose" },
  ],
  ["think", { past: "Thought", now: "thinking", fields: [], icon: "thought", face: "prose" }],
]);

export const looks: FindCallWording = (tool) => LOOKS.get(tool) ?? UNKNOWN;

/** A command or a file may hold what the model had written; nobody else's words may count as that (L15). */
export const ORIGINS: ReadonlyMap<string, ResultOrigin> = new Map<string, ResultOrigin>([
  ["bash", "checkout"],
  ["patch", "checkout"],
  ["keyword_search", "checkout"],
  ["read_image", "checkout"],
  ["attach_file", "checkout"],
  ["propose", "checkout"],
  ["think", "host"],
  ["ask_person", "host"],
  ["request_mode_upgrade", "host"],
  ["agent_list_modes", "host"],
  ["agent_change_mode", "host"],
  ["draft", "host"],
  ["submit_result", "host"],
  ["submit_error", "host"],
  ["spawn_agents", "model"],
  ["read_issue", "forge"],
  ["search_issues", "forge"],
  ["read_pull_request", "forge"],
  ["read_checks", "forge"],
  ["open_pull_request", "forge"],
  ["file_issue", "forge"],
  ["comment_on_issue", "forge"],
  ["label_issue", "forge"],
  ["answer_review", "forge"],
  ["search_knowledge", "web"],
  ["mcp_tools", "server"],
  ["mcp_call", "server"],
]);

export const originOf = (tool: string): ResultOrigin => ORIGINS.get(tool) ?? "host";
