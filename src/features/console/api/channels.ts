/**
 * Settings of chat channels, such as repository, work mode, approvers and budget, and the names of the
 * channels.
 */

import * as z from "zod";
import { omitUndefined } from "../../../text/omit-undefined.ts";
import { LANGUAGES } from "../../../i18n/say.ts";
import { jsonOf } from "../../../../adapters/http/body.ts";
import type { Handler } from "./handler.ts";
import type { Channel } from "../render/api-types.ts";
import { accepted } from "../../../../adapters/http/problem.ts";
import { channelAddress, dollarsADay } from "../../../../adapters/http/fields.ts";

/** Every chat channel that overrides a setting, with its overrides. */
export const listChannels: Handler = ({ channels, channelNames }, c) => {
  const rows: readonly Channel[] = channels.all().map(({ budget, ...row }) => ({
    ...row,
    called: channelNames.known(row),
    ...(budget === null ? {} : { budgetUsd: budget.most === null ? null : budget.most / 1_000_000 }),
  }));
  return c.json({ channels: rows });
};

/** Returns the channel names after their platforms have answered. */
export const nameChannels: Handler = async ({ channels, channelNames }, c) => {
  const all = channels.all();
  const names = await channelNames.read(all);
  return c.json({
    names: all.map(({ surface, place }, index) => ({ surface, place, called: names[index] })),
  });
};

/**
 * Stores the given settings of a channel: `surface`, `place`, and any of `repo`, `mode`, `model`,
 * `approvers`, `servers`, `knowledge`, `language`, `review`, `budgetUsd`, `instructions`.
 */
export const setChannel: Handler = async ({ channels, operator }, c) => {
  const { budgetUsd: budget, ...set } = await jsonOf(c.req.raw, channelBody);
  const change = { ...set, ...omitUndefined({ budget }) };
  return c.json({ result: accepted(await channels.set(change, operator.id)).kind });
};

const channelBody = channelAddress.extend({
  repo: z.string().trim().min(1).max(4096).exactOptional(),
  /** Null for the default. */
  mode: z.string().min(1).max(100).nullable().exactOptional(),
  /** Null for the default. */
  model: z.string().min(1).max(300).nullable().exactOptional(),
  approvers: z.array(z.string().max(100)).max(200).exactOptional(),
  /** Names of MCP servers. */
  servers: z.array(z.string().max(60)).max(50).exactOptional(),
  /** `issues`, `discussions`, `releases`, `wiki`, `threads`, addresses of documentation sites. */
  knowledge: z.array(z.string().max(300)).max(50).exactOptional(),
  /** Null for the platform's language of the channel, or the default if there is none. */
  language: z.enum(LANGUAGES).nullable().exactOptional(),
  /** Channel in which a maintainer reviews answers before they are posted; null for no review. */
  review: z.string().min(1).max(100).nullable().exactOptional(),
  budgetUsd: dollarsADay.optional(),
  /** Null removes the instructions. The response to instructions that are too long says what to do. */
  instructions: z.string().nullable().exactOptional(),
});
