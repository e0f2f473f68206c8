/** `parley move CONVERSATION HOST`: another host goes on with the conversation, its question and its checkout. */

import * as z from "zod";
import { familyOf } from "../../../machine/agent.ts";
import type { ConversationId } from "../../../machine/id.ts";
import { complain } from "../shared/complain.ts";
import { withDatabase } from "./with-database.ts";

const USAGE = "Usage: parley move CONVERSATION HOST   (parley hosts says which there are)";

const answer = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("done") }),
  z.object({ kind: z.literal("failed"), message: z.string() }),
]);

const isId = (text: string | undefined): text is ConversationId => text?.startsWith("c-") === true;

export const moveCommand = async ([named, to, ...more]: readonly string[]): Promise<number> => {
  if (!isId(named) || to === undefined || more.length > 0 || to.startsWith("-")) return complain(USAGE);
  const id = familyOf(named);
  return withDatabase(async (database) => {
    const hosts = await database.hosts();
    if ("kind" in hosts) return complain(hosts.why);
    if (!hosts.some((host) => host.name === to && host.active && !host.draining))
      return complain(`${to} is not active. Look at parley hosts.`);
    const owner = await database.ownerOf(id);
    if (owner.kind === "trouble") return complain(owner.why);
    if (owner.name === null)
      return complain(`No host has ${id}: the next one that is asked for it takes it, or it does not exist.`);
    if (owner.name !== to) {
      const told = await database.ask(owner.name, { kind: "give", id, to, stops: false });
      if (told === null) return complain(`${owner.name} does not answer. Look at parley hosts.`);
      if ("kind" in told) return complain(told.why);
      const read = answer.parse(told.answer);
      if (read.kind === "failed") return complain(`${id} stays with ${owner.name}: ${read.message}`);
    }
    console.log(`${to} has ${id}.`);
    return 0;
  });
};
