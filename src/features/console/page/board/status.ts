/** Current activity of the agent, and the mode line: permission, context, cost, commit. */

import type { About, StateNews, ConversationSummary } from "../../render/api-types.ts";
import type { PageAction } from "../api/requests.ts";
import { each, h, icon } from "../../../../../adapters/page/dom.ts";
import { barOf } from "../../../../../adapters/page/chart.ts";
import { costDialog } from "./boards.ts";
import {
  dollarText,
  personNameOf,
  number,
  shortCommit,
  shortRepo,
  tokens,
} from "../../../../../adapters/page/format.ts";
import { allTokens } from "../thread/posts.ts";
import { say } from "../../../../../adapters/page/words.ts";

/** Line above the composer while work runs; null otherwise. */
export const statusView = (
  state: StateNews,
  progress: string | null,
  since: number | null,
  stop: () => void,
) => {
  const text = statusText(state, progress);
  if (text === null) return null;
  const canStop = state.status?.actions.includes("stop") || state.phase === "awaitingApproval";
  return h(
    "div",
    { class: "line wrap soft status" },
    h(state.phase === "awaitingApproval" ? "span.mark.asks" : "span.mark.works", { "aria-hidden": "true" }),
    h(
      "div.doing",
      h("span", { role: "status" }, text),
      state.status?.agents === undefined
        ? null
        : each("ol.agents", state.status.agents.lines, (line) => h("li", line)),
    ),
    h("span.elapsed", {
      "data-since": since === null ? null : String(since),
      "aria-hidden": "true",
    }),
    canStop
      ? h("button.small", { onclick: stop, title: say("Stop (Esc)") }, icon("stop"), say("Stop"))
      : null,
  );
};

const statusText = ({ status, phase }: StateNews, progress: string | null) => {
  const asks = phase === "awaitingApproval" ? say("Waiting for your decision") : null;
  const text = progress ?? asks ?? status?.text ?? null;
  return text === null ? null : `${text}${status?.setUp ?? ""}`;
};

/** Title, repository and permission of the conversation. `open`: shows the list on a narrow screen. */
export const headView = (state: StateNews, open: () => void, act: (body: PageAction) => unknown) =>
  h(
    "div.line.head-row",
    menuButton(open),
    h(
      "div.titles",
      h("h1.cut", personNameOf(state)),
      h(
        "p.line.fine",
        { title: state.repo },
        h("span.cut", shortRepo(state.repo)),
        state.commit === undefined ? null : h("code.cut", `${state.ref} @ ${shortCommit(state.commit)}`),
      ),
    ),
    badge(state),
    state.context.used > 0 && isQuiet(state)
      ? button(say("Continue in a new thread"), () => act({ action: "continue" }), ONWARD)
      : null,
    state.permission === "unrestricted" && state.confinement === "enforced"
      ? button(say("Restrict"), () => act({ action: "restrict" }), say("Remove write access"))
      : null,
    state.permission === "restricted" && isQuiet(state)
      ? button(say("Unrestrict"), () => act({ action: "mode", choice: "unrestricted" }), UNRESTRICT)
      : null,
  );

const ONWARD = say("Parley writes a summary, and this conversation takes no more messages");

const UNRESTRICT = say("Ask the approvers for write access");

const isQuiet = ({ phase }: ConversationSummary) => phase === "idle" || phase === "failed";

const button = (label: string, onclick: () => unknown, title: string) =>
  h("button.small", { onclick, title }, label);

export const menuButton = (open: () => void) =>
  h("button.ghost.menu", { "aria-label": say("Show conversations"), onclick: open }, icon("menu"));

const badge = ({ permission, confinement }: ConversationSummary) => {
  const tight = permission === "restricted";
  const why = tight
    ? say("Tools can only read the checkout and have no network")
    : confinement === "enforced"
      ? say("Tools can write; a person approved it")
      : say("No sandbox on this host: commands are not confined");
  return h(
    "span",
    { class: `line panel badge ${tight ? "tight" : "warning"}`, title: why },
    icon(tight ? "lock" : "unlock"),
    tight ? say("Restricted") : say("Unrestricted"),
  );
};

export const usageView = (state: ConversationSummary) => {
  const { context, usage } = state;
  const percent = Math.min(100, context.percent);
  const count = say("{count} tokens in all.", { count: tokens(allTokens(usage)) });
  const meter = h(
    context.percent > 80 ? "span.bar-room.meter.high" : "span.bar-room.meter",
    { role: "meter", "aria-valuenow": String(percent), "aria-label": say("Context used") },
    barOf(percent),
  );
  return [
    h(
      "span.line",
      {
        title: say("{used} of {window} tokens", {
          used: tokens(context.used),
          window: tokens(context.window),
        }),
      },
      meter,
      say("{percent} % context", {
        percent: number(context.percent, context.percent < 10 ? 1 : 0),
      }),
    ),
    costDialog === null
      ? h("span", { title: count }, dollarText(usage.costUsd))
      : h(
          "button.ghost",
          { title: `${count} ${say.stored(costDialog.title)}`, onclick: costDialog.open },
          dollarText(usage.costUsd),
        ),
  ];
};

/** `set`: sends the person's choice for this conversation. */
export const modeControls = (
  state: ConversationSummary,
  about: About | null,
  set: (action: PageAction) => unknown,
) => [
  modelMenu(state, about?.models ?? [], set),
  modeMenu(state, about?.modes ?? [], set),
  h(
    "button",
    {
      "aria-pressed": String(state.safeMode),
      title: state.safeMode
        ? say(
            "Safe mode is on: in Unrestricted, dangerous commands need approval first. Click to turn safe mode off",
          )
        : say("Safe mode is off: commands run without approval and are logged. Click to turn safe mode on"),
      onclick: () => set({ action: "safe_mode", choice: state.safeMode ? "off" : "on" }),
    },
    say(state.safeMode ? "safe mode on" : "safe mode off"),
  ),
];

/** A single model needs no menu. */
const modelMenu = (
  state: ConversationSummary,
  models: About["models"],
  set: (action: PageAction) => unknown,
) => {
  const all = models.includes(state.model) ? models : [state.model, ...models];
  if (all.length === 1) return h("span", { title: say("Model") }, state.model);
  const options = all.map((name) => h("option", { value: name, selected: name === state.model }, name));
  const title = say("Model that answers from the next request on");
  return menu(say("Model"), title, options, (choice) => set({ action: "model", choice }));
};

const modeMenu = (
  state: ConversationSummary,
  modes: About["modes"],
  set: (action: PageAction) => unknown,
) => {
  const options = modes.map(({ key, name, when }) =>
    h("option", { value: key, title: say.stored(when), selected: key === state.mode }, name),
  );
  const title = say("The agent's goal; never its permissions");
  return menu(say("Work mode"), title, options, (choice) => set({ action: "mode", choice }));
};

const menu = (
  label: string,
  title: string,
  options: readonly HTMLOptionElement[],
  choose: (value: string) => void,
) => {
  const props = { "aria-label": label, title, onchange: () => choose(list.value) };
  const list: HTMLSelectElement = h("select.work-mode", props, options);
  return list;
};
