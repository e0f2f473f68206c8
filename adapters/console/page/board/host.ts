/** How the host is: read again every few seconds while it is looked at. */

import type { HostStatusBody } from "../../render/api-types.ts";
import * as api from "../api.ts";
import { h, type Pair, pairs, redraw } from "../dom.ts";
import { ago, bytes, clock, full, nameOf, spentOf, surfaceName } from "../thread/format.ts";

const EVERY = 5_000;

export const hostView = () => {
  const told = h("div.stack.parts");
  const view = h("div.stack.board", h("h1", "Status"), told);
  const read = async () => {
    const answer = await api.hostStatus();
    redraw(told, answer.kind === "ok" ? parts(answer.data) : h("p", { role: "alert" }, answer.message));
  };
  const timer = setInterval(() => {
    if (!view.isConnected) clearInterval(timer);
    else if (document.visibilityState === "visible") void read();
  }, EVERY);
  void read();
  return view;
};

const parts = (host: HostStatusBody) => [
  part(
    "Needs you",
    list(host.alerts.map(({ text, began }) => h("li.line.wrap", h("span", text), since("time.soft", began)))),
  ),
  part(
    "Late in their threads",
    list(host.late.map((one) => waiting(one, [surfaceName(one.surface), one.why], one.since))),
  ),
  part(
    "Waiting for approval",
    host.approvals.length === 0
      ? h("p.fine", "Nothing waits.")
      : list(
          host.approvals.map((one) => waiting(one, [ASKS[one.kind], surfaceName(one.surface)], one.askedAt)),
        ),
  ),
  part("Surfaces", pairs(Object.entries(host.surfaces).map(([name, how]) => [surfaceName(name), how]))),
  part("Sandbox", pairs(sandbox(host.sandbox))),
  part("Spent today", pairs(spend(host.spend))),
  part("Queues", pairs(queues(host.queues))),
  part("Machine", pairs(machine(host))),
];

const part = (title: string, content: HTMLElement) =>
  content.childNodes.length === 0
    ? null
    : h("section.panel", { "aria-label": title }, h("h2", title), content);

const list = (items: readonly HTMLElement[]) => h("ul.stack", items);

const waiting = (
  one: { readonly title: string; readonly link: string },
  facts: readonly string[],
  from: number,
) =>
  h(
    "li.line.wrap",
    h("a", { href: one.link }, nameOf(one)),
    h("span.soft", `${facts.join(" · ")} · `, since("time", from)),
  );

const since = (tag: "time" | "time.soft", at: number) => h(tag, { title: full(at) }, waited(at));

const ASKS: Readonly<Record<HostStatusBody["approvals"][number]["kind"], string>> = {
  upgrade: "write access",
  danger: "a dangerous call",
  mode: "another work mode",
  result: "a finished change",
  write: "a write to the forge or another service",
  answer: "an answer that is held",
};

const waited = (at: number) => {
  const time = ago(at);
  if (time === "now") return "since a moment ago";
  return /^\d+ (min|h)$/.test(time) ? `for ${time}` : `since ${time}`;
};

const sandbox = ({ tier, abi, notice, network, residual }: HostStatusBody["sandbox"]): readonly Pair[] => [
  ["Tier", `${tier}, Landlock ABI ${abi}`, TIERS[tier] ?? null],
  ["Restricted", notice ?? "held by the kernel"],
  ["Network of Unrestricted", NETWORKS[network] ?? network],
  ...(residual.length === 0 ? [] : [["Remains open", ...residual] as const]),
];

/** The best first; docs/security.md has the whole of it. */
const TIERS: Readonly<Record<string, string>> = {
  T0: "The strongest of four: each conversation's commands run as a system user of their own.",
  T1: "The second of four: commands run as Parley's user, in namespaces of their own.",
  T2: "The third of four: commands run as Parley's user, held by Landlock and seccomp.",
  T3: "The last of four: nothing is held.",
};

const NETWORKS: Readonly<Record<string, string>> = {
  proxy: "through the egress proxy",
  shared: "the host's own",
};

const spend = ({ todayUsd, mostUsd, renewsAt }: HostStatusBody["spend"]): readonly Pair[] => [
  ["By everybody", spentOf(todayUsd, mostUsd)],
  ["The day ends at", clock(renewsAt)],
];

const queues = ({
  working,
  modelCalls,
  toolProcesses,
  behind,
  unhandled,
}: HostStatusBody["queues"]): readonly Pair[] => [
  ["Turns under way", String(working)],
  ["Model calls", slots(modelCalls)],
  ["Tool processes", slots(toolProcesses)],
  ...counts(behind, "threads to bring up to date"),
  ...counts(unhandled, "messages not handled yet"),
];

const counts = (all: Readonly<Record<string, number>>, what: string): readonly Pair[] =>
  Object.entries(all).map(([surface, n]) => [`${surfaceName(surface)}: ${what}`, String(n)]);

const slots = ({ inUse, waiting: behind, most }: HostStatusBody["queues"]["modelCalls"]) =>
  `${inUse} under way, ${behind === 0 ? "" : `${behind} waiting, `}${most} at most`;

const known = ({ sources, texts, failing, bytes: size }: HostStatusBody["knowledge"]): string =>
  sources === 0
    ? "none"
    : `${texts} texts of ${sources} ${sources === 1 ? "source" : "sources"}, ${bytes(size)}${failing === 0 ? "" : `; ${failing} cannot be read now`}`;

const machine = ({
  disk,
  parkedCheckouts,
  knowledge,
  memory,
  startedAt,
  version,
  model,
}: HostStatusBody): readonly Pair[] => [
  ["Disk", disk === null ? "not known" : `${bytes(disk.freeBytes)} free of ${bytes(disk.sizeBytes)}`],
  ["Database", disk === null ? "not known" : bytes(disk.databaseBytes)],
  ["Parked checkouts", String(parkedCheckouts)],
  ["Knowledge", known(knowledge)],
  ["Memory", bytes(memory.residentBytes)],
  ["Model", model.notice === null ? model.name : `${model.name}. ${model.notice}`],
  ["Version", version],
  ["Started", full(startedAt)],
];
