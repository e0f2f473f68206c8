/** The application's commands, global and of single guilds. Owns: what is registered where. */

import { isDeepStrictEqual } from "node:util";
import type { Ids } from "./ids.ts";
import type { Json } from "./world.ts";

export interface Command {
  readonly id: string;
  readonly version: string;
  /** 1 slash, 2 on a person, 3 on a message. */
  readonly type: number;
  readonly name: string;
  /** As registered. */
  readonly body: Json;
}

/** A guild's id, or `global`. */
export type Scope = string;

export interface Commands {
  all(scope: Scope): readonly Command[];
  /** Puts these in the place of all others of the scope; what is the same keeps its id and version. */
  replace(scope: Scope, bodies: readonly Json[]): readonly Command[];
  /** Adds one, or replaces the one of that name. */
  upsert(scope: Scope, body: Json): { readonly command: Command; readonly isNew: boolean };
  remove(scope: Scope, id: string): boolean;
  /** What a person finds in that guild: its own, then the global ones. */
  named(guild: string | null, name: string, type: number): Command | undefined;
}

export const createCommands = (ids: Ids): Commands => {
  const scopes = new Map<Scope, readonly Command[]>();
  const all = (scope: Scope): readonly Command[] => scopes.get(scope) ?? [];

  const made = (scope: Scope, body: Json): Command => {
    const { name, type } = keyOf(body);
    const known = all(scope).find((one) => one.name === name && one.type === type);
    if (known !== undefined && isDeepStrictEqual(known.body, body)) return known;
    return { id: known?.id ?? ids.nextId(), version: ids.nextId(), name, type, body };
  };

  return {
    all,
    replace: (scope, bodies) => {
      const commands = bodies.map((body) => made(scope, body));
      scopes.set(scope, commands);
      return commands;
    },
    upsert: (scope, body) => {
      const command = made(scope, body);
      const others = all(scope).filter(({ id }) => id !== command.id);
      const isNew = others.length === all(scope).length;
      scopes.set(scope, [...others, command]);
      return { command, isNew };
    },
    remove: (scope, id) => {
      const others = all(scope).filter((one) => one.id !== id);
      const isThere = others.length < all(scope).length;
      scopes.set(scope, others);
      return isThere;
    },
    named: (guild, name, type) =>
      [...(guild === null ? [] : all(guild)), ...all("global")].find(
        (one) => one.name === name && one.type === type,
      ),
  };
};

const keyOf = (body: Json): { readonly name: string; readonly type: number } => ({
  name: String(body["name"]),
  type: typeof body["type"] === "number" ? body["type"] : 1,
});
