/** How the host is: read again every few seconds while it is looked at. */

import * as api from "./api.js";
import { h, redraw } from "./dom.js";
import { ago, bytes, clock, dollars, full } from "./format.js";

const EVERY = 5_000;

export const hostView = () => {
  const told = h("div", { class: "board-parts" });
  const view = h("div", { class: "board" }, h("h1", {}, "Status"), told);
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

const parts = (host) => [
  ...(host.alerts.length === 0 ? [] : [part("Needs you", alerts(host.alerts))]),
  part("Waiting for approval", approvals(host.approvals)),
  part("Surfaces", facts(Object.entries(host.surfaces))),
  part("Sandbox", facts(sandbox(host.sandbox))),
  part("Spent today", facts(spend(host.spend))),
  part("Queues", facts(queues(host.queues))),
  part("Machine", facts(machine(host))),
];

const part = (title, content) => h("section", { "aria-label": title }, h("h2", {}, title), content);

const facts = (rows) =>
  h(
    "dl",
    {},
    rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );

const alerts = (all) =>
  h(
    "ul",
    { class: "board-waiting" },
    all.map(({ text, began }) =>
      h("li", {}, h("span", {}, text), h("time", { class: "where", title: full(began) }, waited(began))),
    ),
  );

const approvals = (waiting) =>
  waiting.length === 0
    ? h("p", { class: "help" }, "Nothing waits.")
    : h(
        "ul",
        { class: "board-waiting" },
        waiting.map(({ title, surface, kind, askedAt, link }) =>
          h(
            "li",
            {},
            h("a", { href: link }, title === "" ? "New conversation" : title),
            h("span", { class: "where" }, `${ASKS[kind] ?? kind} · ${surface} · `),
            h("time", { class: "where", title: full(askedAt) }, waited(askedAt)),
          ),
        ),
      );

const ASKS = {
  upgrade: "write access",
  danger: "a dangerous call",
  mode: "another work mode",
  write: "a write to the forge",
};

const waited = (at) => (ago(at) === "now" ? "just now" : `since ${ago(at)}`);

const sandbox = ({ tier, abi, notice, network, residual }) => [
  ["Tier", `${tier}, Landlock ABI ${abi}`],
  ["Restricted", notice ?? "held by the kernel"],
  ["Network of Unrestricted", NETWORKS[network] ?? network],
  ...residual.map((leak) => ["Remains open", leak]),
];

const NETWORKS = { proxy: "through the egress proxy", shared: "the host's own", none: "none" };

const spend = ({ todayUsd, mostUsd, renewsAt }) => [
  ["Spent", mostUsd === null ? dollars(todayUsd) : `${dollars(todayUsd)} of ${dollars(mostUsd)}`],
  ["Renews", clock(renewsAt)],
];

const queues = ({ working, modelCalls, toolProcesses, behind, unhandled }) => [
  ["Turns under way", String(working)],
  ["Model calls", slots(modelCalls)],
  ["Tool processes", slots(toolProcesses)],
  ...Object.entries(behind).map(([surface, n]) => [`${surface}: threads to bring up to date`, String(n)]),
  ...Object.entries(unhandled).map(([surface, n]) => [`${surface}: messages not handled yet`, String(n)]),
];

const slots = ({ inUse, waiting, most }) =>
  waiting === 0 ? `${inUse} of ${most}` : `${inUse} of ${most}, ${waiting} waiting`;

const machine = ({ disk, parkedCheckouts, memory, startedAt, version, model }) => [
  ["Disk", disk === null ? "not known" : `${bytes(disk.freeBytes)} free of ${bytes(disk.sizeBytes)}`],
  ["Database", disk === null ? "not known" : bytes(disk.databaseBytes)],
  ["Parked checkouts", String(parkedCheckouts)],
  ["Memory", bytes(memory.residentBytes)],
  ["Model", model.notice === null ? model.name : `${model.name}. ${model.notice}`],
  ["Version", version],
  ["Started", full(startedAt)],
];
