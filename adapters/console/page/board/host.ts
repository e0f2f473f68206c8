/** How the host is: read again every few seconds while it is looked at. */

import type { HostStatusBody } from "../../render/api-types.ts";
import * as api from "../api.ts";
import { h, pairs, redraw } from "../dom.ts";
import { ago, bytes, clock, full, nameOf, spentOf, surfaceName } from "../thread/format.ts";

const EVERY = 5_000;

export const hostView = () => {
  const told = h("div.stack.parts");
  const view = h("div.stack.board", h("h1", "Status"), told);
  const read = async () => {
    const answer = await api.hostStatus();
    if (answer.kind === "ok")
      redraw(told, [answer.data, ago(answer.data.startedAt)], () => parts(answer.data));
    else redraw(told, answer.message, () => h("p", { role: "alert" }, answer.message));
  };
  const timer = setInterval(() => {
    if (!view.isConnected) clearInterval(timer);
    else if (document.visibilityState === "visible") void read();
  }, EVERY);
  void read();
  return view;
};

const parts = (host: HostStatusBody) => [
  ...(host.alerts.length === 0 ? [] : [part("Needs you", alerts(host.alerts))]),
  ...(host.late.length === 0 ? [] : [part("Late in their threads", late(host.late))]),
  part("Waiting for approval", approvals(host.approvals)),
  part("Surfaces", pairs(Object.entries(host.surfaces).map(([name, how]) => [surfaceName(name), how]))),
  part("Sandbox", pairs(sandbox(host.sandbox))),
  part("Spent today", pairs(spend(host.spend))),
  part("Queues", pairs(queues(host.queues))),
  part("Machine", pairs(machine(host))),
];

const part = (title: string, content: Node) =>
  h("section.panel", { "aria-label": title }, h("h2", title), content);

/** A name may have several values, one below the other. */
type Row = readonly [name: string, ...values: string[]];

const alerts = (all: HostStatusBody["alerts"]) =>
  h(
    "ul.stack",
    all.map(({ text, began }) => h("li.line.wrap", h("span", text), since("time.soft", began))),
  );

/** Conversations with what they wait for. */
const waiting = (all: readonly Waiting[]) =>
  h(
    "ul.stack",
    all.map((one) =>
      h(
        "li.line.wrap",
        h("a", { href: one.link }, nameOf(one)),
        h("span.soft", `${one.facts.join(" · ")} · `, since("time", one.since)),
      ),
    ),
  );

/** Threads that do not show yet what is stored, and why. */
const late = (all: HostStatusBody["late"]) =>
  waiting(all.map((one) => ({ ...one, facts: [surfaceName(one.surface), one.why] })));

const approvals = (all: HostStatusBody["approvals"]) =>
  all.length === 0
    ? h("p.fine", "Nothing waits.")
    : waiting(
        all.map((one) => ({
          ...one,
          facts: [ASKS[one.kind], surfaceName(one.surface)],
          since: one.askedAt,
        })),
      );

const since = (tag: "time" | "time.soft", at: number) => h(tag, { title: full(at) }, waited(at));

interface Waiting {
  readonly title: string;
  readonly link: string;
  readonly facts: readonly string[];
  readonly since: number;
}

const ASKS: Readonly<Record<HostStatusBody["approvals"][number]["kind"], string>> = {
  upgrade: "write access",
  danger: "a dangerous call",
  mode: "another work mode",
  write: "a write to the forge",
};

const waited = (at: number) => {
  const time = ago(at);
  if (time === "now") return "since a moment ago";
  return /^\d+ (min|h)$/.test(time) ? `for ${time}` : `since ${time}`;
};

const sandbox = ({ tier, abi, notice, network, residual }: HostStatusBody["sandbox"]): readonly Row[] => [
  ["Tier", `${tier}, Landlock ABI ${abi}`, ...[TIERS.get(tier)].filter((text) => text !== undefined)],
  ["Restricted", notice ?? "held by the kernel"],
  ["Network of Unrestricted", NETWORKS.get(network) ?? network],
  ...(residual.length === 0 ? [] : [["Remains open", ...residual] as const]),
];

/** The best first; docs/security.md has the whole of it. */
const TIERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    T0: "The strongest of four: each conversation's commands run as a system user of their own.",
    T1: "The second of four: commands run as Parley's user, in namespaces of their own.",
    T2: "The third of four: commands run as Parley's user, held by Landlock and seccomp.",
    T3: "The last of four: nothing is held.",
  }),
);

const NETWORKS = new Map([
  ["proxy", "through the egress proxy"],
  ["shared", "the host's own"],
]);

const spend = ({ todayUsd, mostUsd, renewsAt }: HostStatusBody["spend"]): readonly Row[] => [
  ["By everybody", spentOf(todayUsd, mostUsd)],
  ["The day ends at", clock(renewsAt)],
];

const queues = ({
  working,
  modelCalls,
  toolProcesses,
  behind,
  unhandled,
}: HostStatusBody["queues"]): readonly Row[] => [
  ["Turns under way", String(working)],
  ["Model calls", slots(modelCalls)],
  ["Tool processes", slots(toolProcesses)],
  ...counts(behind, "threads to bring up to date"),
  ...counts(unhandled, "messages not handled yet"),
];

const counts = (all: Readonly<Record<string, number>>, what: string): readonly Row[] =>
  Object.entries(all).map(([surface, n]) => [`${surfaceName(surface)}: ${what}`, String(n)]);

const slots = ({ inUse, waiting: behind, most }: HostStatusBody["queues"]["modelCalls"]) =>
  `${inUse} under way, ${behind === 0 ? "" : `${behind} waiting, `}${most} at most`;

const machine = ({
  disk,
  parkedCheckouts,
  memory,
  startedAt,
  version,
  model,
}: HostStatusBody): readonly Row[] => [
  ["Disk", disk === null ? "not known" : `${bytes(disk.freeBytes)} free of ${bytes(disk.sizeBytes)}`],
  ["Database", disk === null ? "not known" : bytes(disk.databaseBytes)],
  ["Parked checkouts", String(parkedCheckouts)],
  ["Memory", bytes(memory.residentBytes)],
  ["Model", model.notice === null ? model.name : `${model.name}. ${model.notice}`],
  ["Version", version],
  ["Started", full(startedAt)],
];
