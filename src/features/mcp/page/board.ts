import type { Server } from "../../../ports/servers.ts";
import { requestHost } from "../../../../adapters/page/api.ts";
import { type Child, each, h, toast } from "../../../../adapters/page/dom.ts";
import { say } from "../../../../adapters/page/words.ts";

/** Empty without servers; filled when the servers have answered. */
export const board = (): HTMLElement => {
  const root = h("section.stack", { "aria-label": say("MCP servers") });
  void fill(root);
  return root;
};

const fill = async (root: HTMLElement): Promise<void> => {
  const read = await requestHost<{ readonly servers: readonly Server[] }>("GET", "/api/servers");
  if (read.kind !== "ok" || read.data.servers.length === 0) return;
  root.replaceChildren(
    h("h2", say("MCP servers")),
    h(
      "p.muted",
      say("A new or changed tool is off in every channel until the server's tool list is accepted."),
    ),
    ...read.data.servers.map((one) => panel(one, () => void fill(root))),
  );
};

const panel = (one: Server, again: () => void): HTMLElement =>
  h(
    "div.panel",
    { "aria-label": one.name },
    h("h3", one.name),
    one.kind === "failed" ? h("p", say("Cannot be used now: {why}", { why: one.why })) : tools(one, again),
  );

const tools = (one: Server & { readonly kind: "tools" }, again: () => void): readonly Child[] => {
  const accept = async (): Promise<void> => {
    const answer = await requestHost("POST", "/api/servers/accept", { server: one.name, code: one.code });
    const accepted = say("The tools of {server} are accepted.", { server: one.name });
    toast(answer.kind === "ok" ? accepted : answer.message);
    again();
  };
  return [
    each("ul", one.tools, ({ name, access, standing, summary }) =>
      h(
        "li",
        h("code", name),
        ` ${say.stored(access)}${standing === "usable" ? "" : `, ${say.stored(standing)}`}: ${summary}`,
      ),
    ),
    one.tools.some(({ standing }) => standing !== "usable")
      ? h("button.small", { onclick: accept }, say("Accept as they are"))
      : null,
  ];
};
