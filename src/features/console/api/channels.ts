/** What chat channels have of their own: repository, work mode, approvers, budget, instructions; and what people call them. */

import * as z from "zod";
import { omitUndefined } from "../../../text/given.ts";
import { LANGUAGES } from "../../../i18n/say.ts";
import { jsonOf } from "../../../../adapters/http/body.ts";
import type { Handler } from "./handler.ts";
import type { Channel } from "../render/api-types.ts";
import { accepted } from "../../../../adapters/http/problem.ts";
import { channelAddress, dollarsADay } from "../../../../adapters/http/fields.ts";

/** Every chat channel that has anything of its own: its repository, work mode, approvers, budget and instructions. */
export const listChannels: Handler = ({ channels, channelNames }, c) => {
  const rows: readonly Channel[] = channels.all().map(({ budget, ...row }) => ({
    ...row,
    called: channelNames.known(row),
    ...(budget === null ? {} : { budgetUsd: budget.most === null ? null : budget.most / 1_000_000 }),
  }));
  return c.json({ channels: rows });
};

/** What people call these channels; asks their platforms, and answers when those have. */
export const nameChannels: Handler = async ({ channels, channelNames }, c) => {
  const all = channels.all();
  const names = await channelNames.read(all);
  return c.json({
    names: all.map(({ surface, place }, index) => ({ surface, place, called: names[index] })),
  });
};

/** Sets what is named of a channel: `surface`, `place`, and any of `repo`, `mode`, `model`, `approvers`, `servers`, `knowledge`, `language`, `review`, `budgetUsd`, `instructions`. */
export const setChannel: Handler = async ({ channels, operator }, c) => {
  const { budgetUsd: budget, ...set } = await jsonOf(c.req.raw, channelBody);
  const change = { ...set, ...omitUndefined({ budget }) };
  return c.json({ result: accepted(await channels.set(change, operator.id)).kind });
};

const channelBody = channelAddress.extend({
  repo: z.string().trim().min(1).max(4096).exactOptional(),
  /** Null: the usual one. */
  mode: z.string().min(1).max(100).nullable().exactOptional(),
  /** Null: the usual one. */
  model: z.string().min(1).max(300).nullable().exactOptional(),
  approvers: z.array(z.string().max(100)).max(200).exactOptional(),
  /** Names of MCP servers. */
  servers: z.array(z.string().max(60)).max(50).exactOptional(),
  /** `issues`, `discussions`, `releases`, `wiki`, `threads`, addresses of documentation sites. */
  knowledge: z.array(z.string().max(300)).max(50).exactOptional(),
  /** Null: the platform's for the place, else the usual one. */
  language: z.enum(LANGUAGES).nullable().exactOptional(),
  /** The channel in which somebody looks at answers before they are posted; null: nobody does. */
  review: z.string().min(1).max(100).nullable().exactOptional(),
  budgetUsd: dollarsADay.optional(),
  /** Null clears them. Too long ones are refused with what to do instead. */
  instructions: z.string().nullable().exactOptional(),
});
