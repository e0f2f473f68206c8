/** State of the host, read again every few seconds while the board is visible. */

import { base } from "../../../../../adapters/page/base.ts";
import type { HostStatusBody } from "../../render/host-status.ts";
import { requestHost } from "../../../../../adapters/page/api.ts";
import { createBoard } from "../../../../../adapters/page/board.ts";
import { h, type Pair, pairs } from "../../../../../adapters/page/dom.ts";
import type { Label } from "../../../../i18n/say.ts";
import {
  ago,
  bytes,
  clock,
  full,
  personNameOf,
  number,
  spentOf,
  surfaceName,
} from "../../../../../adapters/page/format.ts";
import { say } from "../../../../../adapters/page/words.ts";

const EVERY = 5_000;

export const hostView = (): HTMLElement => {
  const { view, show } = createBoard({
    title: say("Status"),
    read: () => requestHost<HostStatusBody>("GET", "/api/status"),
    parts,
  });
  const poll = async (): Promise<void> => {
    if (!view.isConnected) return;
    if (document.visibilityState === "visible") await show(false);
    setTimeout(() => void poll(), EVERY);
  };
  setTimeout(() => void poll(), EVERY);
  return view;
};

const parts = (host: HostStatusBody) => [
  part(
    say("Needs you"),
    list(host.alerts.map(({ text, began }) => h("li.line.wrap", h("span", text), since("time.soft", began)))),
  ),
  part(
    say("Delayed posts"),
    list(host.late.map((one) => waiting(one, [surfaceName(one.surface), one.why], one.since))),
  ),
  part(
    say("Waiting for approval"),
    host.approvals.length === 0
      ? h("p.fine", say("Nothing waits."))
      : list(
          host.approvals.map((one) =>
            waiting(one, [say(ASKS[one.kind]), surfaceName(one.surface)], one.askedAt),
          ),
        ),
  ),
  part(
    say("Surfaces"),
    pairs(Object.entries(host.surfaces).map(([name, how]) => [surfaceName(name), say.stored(how)])),
  ),
  part(say("Hosts"), pairs(host.hosts.map((one) => [one.name, fleetHost(one)]))),
  part(say("Sandbox"), pairs(sandbox(host.sandbox))),
  part(say("Spent today"), pairs(host.spend === null ? [] : spend(host.spend))),
  part(say("Queues"), pairs(queues(host.queues))),
  part(say("Machine"), pairs(machine(host))),
];

const part = (title: string, content: HTMLElement) =>
  content.childNodes.length === 0
    ? null
    : h("section.panel", { "aria-label": title }, h("h2", title), content);

const STANDING: Readonly<Record<HostStatusBody["hosts"][number]["standing"], Label>> = {
  active: "active",
  standby: "standing by",
  draining: "handing over",
  silent: "silent",
};

const fleetHost = ({ standing, version, behind, seen }: HostStatusBody["hosts"][number]): string => {
  const how =
    standing === "silent" ? `${say(STANDING[standing])} · ${waited(seen)}` : say(STANDING[standing]);
  return [how, version, ...(behind > 0 ? [say("behind by {count}", { count: number(behind) })] : [])].join(
    " · ",
  );
};

const list = (items: readonly HTMLElement[]) => h("ul.stack", items);

const waiting = (
  one: { readonly title: string; readonly link: string },
  facts: readonly string[],
  from: number,
) =>
  h(
    "li.line.wrap",
    h("a", { href: `${base}${one.link}` }, personNameOf(one)),
    h("span.soft", `${facts.join(" · ")} · `, since("time", from)),
  );

const since = (tag: "time" | "time.soft", at: number) => h(tag, { title: full(at) }, waited(at));

const ASKS: Readonly<Record<HostStatusBody["approvals"][number]["kind"], Label>> = {
  upgrade: "write access",
  danger: "a dangerous call",
  mode: "another work mode",
  result: "a finished change",
  write: "a write to the forge or another service",
  answer: "an answer that waits for review",
  person: "a question from the agent",
};

