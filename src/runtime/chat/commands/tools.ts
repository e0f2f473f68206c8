/**
 * `tools`: which of the operator's MCP servers the conversations of a channel may use. Whoever switches one on sees its
 * tools, and accepts those of a server that nobody has looked at; what changed since is off until somebody accepts it
 * with the code of the list that they saw.
 */

import type { Person } from "../../../ports/chat-platform.ts";
import type { Spot } from "../../../ports/chat.ts";
import type { ServerLook, ServerTool } from "../../../ports/mcp/servers.ts";
import type { ChatDeps } from "../deps.ts";
import { storageText } from "../reply-texts.ts";
import { MAY_NOT, NO_SETTINGS } from "./channels.ts";
import type { ToolsChange } from "./command.ts";
import { personId, rightsOf } from "./rights.ts";

export const tools = async (
  deps: ChatDeps,
  change: ToolsChange | null,
  { place }: Spot,
  person: Person,
): Promise<string> => {
  const { servers, store, name, clock } = deps;
  if (servers.names.length === 0) return NONE;
  const before = store.channel(name, place) ?? NO_SETTINGS;
  if (change === null) return shown(deps, before.servers);
  if (!rightsOf(deps.policy, person).mayManage) return MAY_NOT;
  const { what, server } = change;
  const by = personId(name, person.id);
  const others = before.servers.filter((one) => one !== server);
  const set = (now: readonly string[]) =>
    store.setChannel(name, place, { ...before, servers: now, by, at: clock.now() });
  if (what === "remove") {
    if (others.length === before.servers.length) return `${code(server)} is not switched on here.`;
    const done = await set(others);
    return done.kind === "failed" ? storageText(done.message) : `${code(server)} is switched off here.`;
  }
  if (!servers.names.includes(server))
    return `There is no server ${code(server)}. ${thereAre(servers.names)}`;
  if (what === "accept") return accept(deps, change, by);
  const accepted = await servers.accept(server, null, by);
  if (accepted.kind === "refused") return `Not switched on: ${accepted.why}`;
  if (accepted.kind === "failed") return storageText(accepted.message);
  const done = await set([...others, server]);
  if (done.kind === "failed") return storageText(done.message);
  return [`${code(server)} is switched on here.`, lookText(server, await servers.look(server))].join("\n");
};

const accept = async (
  { servers }: ChatDeps,
  { server, code: given }: ToolsChange,
  by: Parameters<ChatDeps["servers"]["accept"]>[2],
): Promise<string> => {
  if (given !== null) {
    const done = await servers.accept(server, given, by);
    if (done.kind === "failed") return storageText(done.message);
    if (done.kind === "done")
      return `The tools of ${code(server)} are accepted as they are now, in every channel.`;
    return `Nothing was accepted. ${done.why}`;
  }
  const look = await servers.look(server);
  const text = lookText(server, look);
  if (look.kind === "failed" || look.tools.every(({ standing }) => standing === "usable")) return text;
  return `${text}\nTo accept them as they are, in every channel: ${code(`/parley tools accept ${server} ${look.code}`)}.`;
};

const shown = async ({ servers }: ChatDeps, on: readonly string[]): Promise<string> => {
  const there = on.filter((one) => servers.names.includes(one));
  const looks = await Promise.all(there.map((one) => servers.look(one)));
  const off = servers.names.filter((one) => !on.includes(one));
  return [
    ...(there.length === 0
      ? ["No server is switched on here."]
      : looks.map((look, index) => lookText(there[index] ?? "", look))),
    ...(off.length === 0
      ? []
      : [
          `${thereAre(off)} Switch one on: ${code("/parley tools add NAME")}; off: ${code("/parley tools remove NAME")}.`,
        ]),
  ].join("\n");
};

/** What people see of a server; descriptions are its own words. */
export const lookText = (server: string, look: ServerLook): string => {
  if (look.kind === "failed") return `${code(server)} cannot be used now: ${look.why}`;
  const line = (tool: ServerTool): string =>
    `• ${code(tool.name)} ${tool.access === "read" ? "reads" : "asks before it is called"}${STANDINGS[tool.standing]}${tool.summary === "" ? "" : `: ${plain(tool.summary)}`}`;
  const told = look.tools.slice(0, MOST);
  return [
    `${code(server)} has ${look.tools.length === 1 ? "one tool" : `${look.tools.length} tools`}:`,
    ...told.map(line),
    ...(told.length < look.tools.length ? [`… and ${look.tools.length - told.length} more.`] : []),
    ...(look.unnamed === 0 ? [] : [`${look.unnamed} more have names that cannot be used, and are left out.`]),
    ...(look.unknown.length === 0
      ? []
      : [`The operator lists as reading what it does not have: ${look.unknown.map(code).join(", ")}.`]),
  ].join("\n");
};

const MOST = 40;

const STANDINGS: Readonly<Record<ServerTool["standing"], string>> = {
  usable: "",
  new: " (new, off until it is accepted)",
  changed: " (changed, off until it is accepted)",
  unread: " (off until it is accepted anew: what was accepted before cannot be read)",
};

const thereAre = (names: readonly string[]): string =>
  `There ${names.length === 1 ? "is" : "are"} ${names.map(code).join(", ")}.`;

const code = (text: string): string => `\`${text.replaceAll(/[`\n]/g, "'")}\``;

/** A server's words call nobody and format nothing. */
const plain = (text: string): string =>
  text
    .replaceAll(/[<>@*_~`|[\]\\#:/]+/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

const NONE = "This host has no MCP servers. Its operator names them in the file of PARLEY_MCP.";
