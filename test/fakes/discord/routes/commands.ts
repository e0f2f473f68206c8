/** The application's commands: registered in whole or one by one, globally or in a guild. */

import { z } from "zod";
import type { Command, Scope } from "../commands.ts";
import type { Discord } from "../discord.ts";
import { type Complaint, invalidForm, nothing, ok, type Outcome, refuse } from "../outcome.ts";
import type { Ask, Route, Routes } from "../route.ts";
import { complaintsOf } from "../schema.ts";
import type { Json } from "../world.ts";

const bodies = z.array(z.record(z.string(), z.unknown()));
const MAX_COMMANDS = 100;

const registry = (root: string): Routes => ({
  [`GET ${root}`]: many((discord, ask) => ok(listed(discord, ask))),
  [`PUT ${root}`]: many((discord, ask) => replace(discord, ask)),
  [`POST ${root}`]: {
    answers: "ApplicationCommandResponse",
    serve: (discord, ask) =>
      allowed(discord, ask, () => {
        const body = z.record(z.string(), z.unknown()).parse(ask.body);
        const complaints = commandComplaints(body);
        if (complaints.length > 0) return invalidForm(complaints);
        const { command, isNew } = discord.commands.upsert(scopeOf(ask), body);
        return ok(commandWire(discord, ask, command), isNew ? 201 : 200);
      }),
  },
  [`DELETE ${root}/{command}`]: {
    serve: (discord, ask) =>
      allowed(discord, ask, () =>
        discord.commands.remove(scopeOf(ask), ask.param("command")) ? nothing : refuse("unknownCommand"),
      ),
  },
});

const many = (serve: Route["serve"]): Route => ({
  answersMany: "ApplicationCommandResponse",
  serve: (discord, ask) => allowed(discord, ask, () => serve(discord, ask)),
});

const allowed = (discord: Discord, ask: Ask, then: () => Outcome): Outcome => {
  if (ask.param("app") !== discord.world.app.id) return refuse("missingAccess");
  const scope = scopeOf(ask);
  return scope === "global" || discord.world.guilds.has(scope) ? then() : refuse("missingAccess");
};

const replace = (discord: Discord, ask: Ask): Outcome => {
  const given = bodies.safeParse(ask.body);
  if (!given.success)
    return invalidForm([{ path: [], code: "BASE_TYPE_BAD_TYPE", message: "Expected a list." }]);
  const complaints = given.data.flatMap((body, at) =>
    commandComplaints(body).map((one) => ({ ...one, path: [at, ...one.path] })),
  );
  const names = given.data.map(({ name, type = 1 }) => `${String(type)} ${String(name)}`);
  if (names.length > MAX_COMMANDS)
    complaints.push({ path: [], code: "APPLICATION_COMMANDS_MAX", message: `At most ${MAX_COMMANDS}.` });
  if (new Set(names).size < names.length) {
    complaints.push({
      path: [],
      code: "APPLICATION_COMMANDS_DUPLICATE_NAME",
      message: "Application command names must be unique",
    });
  }
  if (complaints.length > 0) return invalidForm(complaints);
  discord.commands.replace(scopeOf(ask), given.data);
  return ok(listed(discord, ask));
};

const commandComplaints = (body: Json): readonly Complaint[] => [
  ...complaintsOf("ApplicationCommandUpdateRequest", comparable(body)),
  ...((body["type"] ?? 1) === 1 ? slashComplaints(body) : []),
];

/** The description has the permissions as a number; Discord also takes, and its documents ask for, their digits. */
const comparable = (body: Json): Json => {
  const permissions = body["default_member_permissions"];
  return typeof permissions === "string" && /^\d+$/.test(permissions)
    ? { ...body, default_member_permissions: Number(permissions) }
    : body;
};

/** What holds for slash commands alone. */
const slashComplaints = ({ name, description }: Json): readonly Complaint[] => [
  ...(typeof name === "string" && name === name.toLowerCase() && /^[-_'\p{L}\p{N}]{1,32}$/u.test(name)
    ? []
    : [{ path: ["name"], code: "APPLICATION_COMMAND_INVALID_NAME", message: "Command name is invalid" }]),
  ...(typeof description === "string" && description !== ""
    ? []
    : [{ path: ["description"], code: "BASE_TYPE_REQUIRED", message: "This field is required" }]),
];

const listed = (discord: Discord, ask: Ask): readonly Json[] =>
  discord.commands.all(scopeOf(ask)).map((command) => commandWire(discord, ask, command));

/** The path decides: with a guild in it the guild's. */
const scopeOf = (ask: Ask): Scope => ("guild" in ask.params ? ask.param("guild") : "global");

const commandWire = ({ world }: Discord, ask: Ask, { id, version, name, type, body }: Command): Json => ({
  default_member_permissions: null,
  dm_permission: true,
  nsfw: false,
  description: "",
  ...body,
  id,
  version,
  name,
  type,
  application_id: world.app.id,
  ...(scopeOf(ask) === "global" ? {} : { guild_id: scopeOf(ask) }),
});

export const commandRoutes: Routes = {
  ...registry("/applications/{app}/commands"),
  ...registry("/applications/{app}/guilds/{guild}/commands"),
};
