/**
 * Honest work for comparison: generated triages of events, as an agent does them, some with a person who joins and has the
 * fix made. A call is lost where it is asked for or withheld because of what was read, and would not be otherwise (L15).
 */

import type { Effect } from "../../../src/machine/effect.ts";
import type { Event } from "../../../src/machine/event.ts";
import { mayReachNetwork, categoriesToApprove } from "../../../src/machine/provenance.ts";
import { initial, type State } from "../../../src/machine/state.ts";
import { transition } from "../../../src/machine/transition/transition.ts";
import type { Category, Speaker } from "../../../src/machine/vocabulary.ts";
import { linksIn } from "../../../src/text/links.ts";
import { createLinkable, linksOfOthers } from "../../../src/thread/linkable.ts";
import type { TranscriptMessage } from "../../../src/thread/prompt.ts";
import { createChance } from "./chance.ts";
import { originOf } from "../../looks.ts";

export interface Triaged {
  calls: number;
  lost: string[];
}

interface Tool {
  readonly name: string;
  /** Of a command. */
  readonly needs?: readonly Category[];
  /** What a call of a server that reads is given. */
  readonly input?: string;
  readonly hosts?: readonly string[];
  readonly text?: string;
}

const ANA: Speaker = { id: "slack:UANA", mayDrive: true, mayApprove: true };
const NOBODY: Speaker = { id: "watch:w1", mayDrive: false, mayApprove: false };
const USAGE = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, costMicroUsd: 1 };
const ALERT = "https://sentry.example/issues/4711/?project=shop";

