/** Whom a message pings, after what the sender allows and may. Pure. */

import { z } from "zod";
import type { Json, Mentions } from "../world.ts";
import { componentsIn } from "../content.ts";

const allowedSchema = z.object({
  parse: z.array(z.string()).nullish(),
  users: z.array(z.string()).nullish(),
  roles: z.array(z.string()).nullish(),
  replied_user: z.boolean().nullish(),
});

export interface Pinging {
  readonly content: string;
  readonly components: readonly Json[];
  /** As sent; undefined: everything that stands in the text. */
  readonly allowed: unknown;
  readonly mayMentionEveryone: boolean;
  /** Author of the message replied to. */
  readonly repliedTo: string | null;
}

export const mentionsOf = ({
  content,
  components,
  allowed,
  mayMentionEveryone,
  repliedTo,
}: Pinging): Mentions => {
  const text = [
    content,
    ...componentsIn(components).map((one) => (typeof one["content"] === "string" ? one["content"] : "")),
  ]
    .join("\n")
    .replaceAll(/(`+)[^]*?\1/g, "");
  const given = allowedSchema.nullish().parse(allowed);
  const parses = (kind: string): boolean =>
    given === undefined || given === null || given.parse?.includes(kind) === true;
  const users = idsIn(text, /<@!?(\d+)>/g).filter(
    (id) => parses("users") || given?.users?.includes(id) === true,
  );
  const roles = idsIn(text, /<@&(\d+)>/g).filter(
    (id) => parses("roles") || given?.roles?.includes(id) === true,
  );
  const pingsReplied = repliedTo !== null && given?.replied_user !== false;
  return {
    users: [...new Set([...users, ...(pingsReplied ? [repliedTo] : [])])],
    roles,
    everyone: mayMentionEveryone && parses("everyone") && /@(everyone|here)\b/.test(text),
  };
};

const idsIn = (text: string, pattern: RegExp): readonly string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, id = ""]) => id)),
];
