/** How the host is: read again every few seconds while it is looked at. */

import * as api from "../api.js";
import { h, redraw } from "../dom.js";
import { ago, bytes, clock, dollars, full, SURFACES } from "../thread/format.js";

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
  ...(host.late.length === 0 ? [] : [part("Late in their threads", late(host.late))]),
  part("Waiting for approval", approvals(host.approvals)),
  part(
    "Surfaces",
    facts(Object.entries(host.surfaces).map(([name, standing]) => [SURFACES[name] ?? name, standing])),
  ),
  part("Sandbox", facts(sandbox(host.sandbox))),
  part("Spent today", facts(spend(host.spend))),
  part("Queues", facts(queues(host.queues))),
  part("Machine", facts(machine(host))),
];

const part = (title, content) => h("section", { "aria-label": title }, h("h2", {}, title), content);

/** A name may have several values, one below the other. */
const facts = (rows) =>
  h(
    "dl",
    {},
    rows.map(([name, ...values]) =>
      h(
        "div",
        {},
        h("dt", {}, name),
        values.map((value) => h("dd", {}, value)),
      ),
    ),
  );

const alerts = (all) =>
  h(
    "ul",
    { class: "board-waiting" },
    all.map(({ text, began }) =>
      h("li", {}, h("span", {}, text), h("time", { class: "where", title: full(began) }, waited(began))),
    ),
  );

/** Threads that do not show yet what is stored, and why. */
const late = (all) =>
  h(
    "ul",
    { class: "board-waiting" },
    all.map(({ title, surface, since, why, link }) =>
      h(
        "li",
        {},
        h("a", { href: link }, title === "" ? "New conversation" : title),
        h(
          "span",
          { class: "where" },
          `${SURFACES[surface] ?? surface} · ${why} · `,
          h("time", { title: full(since) }, waited(since)),
        ),
      ),
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
            h(
              "span",
              { class: "where" },
              `${ASKS[kind] ?? kind} · ${SURFACES[surface] ?? surface} · `,
              h("time", { title: full(askedAt) }, waited(askedAt)),
            ),
          ),
        ),
      );

const ASKS = {
  upgrade: "write access",
  danger: "a dangerous call",
  mode: "another work mode",
  write: "a write to the forge",
};

const waited = (at) => {
  const time = ago(at);
  if (time === "now") return "since a moment ago";
  return /^\d+ (min|h)$/.test(time) ? `for ${time}` : `since ${time}`;
};

const sandbox = ({ tier, abi, notice, network, residual }) => [
  ["Tier", `${tier}, Landlock ABI ${abi}`, ...(TIERS[tier] === undefined ? [] : [TIERS[tier]])],
  ["Restricted", notice ?? "held by the kernel"],
  ["Network of Unrestricted", NETWORKS[network] ?? network],
  ...(residual.length === 0 ? [] : [["Remains open", ...residual]]),
];

/** The best first; docs/security.md has the whole of it. */
const TIERS = {
  T0: "The strongest of four: each conversation's commands run as a system user of their own.",
  T1: "The second of four: commands run as Parley's user, in namespaces of their own.",
  T2: "The third of four: commands run as Parley's user, held by Landlock and seccomp.",
  T3: "The last of four: nothing is held.",
};

const NETWORKS = { proxy: "through the egress proxy", shared: "the host's own", none: "none" };

const spend = ({ todayUsd, mostUsd, renewsAt }) => [
  ["By everybody", mostUsd === null ? dollars(todayUsd) : `${dollars(todayUsd)} of ${dollars(mostUsd)}`],
  ["The day ends at", clock(renewsAt)],
];

const queues = ({ working, modelCalls, toolProcesses, behind, unhandled }) => [
  ["Turns under way", String(working)],
  ["Model calls", slots(modelCalls)],
  ["Tool processes", slots(toolProcesses)],
  ...counts(behind, "threads to bring up to date"),
  ...counts(unhandled, "messages not handled yet"),
];

const counts = (all, what) =>
  Object.entries(all).map(([surface, n]) => [`${SURFACES[surface] ?? surface}: ${what}`, String(n)]);

const slots = ({ inUse, waiting, most }) =>
  `${inUse} under way, ${waiting === 0 ? "" : `${waiting} waiting, `}${most} at most`;

const machine = ({ disk, parkedCheckouts, memory, startedAt, version, model }) => [
  ["Disk", disk === null ? "not known" : `${bytes(disk.freeBytes)} free of ${bytes(disk.sizeBytes)}`],
  ["Database", disk === null ? "not known" : bytes(disk.databaseBytes)],
  ["Parked checkouts", String(parkedCheckouts)],
  ["Memory", bytes(memory.residentBytes)],
  ["Model", model.notice === null ? model.name : `${model.name}. ${model.notice}`],
  ["Version", version],
  ["Started", full(startedAt)],
];