export const triage = (seed: number, told: Triaged): void => {
  const chance = createChance(seed);
  const safeMode = chance.once(2);
  let state: State = initial({
    id: "c-triage",
    confinement: "enforced",
    mode: "general",
    safeMode,
    model: "honest",
    window: 1_000_000,
  });
  const transcript: TranscriptMessage[] = [];
  let at = 0;
  let no = 0;

  const happen = (event: Event, text = ""): readonly Effect[] => {
    const step = transition(state, event);
    if (step.kind === "refused") throw new Error(`${event.kind}: ${step.why}`);
    state = step.state;
    for (const entry of step.append)
      transcript.push({
        entry,
        words: entry.kind === "said" || entry.kind === "result" ? { kind: "said", text, images: [] } : null,
      });
    return step.effects;
  };

  const say = (speaker: Speaker, text: string, quoted = {}): void => {
    happen({ kind: "said", at: ++at, message: `m-${no++}`, speaker, images: 0, ...quoted }, text);
  };

  const use = ({ name, needs = [], input = "", hosts = [], text = "" }: Tool): void => {
    told.calls += 1;
    const call = { id: `toolu_${no++}`, name, intent: "tool" } as const;
    const by = state.phase.kind === "thinking" ? state.phase.request : "e0";
    const [effect] = happen({
      kind: "answered",
      at: ++at,
      by,
      message: `m-${no++}`,
      text: 0,
      calls: [call],
      stop: "tools",
      usage: USAGE,
    });
    if (effect?.kind !== "run") throw new Error(`${name} did not run`);
    const done = ran(effect.id, name, hosts);
    const links = createLinkable(
      () => new Set(transcript.flatMap(linksOfOthers)),
      "github.com/acme/shop",
    )(input);
    if ([...linksIn(input)].some((link) => !links.includes(link))) told.lost.push(`${name} ${input}`);
    const mine = { ...effect, safeMode };
    const { permission } = effect;
    const asked = permission === "restricted" ? [] : categoriesToApprove(mine, effect.grants, needs);
    if (asked.length === 0) {
      const without = mayReachNetwork({ permission, safeMode, grants: state.grants });
      if (needs.length > 0 && without && !mayReachNetwork(mine)) told.lost.push(`${name} without network`);
      happen(done, text);
      return;
    }
    // Safe mode would have asked as well.
    if (!safeMode || needs.every((need) => state.grants.includes(need)))
      told.lost.push(`${name} is asked for`);
    const shown = { shown: `m-${no++}`, fingerprint: "f" } as const;
    happen({ kind: "blocked", at: ++at, by: effect.id, categories: needs, ...shown });
    const question = state.phase.kind === "awaitingApproval" ? state.phase.question.id : "q0";
    const [again] = happen({
      kind: "decided",
      at: ++at,
      question,
      choice: "session",
      by: ANA,
      comment: null,
    });
    if (again?.kind !== "run") throw new Error(`${name} did not run after all`);
    happen(ran(again.id, name, hosts), text);
  };

  const ran = (by: `e${number}`, name: string, hosts: readonly string[]): Event => ({
    kind: "ran",
    at: ++at,
    by,
    message: `m-${no++}`,
    origin: originOf(name),
    isError: false,
    background: false,
    reached: hosts.map((host) => ({ host, port: 443, allowed: true })),
  });

  const finish = (): void => {
    const by = state.phase.kind === "thinking" ? state.phase.request : "e0";
    const end = { text: 200, calls: [], stop: "end", usage: USAGE } as const;
    happen({ kind: "answered", at: ++at, by, message: `m-${no++}`, ...end });
  };

  const looks = (times: number): void => {
    for (let time = 0; time < times; time += 1) use(chance.of(LOOKS));
  };

  happen({ kind: "woken", at: 0, boot: "b", confinement: "enforced", window: 1_000_000, guarded: true });
  say(NOBODY, `TypeError in rates.ts\n${ALERT}`, {
    quoted: { messages: 0, previews: 0, files: 0, pictures: 0, events: 1 },
  });
  looks(4 + chance.below(8));
  if (chance.once(2)) use({ name: "mcp_tools", hosts: ["sentry.example"] });
  if (chance.once(2)) use({ name: "mcp_call", input: chance.of(ASKED), hosts: ["sentry.example"] });
  // A page that the program knows of without anybody having named it.
  if (chance.once(20))
    use({ name: "mcp_call", input: "https://nodejs.org/api/fs.html", hosts: ["fetch.example"] });
  finish();
  if (!chance.once(3)) return;
  say(ANA, "Please fix it.");
  looks(2 + chance.below(4));
  upgrade();
  for (let step = 0; step < 6 + chance.below(8); step += 1) use(chance.of(FIXES));
  finish();

  function upgrade(): void {
    const call = { id: `toolu_${no++}`, name: "request_mode_upgrade", intent: "upgrade" } as const;
    const by = state.phase.kind === "thinking" ? state.phase.request : "e0";
    const asks = { text: 0, calls: [call], stop: "tools", usage: USAGE } as const;
    happen({ kind: "answered", at: ++at, by, message: `m-${no++}`, ...asks });
    const question = state.phase.kind === "awaitingApproval" ? state.phase.question.id : "q0";
    happen({ kind: "decided", at: ++at, question, choice: "approve", by: ANA, comment: null });
  }
};

const ISSUE = { name: "read_issue", hosts: ["github.com"], text: `It is ${ALERT} again.` };

const LOOKS: readonly [Tool, ...Tool[]] = [
  { name: "bash", text: "src/rates.ts" },
  { name: "bash", text: "cat src/rates.ts" },
  { name: "bash", text: "git log -5" },
  { name: "keyword_search", text: "src/rates.ts:5" },
  { name: "keyword_search", text: "src/retry.ts:9" },
  { name: "search_issues", hosts: ["github.com"], text: "1 match" },
  ISSUE,
  { name: "read_checks", hosts: ["github.com"], text: "1 failed" },
];

const ASKED: readonly [string, ...string[]] = [
  "issue SHOP-4711",
  "TypeError rates retryAfter",
  ALERT,
  "unresolved, last day",
];

const INSTALL = { name: "bash", needs: ["DEPS_INSTALL_UPDATE"], hosts: ["registry.npmjs.org"] } as const;

const FIXES: readonly [Tool, ...Tool[]] = [
  { name: "bash", text: "cat src/rates.ts" },
  { name: "bash", text: "npm test" },
  { name: "patch" },
  { name: "patch" },
  { name: "keyword_search" },
  INSTALL,
  { name: "bash", needs: ["NETWORK_RISK"], hosts: ["example.com"] },
  ISSUE,
];
