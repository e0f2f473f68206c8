/**
 * Chooses the name in which a write appears on the forge. The approver who clicked comes first, then the requester, if connected.
 * Otherwise the operator's credential writes. The commit's author is the requester, if connected.
 */

import type { PersonId } from "../../../machine/id.ts";
import type { ForgeResult } from "../../../ports/forge.ts";
import type { GitIdentity } from "../../../ports/outgoing.ts";
import type { ApprovedWrite, ToolRun } from "../../../ports/tools.ts";
import type { LocalizedText } from "../../../i18n/say.ts";
import type { ForgeWriter, WritableProject } from "../ports/forge-writer.ts";
import type { ConnectClient } from "./client.ts";
import type { OpenToken, PeopleTokens } from "./tokens.ts";

export interface WritesInName {
  /** The line of the card before the click; null if people cannot connect to the forge. */
  fact(
    project: InNameProject,
    run: Pick<ToolRun, "asker">,
  ): { readonly name: string; readonly value: string } | null;
  /** The desk whose writes appear in a person's name. Other requests of the write use the operator's credential. */
  deskFor(project: InNameProject, desk: ForgeWriter, run: ToolRun, errand: ApprovedWrite): ForgeWriter;
  /** The requester as the author of commits; null if the requester is not connected. */
  authorFor(project: InNameProject, errand: Pick<ApprovedWrite, "asker">): GitIdentity | null;
}

type InNameProject = Pick<WritableProject, "people" | "host">;

export const NOBODY_CONNECTED: WritesInName = {
  fact: () => null,
  deskFor: (_, desk) => desk,
  authorFor: () => null,
};

interface InNameDeps {
  readonly clients: readonly ConnectClient[];
  readonly tokens: Pick<PeopleTokens, "account" | "token" | "refused">;
  /** Asks a person privately to connect again. */
  readonly askAgain: (person: PersonId, run: ToolRun, text: LocalizedText) => Promise<void>;
}

export const createWritesInName = ({ clients, tokens, askAgain }: InNameDeps): WritesInName => ({
  fact: ({ people }, { asker }) => {
    if (people === undefined) return null;
    const requester = asker === undefined ? null : tokens.account(asker, people.forge);
    return { name: IN_NAME, value: requester?.login ?? "Parley" };
  },
  deskFor: ({ people }, desk, run, errand) => {
    const { approved, asker } = errand;
    const client = clients.find(({ host }) => host === people?.forge);
    if (people === undefined || client === undefined) return desk;
    const { deskOf } = people;
    const persons = [...new Set([approved.by.id, ...(asker === null ? [] : [asker.id])])];

    /** Null if the forge does not accept the person's connection. A token is tried again only if another host has renewed it. */
    const asPerson = async <T>(
      person: PersonId,
      { again }: Again,
      write: Write<T>,
    ): Promise<ForgeResult<T> | null> => {
      let token = await tokens.token(person, client);
      for (let attempts = 0; token.kind === "token" && attempts < MAX_TOKENS; attempts += 1) {
        const used: OpenToken = token;
        const result = await write(deskOf(used.token, used.account.login));
        if (result.kind !== "trouble" || result.refused !== true) return result;
        token = await tokens.refused(person, client, used);
      }
      // Without an answer of the forge, nobody knows what an earlier try has written.
      if (token.kind === "away")
        return { kind: "trouble", why: awayText(client.host), ...(again ? { perhaps: true } : {}) };
      if (token.kind === "ended") await askAgain(person, run, endedText(client.host, client.kind));
      return null;
    };

    const inName = async <T>(mark: Again, write: Write<T>): Promise<ForgeResult<T>> => {
      for (const person of persons) {
        const result = await asPerson(person, mark, write);
        if (result !== null) return result;
      }
      return write(desk);
    };

    return {
      ...desk,
      fileIssue: (issue, mark, signal) => inName(mark, (one) => one.fileIssue(issue, mark, signal)),
      comment: (target, text, mark, signal) => inName(mark, (one) => one.comment(target, text, mark, signal)),
      label: (...given) => inName(errand, (one) => one.label(...given)),
      openPull: (pull, mark, signal) => inName(mark, (one) => one.openPull(pull, mark, signal)),
    };
  },
  authorFor: ({ people }, { asker }) => {
    if (people === undefined || asker === null) return null;
    const account = tokens.account(asker.id, people.forge);
    return account === null ? null : { name: account.name, email: account.email };
  },
});

/** Whether an earlier try may have written. */
type Again = Pick<ApprovedWrite, "again">;

type Write<T> = (desk: ForgeWriter) => Promise<ForgeResult<T>>;

/** The first token, and one that another host has renewed meanwhile. */
const MAX_TOKENS = 2;

const IN_NAME = "in the name of the approver if connected, otherwise of";

const awayText = (host: string): string =>
  `${host} did not renew the connection of the person in whose name this would be written; try again later.`;

const endedText =
  (forge: string, kind: string): LocalizedText =>
  (say) =>
    say(
      "{forge} no longer accepts your connection, so I did not write in your name. Connect again with `/parley connect {kind}`.",
      { forge, kind },
    );

/** Nobody is connected until the store is open, because tools exist before. */
export const createLateNames = (): WritesInName & { readonly open: (names: WritesInName) => void } => {
  let opened = NOBODY_CONNECTED;
  return {
    fact: (...given) => opened.fact(...given),
    deskFor: (...given) => opened.deskFor(...given),
    authorFor: (...given) => opened.authorFor(...given),
    open: (names) => {
      opened = names;
    },
  };
};
