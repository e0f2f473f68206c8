/** What the agent is doing, and the mode line: permission, context, cost, commit. */

import { h, icon } from "../dom.js";
import { showBudgets } from "./budgets.js";
import { allTokens, dollars, shortCommit, shortRepo, tokens } from "../thread/format.js";

/** The line over the composer while something runs; null when nothing does. */
export const statusView = (state, progress, since, stop) => {
  const text = statusText(state, progress);
  if (text === null) return null;
  const canStop = state.status?.actions.includes("stop") || state.phase === "awaitingApproval";
  return h(
    "div",
    { class: `status ${state.phase}` },
    h("span", { class: "pulse", "aria-hidden": "true" }),
    h(
      "div",
      { class: "doing" },
      h("span", { role: "status" }, text),
      state.status?.agents === undefined
        ? null
        : h(
            "ol",
            { class: "agents" },
            state.status.agents.lines.map((line) => h("li", {}, line)),
          ),
    ),
    h("span", {
      class: "elapsed",
      "data-since": since === null ? null : String(since),
      "aria-hidden": "true",
    }),
    canStop
      ? h(
          "button",
          { type: "button", class: "small", onclick: stop, title: "Stop (Esc)" },
          icon("stop"),
          "Stop",
        )
      : null,
  );
};

const statusText = (state, progress) => {
  const text = stepText(state, progress);
  return text === null ? null : `${text}${state.status?.setUp ?? ""}`;
};

const stepText = ({ status, phase }, progress) => {
  if (progress !== null) return progress;
  return phase === "awaitingApproval" ? "Waiting for your decision" : (status?.text ?? null);
};

/** Title, repository and what the conversation may do; `open` shows the list on a narrow screen. */
export const headView = (state, { open, restrict, unrestrict, onward }) =>
  h(
    "div",
    { class: "head-row" },
    menuButton(open),
    h(
      "div",
      { class: "titles" },
      h("h1", {}, state.title === "" ? "New conversation" : state.title),
      h(
        "p",
        { class: "where", title: state.repo },
        h("span", {}, shortRepo(state.repo)),
        state.commit === undefined ? null : h("code", {}, `${state.ref} @ ${shortCommit(state.commit)}`),
      ),
    ),
    badge(state),
    state.context.used > 0 && (state.phase === "idle" || state.phase === "failed")
      ? h(
          "button",
          {
            type: "button",
            class: "small",
            onclick: onward,
            title: "The agent writes a summary, and this conversation takes no more messages",
          },
          "Continue in a new thread",
        )
      : null,
    state.permission === "unrestricted" && state.confinement === "enforced"
      ? h(
          "button",
          { type: "button", class: "small", onclick: restrict, title: "Take the right to write back" },
          "Restrict",
        )
      : null,
    state.permission === "restricted" && (state.phase === "idle" || state.phase === "failed")
      ? h(
          "button",
          {
            type: "button",
            class: "small",
            onclick: unrestrict,
            title: "Ask the approvers for the right to write",
          },
          "Unrestrict",
        )
      : null,
  );

export const menuButton = (open) =>
  h(
    "button",
    { type: "button", class: "ghost menu", "aria-label": "Show conversations", onclick: open },
    icon("menu"),
  );

const badge = ({ permission, confinement }) => {
  const tight = permission === "restricted";
  const why = tight
    ? "Tools can read the checkout and nothing else, without network"
    : confinement === "enforced"
      ? "Tools can write; a person approved it"
      : "No sandbox on this host: tools are not held";
  return h(
    "span",
    { class: `badge ${tight ? "tight" : "open"}`, title: why },
    icon(tight ? "lock" : "unlock"),
    tight ? "Restricted" : "Unrestricted",
  );
};

export const usageView = (state) => {
  const { context, usage } = state;
  const meter = h("meter", {
    min: "0",
    max: "100",
    high: "80",
    optimum: "0",
    value: String(context.percent),
    "aria-label": "Context used",
  });
  return [
    h("span", { title: "Model" }, state.model),
    h(
      "span",
      { class: "context", title: `${tokens(context.used)} of ${tokens(context.window)} tokens` },
      meter,
      `${context.percent < 10 ? context.percent.toFixed(1) : Math.round(context.percent)} % context`,
    ),
    h(
      "button",
      {
        type: "button",
        class: "ghost",
        title: `${tokens(allTokens(usage))} tokens in all. Click for budgets`,
        onclick: () => void showBudgets(),
      },
      dollars(usage.costUsd),
    ),
  ];
};

/** `set(action)`: a choice of the person for this conversation. */
export const modeControls = (state, modes, set) => [
  modeMenu(state, modes, set),
  h(
    "button",
    {
      type: "button",
      class: "safe-mode",
      "aria-pressed": String(state.safeMode),
      title: state.safeMode
        ? "Dangerous calls ask first in Unrestricted. Click to switch it off"
        : "Nothing asks; everything is logged. Click to switch it on",
      onclick: () => set({ action: "safe_mode", choice: state.safeMode ? "off" : "on" }),
    },
    `safe mode ${state.safeMode ? "on" : "off"}`,
  ),
];

const modeMenu = (state, modes, set) => {
  const menu = h(
    "select",
    {
      class: "work-mode",
      "aria-label": "Work mode",
      title: "What the agent is told to aim for; never what it may do",
      onchange: () => set({ action: "mode", choice: menu.value }),
    },
    modes.map(({ key, name, when }) =>
      h("option", { value: key, title: when, selected: key === state.mode }, name),
    ),
  );
  return menu;
};
