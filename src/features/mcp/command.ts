/**
 * `tools`: which of the operator's MCP servers the conversations of a channel may use. A person who switches a server on sees
 * its tools, and thereby accepts the tools of a server without accepted tools. Later changes are off until a person accepts
 * them with the code of the displayed list.
 */

import type { Person } from "../../ports/chat-platform.ts";
import type { PersonId } from "../../machine/id.ts";
import type { ServerStatus, ServerTool } from "../../ports/servers.ts";
import type { Label, Say } from "../../i18n/say.ts";
import type { RequestingPerson, ChatDeps } from "../../runtime/chat/people/deps.ts";
import { replyCode, storageText } from "../../runtime/chat/people/reply-texts.ts";
import { keepSettings, MAY_NOT, settingsAt } from "../../runtime/chat/commands/channels.ts";
import { asInThread, type Command, defineCommand } from "../../runtime/chat/commands/define-command.ts";
import { choiceOption, wordOption } from "../../runtime/chat/commands/options.ts";
import { surfacePersonId } from "../../runtime/chat/people/rights.ts";
import type { McpContext } from "./open.ts";
import type { ToolServers } from "./ports.ts";

const CHANGE = choiceOption("change", "What to do", "add", "remove", "accept");
const SERVER = wordOption("server", "Name");
const CODE = wordOption("code", "Confirmation code; leave empty to get one", /^[0-9a-f]{8}$/);

interface ToolsChange {
  /** `accept`: accepts the server's current tools. `code` proves that the person saw these tools; null requests the code. */
  readonly what: "add" | "remove" | "accept";
  readonly server: string;
  readonly code: string | null;
}

export const toolsCommand = (own: () => McpContext): Command =>
  defineCommand({
    words: ["tools"],
    options: [CHANGE, SERVER, CODE],
    read: (valueOf): ToolsChange | null | undefined => {
      const [what, server, given] = [valueOf(CHANGE), valueOf(SERVER), valueOf(CODE)];
      if (what === null) return null;
      return server === null || (given !== null && what !== "accept")
        ? undefined
        : { what, server, code: given };
    },
    rights: {
      right: "mayManage",
      refusal: MAY_NOT,
      isFree: (change) => change === null || own().servers.names.length === 0,
    },
    help: {
      does: "MCP servers that this channel may use; only host approvers can turn a server on",
      thread: "tools",
      channel: "`/parley tools [add|remove NAME]` shows or sets which MCP servers may be used",
      before: { thread: "rename", channel: "review", menu: "budget" },
    },
    slash: asInThread,
    run: ({ deps, asking, person }, change) => {
      const { servers } = own();
      if (servers.names.length === 0) return deps.say(NONE);
      return change === null
        ? shown(servers, deps.say, settingsAt(deps, asking.place).servers)
        : changeServers(servers, deps, change, asking, person);
    },
  });

const changeServers = async (
  servers: ToolServers,
  deps: ChatDeps,
  change: ToolsChange,
  asking: RequestingPerson,
  person: Person,
): Promise<string> => {
  const { name, say } = deps;
  const before = settingsAt(deps, asking.place);
  const { what, server } = change;
  const by = surfacePersonId(name, person.id);
  const others = before.servers.filter((one) => one !== server);
  const set = (now: readonly string[]) => keepSettings(deps, { servers: now }, asking, person);
  if (what === "remove") {
    if (others.length === before.servers.length)
      return say("{server} is not turned on here.", { server: replyCode(server) });
    return (await set(others)) ?? say("{server} is turned off here.", { server: replyCode(server) });
  }
  if (!servers.names.includes(server))
    return `${say("There is no server {server}.", { server: replyCode(server) })} ${thereAre(servers.names, say)}`;
  if (what === "accept") return accept(servers, say, change, by);
  const accepted = await servers.accept(server, null, by);
  if (accepted.kind === "refused") return say("Not turned on: {why}", { why: accepted.why });
  if (accepted.kind === "failed") return storageText(accepted.message, say);
  const problem = await set([...others, server]);
  if (problem !== null) return problem;
  const on = say("{server} is turned on here.", { server: replyCode(server) });
  return [on, serverStatusText(server, await servers.look(server), say)].join("\n");
};

