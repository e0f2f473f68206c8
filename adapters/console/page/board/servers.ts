/** The MCP servers of the operator's file: what each offers, and a button where somebody has to look. */

import type { Server } from "../../render/api-types.ts";
import { request } from "../api.ts";
import { each, h, toast } from "../dom.ts";
import { say } from "../words.ts";

/** Empty where there are none; filled when they have answered. */
export const serversSection = (): HTMLElement => {
  const root = h("section.stack", { "aria-label": say("MCP servers") });
  void fill(root);
  return root;
};

const fill = async (root: HTMLElement): Promise<void> => {
  const read = await request<{ readonly servers: readonly Server[] }>("GET", "/api/servers");
  if (read.kind !== "ok" || read.data.servers.length === 0) return;
  root.replaceChildren(
    h("h2", say("MCP servers")),
    h(
      "p.muted",
      say("A tool that is new or changed is off in every channel until its server's list is accepted."),
    ),
    ...read.data.servers.map((one) => panel(one, () => void fill(root))),
  );
};

const panel = (one: Server, again: () => void): HTMLElement => {
  const head = h("h3", one.name);
  if (one.kind === "failed")
    return h(
      "div.panel",
      { "aria-label": one.name },
      head,
      h("p", say("Cannot be used now: {why}", { why: one.why })),
    );
  const isOff = one.tools.some(({ standing }) => standing !== "usable");
  const accept = h("button.small", { type: "button" }, say("Accept as they are"));
  const send = async (): Promise<void> => {
    const answer = await request("POST", "/api/servers/accept", { server: one.name, code: one.code });
    toast(
      answer.kind === "ok"
        ? say("The tools of {server} are accepted.", { server: one.name })
        : answer.message,
    );
    again();
  };
  accept.addEventListener("click", () => void send());
  return h(
    "div.panel",
    { "aria-label": one.name },
    head,
    each("ul", one.tools, ({ name, access, standing, summary }) =>
      h(
        "li",
        h("code", name),
        ` ${say.stored(access)}${standing === "usable" ? "" : `, ${say.stored(standing)}`}: ${summary}`,
      ),
    ),
    isOff ? accept : null,
  );
};
