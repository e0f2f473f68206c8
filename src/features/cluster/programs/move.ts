/** `parley move CONVERSATION HOST`: moves a conversation with its question and its checkout to another host. */

import * as z from "zod";
import type { CoreSettings, ProgramResult } from "../../../feature.ts";
import { familyOf } from "../../../machine/agent.ts";
import type { ConversationId } from "../../../machine/id.ts";
import type { ClusterSettings } from "../settings/settings.ts";
import { done, programFailed, withDatabase } from "./with-database.ts";

const answer = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("done") }),
  z.object({ kind: z.literal("failed"), message: z.string() }),
]);

export const moveProgram = async (
  [named, to = ""]: readonly string[],
  settings: ClusterSettings,
  core: CoreSettings,
): Promise<ProgramResult> => {
  if (!isId(named)) return programFailed(`${named ?? ""} is not a conversation id.`);
  const id = familyOf(named);
  return withDatabase(settings, core, async (database) => {
    const hosts = await database.hosts();
    if ("kind" in hosts) return programFailed(hosts.why);
    if (!hosts.some((host) => host.name === to && host.active && !host.draining))
      return programFailed(`${to} is not active. Run parley hosts for a list.`);
    const owner = await database.ownerOf(id);
    if (owner.kind === "trouble") return programFailed(owner.why);
    if (owner.name === null)
      return programFailed(
        `No host owns ${id}: the next host that receives a request for the conversation becomes the owner, or the conversation does not exist.`,
      );
    if (owner.name !== to) {
      const told = await database.ask(owner.name, { kind: "give", id, to, stops: false });
      if (told === null) return programFailed(`${owner.name} does not answer. Run parley hosts for a list.`);
      if ("kind" in told) return programFailed(told.why);
      const read = answer.parse(told.answer);
      if (read.kind === "failed") return programFailed(`${id} remains on ${owner.name}: ${read.message}`);
    }
    return done(`${to} has ${id}.`);
  });
};

const isId = (text: string | undefined): text is ConversationId => text?.startsWith("c-") === true;