/** Shows the duration of a wait below a day, and the start time of a longer wait. */
const waited = (at: number): string => {
  const [minutes, time] = [(Date.now() - at) / 60_000, ago(at)];
  if (minutes < 1) return say("since a moment ago");
  return minutes < 24 * 60 ? say("for {time}", { time }) : say("since {time}", { time });
};

const sandbox = ({ tier, abi, notice, network, residual }: HostStatusBody["sandbox"]): readonly Pair[] => [
  [say("Tier"), `${tier}, Landlock ABI ${abi}`, TIERS[tier] ?? null],
  [say("Restricted"), notice ?? say("enforced by the kernel")],
  [say("Network of Unrestricted"), NETWORKS[network] ?? network],
  ...(residual.length === 0 ? [] : [[say("Remains open"), ...residual] as const]),
];

/** From the best to the worst tier; docs/security.md describes all tiers. */
const TIERS: Readonly<Record<string, string>> = {
  T0: say("The strongest of four tiers: the commands of each conversation run as a separate system user."),
  T1: say("The second of four tiers: commands run as Parley's user, in separate namespaces."),
  T2: say("The third of four tiers: commands run as Parley's user, confined by Landlock and seccomp."),
  T3: say("The last of four tiers: commands are not confined."),
};

const NETWORKS: Readonly<Record<string, string>> = {
  proxy: say("through the egress proxy"),
  shared: say("the host's own"),
};

const spend = ({ todayUsd, mostUsd, renewsAt }: NonNullable<HostStatusBody["spend"]>): readonly Pair[] => [
  [say("By everybody"), spentOf(todayUsd, mostUsd)],
  [say("The day ends at"), clock(renewsAt)],
];

const queues = (all: HostStatusBody["queues"]): readonly Pair[] => [
  [say("Turns under way"), number(all.working)],
  [say("Model calls"), slots(all.modelCalls)],
  [say("Tool processes"), slots(all.toolProcesses)],
  ...counts(all.behind, say("threads to bring up to date")),
  ...counts(all.unhandled, say("messages not handled yet")),
];

const counts = (all: Readonly<Record<string, number>>, what: string): readonly Pair[] =>
  Object.entries(all).map(([surface, n]) => [`${surfaceName(surface)}: ${what}`, number(n)]);

const slots = ({ inUse, waiting: behind, most }: HostStatusBody["queues"]["modelCalls"]) => {
  const values = { inUse: number(inUse), most: number(most) };
  return behind === 0
    ? say("{inUse} under way, {most} at most", values)
    : say("{inUse} under way, {behind} waiting, {most} at most", { ...values, behind: number(behind) });
};

const known = ({ sources, texts, failing, bytes: size }: HostStatusBody["knowledge"]): string => {
  if (sources === 0) return say("none");
  const values = { texts: number(texts), size: bytes(size) };
  const all =
    sources === 1
      ? say("{texts} texts of 1 source, {size}", values)
      : say("{texts} texts of {sources} sources, {size}", { ...values, sources: number(sources) });
  return failing === 0 ? all : `${all}; ${say("{count} cannot be read now", { count: number(failing) })}`;
};

const machine = ({ disk, model, ...host }: HostStatusBody): readonly Pair[] => [
  [
    say("Disk"),
    disk === null
      ? say("not known")
      : say("{free} free of {all}", { free: bytes(disk.freeBytes), all: bytes(disk.sizeBytes) }),
  ],
  [say("Database"), disk === null ? say("not known") : bytes(disk.databaseBytes)],
  [say("Parked checkouts"), number(host.parkedCheckouts)],
  [say("Knowledge"), known(host.knowledge)],
  [say("Memory"), bytes(host.memory.residentBytes)],
  [say("Model"), model.notice === null ? model.name : `${model.name}. ${model.notice}`],
  [say("Version"), host.version],
  [say("Started"), full(host.startedAt)],
];
