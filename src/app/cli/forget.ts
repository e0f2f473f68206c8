/** Only the running Parley can forget a person, because affected turns must stop and posts must be corrected. */

import { parseArgs } from "node:util";
import { z } from "zod";
import { reachedAt } from "../../../adapters/http/address.ts";
import { consoleToken } from "../settings/console-token.ts";
import { complain } from "./shared/complain.ts";
import { loadConfig } from "./shared/load-config.ts";

const USAGE = `Usage: parley forget PERSON [--name NAME]…

PERSON: id as in parley audit, such as slack:U0123456789, discord:80351110224678912 or console:operator.
NAME: name of the person in messages of others, if the person was only quoted and never wrote to Parley.`;

const answer = z.union([
  z.object({ conversations: z.number(), channels: z.number().default(0), names: z.array(z.string()) }),
  z.object({ error: z.object({ message: z.string() }) }),
]);

export const forgetCommand = async (args: readonly string[]): Promise<number> => {
  const asked = readArgs(args);
  if (asked === null) return complain(USAGE);
  const config = loadConfig();
  if (config === null) return 1;
  const token = consoleToken(config);
  if (token.kind === "failed") return complain(token.message);
  const where = `http://${reachedAt(config.PARLEY_HOST)}:${config.PARLEY_PORT}`;
  try {
    const response = await fetch(`${where}/api/people/forget`, {
      method: "POST",
      headers: { authorization: `Bearer ${token.token}`, "content-type": "application/json" },
      body: JSON.stringify(asked),
    });
    const said = answer.safeParse(await response.json());
    if (!said.success)
      return complain(
        `${where} answered with status ${response.status}. Check that Parley listens at this address.`,
      );
    if ("error" in said.data) return complain(said.data.error.message);
    const { conversations, channels, names } = said.data;
    const known = names.length === 0 ? "" : ` (${names.join(", ")})`;
    console.log(`Deleted: everything that ${asked.person}${known} said, in ${conversations} conversations.`);
    if (channels > 0) console.log(`Deleted: channel instructions of this person, in ${channels} channels.`);
    console.log("Backups and the chat platform still contain their copies.");
    return 0;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return complain(
      `Parley does not answer at ${where} (${why}). Start Parley, then run this command again with the same settings.`,
    );
  }
};

const readArgs = (args: readonly string[]) => {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { name: { type: "string", multiple: true } },
      allowPositionals: true,
    });
    const [person, ...more] = positionals;
    return person === undefined || more.length > 0 ? null : { person, names: values.name ?? [] };
  } catch {
    return null;
  }
};
