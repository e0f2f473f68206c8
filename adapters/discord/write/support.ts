/**
 * The buttons below an answer in a support forum. *Solved* ends the matter and closes the post if Discord
 * permits that. *Ask a maintainer* notifies the approvers, once.
 */

import type { Place } from "../../../src/ports/conversation.ts";
import type { Button } from "../../../src/ports/surface.ts";
import { renderNotice } from "../../post/render.ts";
import { readDiscordChannel } from "../read/channel.ts";
import { isManaging, isNotified, readRoles } from "../read/guilds.ts";
import { discordUnreadOf } from "../read/people.ts";
import { MAX_TAGS } from "./forum-post.ts";
import { findLine, putLine } from "./host-line.ts";
import type { DiscordCalls } from "../api/calls.ts";
import type { Label, Say } from "../../../src/i18n/say.ts";

/**
 * Adds the support buttons to a turn's message. An answer can be marked as the solution, and so can a post
 * without an answer.
 */
export const withSupport = (
  buttons: readonly Button[],
  conversation: string,
  say: Say,
): readonly Button[] => [
  ...buttons,
  ...(buttons.some(({ action }) => action === "solved")
    ? []
    : [{ action: "solved", label: say("Solved"), value: conversation } as const]),
  { action: "maintainer", label: say("Ask a maintainer"), value: conversation },
];

/** Texts in the language of the person who clicked, and of the channel. */
interface Languages {
  readonly own: Say;
  readonly all: Say;
}

interface Solved {
  /** Text for the person alone; null if the post shows the result. */
  readonly told: string | null;
  readonly isSolved?: true;
}

/**
 * Ids of people and roles that are named as approvers. `managers`: whether people who manage the server are
 * approvers.
 */
export interface NamedApprovers {
  readonly people: readonly string[];
  readonly roles: readonly string[];
  readonly managers: boolean;
}

interface SupportDeps {
  readonly calls: DiscordCalls;
  readonly approvers: NamedApprovers;
  /** Permissions of the bot in a channel of the server; null if unknown. */
  permissions(guild: string, place: string): bigint | null;
}

export type Support = ReturnType<typeof createSupport>;

const SOLVED = /^(solved|resolved|answered|done|fixed)$/i;

export const createSupport = ({ calls, approvers, permissions }: SupportDeps) => {
  const close = async (
    { place, root }: Place,
    applied: readonly string[],
    say: Say,
  ): Promise<string | null> => {
    const { available_tags: available } = await readDiscordChannel(calls, place);
    const tag = available.find(({ name }) => SOLVED.test(name));
    // The tag replaces no tag that a person set.
    const isAdded = tag !== undefined && !applied.includes(tag.id) && applied.length < MAX_TAGS;
    try {
      if (isAdded) {
        await calls.call("PATCH", `/channels/${root}`, { body: { applied_tags: [...applied, tag.id] } });
      }
      await calls.call("PATCH", `/channels/${root}`, { body: { archived: true } });
      return null;
    } catch {
      return say(
        "The post is still open: I need the permission Manage Threads to close it. You can close it yourself.",
      );
    }
  };

  /**
   * `mayApprove`: whether the person may close any post. `click`: id of the click, which identifies a repeat.
   */
  const solve = async (
    where: Place,
    person: string,
    mayApprove: boolean,
    click: string,
    { own, all }: Languages,
  ): Promise<Solved> => {
    try {
      const post = await readDiscordChannel(calls, where.root);
      if (post.thread_metadata?.locked === true) return { told: own(LOCKED) };
      if (post.owner_id !== person && !mayApprove) {
        return { told: own("Only the person who asked, or an approver, can mark a post as solved.") };
      }
      const text = all(
        "Marked as solved by {person}. A new message here opens the question again; mention me to continue.",
        { person: `<@${person}>` },
      );
      await putLine(calls, where.root, `solved/${click}`, renderNotice(text), "silent");
      return { told: await close(where, post.applied_tags, own), isSolved: true };
    } catch (error) {
      return { told: own("The post could not be closed: {why}.", { why: discordUnreadOf(error).why }) };
    }
  };

  /**
   * Roles that are named as approvers, or the roles that manage the server if none is named. `notified`: ids
   * that a mention notifies.
   */
  const rolesOf = async (guild: string, post: string) => {
    if (approvers.roles.length === 0 && !approvers.managers) return { called: [], notified: [] };
    const all = await readRoles(calls, guild);
    const managing = all.filter((one) => !one.managed && isManaging(one.permissions)).map(({ id }) => id);
    const called = [...new Set([...approvers.roles, ...(approvers.managers ? managing : [])])];
    const held = permissions(guild, post) ?? 0n;
    const notified = called.filter((id) => all.some((one) => one.id === id && isNotified(one, held)));
    return { called, notified };
  };

  return {
    solve,
    callMaintainer: async (
      { place, root }: Place,
      guild: string,
      person: string,
      { own, all }: Languages,
    ): Promise<string | null> => {
      try {
        const post = await readDiscordChannel(calls, root);
        if (post.thread_metadata?.locked === true) return own(LOCKED);
        const key = `maintainer/${root}`;
        if ((await findLine(calls, root, key)) !== null) {
          return own("Maintainers have already been notified here.");
        }
        const { called, notified } = await rolesOf(guild, place);
        const people = [...approvers.people];
        if (called.length + people.length === 0) {
          return own(
            "Nobody here can be notified: no role manages this server, and PARLEY_APPROVERS lists nobody.",
          );
        }
        if (notified.length + people.length === 0) {
          return own(
            "Nobody was notified: Discord does not let me mention any role that could help here. An administrator can let everyone mention one of these roles, or grant me Mention Everyone.",
          );
        }
        const names = [...notified.map((id) => `<@&${id}>`), ...people.map((id) => `<@${id}>`)].join(" ");
        const line = `${names} ${all("{person} asks for a maintainer here.", { person: `<@${person}>` })}`;
        await putLine(calls, root, key, renderNotice(line), { roles: notified, users: people });
        return null;
      } catch (error) {
        return own("Nobody could be notified: {why}.", { why: discordUnreadOf(error).why });
      }
    },
  };
};

const LOCKED: Label = "This post is locked.";