const accept = async (
  servers: ToolServers,
  say: Say,
  { server, code: given }: ToolsChange,
  by: PersonId,
): Promise<string> => {
  if (given !== null) {
    const done = await servers.accept(server, given, by);
    if (done.kind === "failed") return storageText(done.message, say);
    if (done.kind === "done")
      return say("The tools of {server} are accepted as they are now, in every channel.", {
        server: replyCode(server),
      });
    return `${say("Nothing was accepted.")} ${done.why}`;
  }
  const look = await servers.look(server);
  const text = serverStatusText(server, look, say);
  if (look.kind === "failed" || look.tools.every(({ standing }) => standing === "usable")) return text;
  const command = replyCode(`/parley tools accept ${server} ${look.code}`);
  return `${text}\n${say("To accept these tools as they are, in every channel: {command}.", { command })}`;
};

const shown = async (servers: ToolServers, say: Say, on: readonly string[]): Promise<string> => {
  const there = on.filter((one) => servers.names.includes(one));
  const looks = await Promise.all(there.map((one) => servers.look(one)));
  const off = servers.names.filter((one) => !on.includes(one));
  return [
    ...(there.length === 0
      ? [say("No server is turned on here.")]
      : looks.map((look, index) => serverStatusText(there[index] ?? "", look, say))),
    ...(off.length === 0
      ? []
      : [
          `${thereAre(off, say)} ${say("Turn one on: {add}; off: {remove}.", { add: replyCode("/parley tools add NAME"), remove: replyCode("/parley tools remove NAME") })}`,
        ]),
  ].join("\n");
};

/** Description of a server for people; the server itself wrote the tool descriptions. */
export const serverStatusText = (server: string, look: ServerStatus, say: Say): string => {
  if (look.kind === "failed")
    return say("{server} cannot be used now: {why}", { server: replyCode(server), why: look.why });
  const line = ({ name, access, standing, summary }: ServerTool): string => {
    const does = say(access === "read" ? "reads" : "asks before it is called");
    const held = standing === "usable" ? "" : ` (${say(STANDINGS[standing])})`;
    return `• ${replyCode(name)} ${does}${held}${summary === "" ? "" : `: ${plain(summary)}`}`;
  };
  const told = look.tools.slice(0, MOST);
  return [
    look.tools.length === 1
      ? say("{server} has one tool:", { server: replyCode(server) })
      : say("{server} has {count} tools:", { server: replyCode(server), count: look.tools.length }),
    ...told.map(line),
    ...(told.length < look.tools.length
      ? [say("… and {count} more.", { count: look.tools.length - told.length })]
      : []),
    ...(look.unnamed === 0
      ? []
      : [say("Left out, because their names cannot be used: {count}.", { count: look.unnamed })]),
    ...(look.unknown.length === 0
      ? []
      : [
          say("The operator's read-only list names tools that this server does not have: {tools}.", {
            tools: look.unknown.map(replyCode).join(", "),
          }),
        ]),
  ].join("\n");
};

const MOST = 40;

const STANDINGS: Readonly<Record<Exclude<ServerTool["standing"], "usable">, Label>> = {
  new: "new, off until it is accepted",
  changed: "changed, off until it is accepted",
  unread: "off until it is accepted again: the earlier acceptance cannot be read",
};

const thereAre = (names: readonly string[], say: Say): string =>
  say("Available: {names}.", {
    names: names.map(replyCode).join(", "),
  });

/** Removes formatting and mentions from a server's text. */
const plain = (text: string): string =>
  text
    .replaceAll(/[<>@*_~`|[\]\\#:/]+/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

const NONE: Label =
  "This host has no MCP servers. The operator lists them in the file that PARLEY_MCP names.";
