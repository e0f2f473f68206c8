/**
 * Chooses the name in which a write appears on the forge. The approver who clicked comes first, then the requester, if connected
 * and able to write. Otherwise the operator's credential writes, and the thread names the reason. The commit's author is the
 * requester, if connected.
 */

import type { PersonId } from "../../../machine/id.ts";
import type { Write as MachineWrite } from "../../../machine/vocabulary.ts";
import type { ForgeResult } from "../../../ports/forge.ts";
import type { GitIdentity } from "../../../ports/outgoing.ts";
import type { ApprovedWrite, ToolRun } from "../../../ports/tools.ts";
import type { LocalizedText } from "../../../i18n/say.ts";
import type { ForgeWriter, PersonalDesks, WritableProject, WriteMarker } from "../ports/forge-writer.ts";
import type { ConnectClient } from "./client.ts";
import type { OpenToken, PeopleTokens } from "./tokens.ts";

export interface WritesInName {
  /** The line of the card before the click; null if people cannot connect to the forge, or nobody's name is used. */
  fact(
    project: InNameProject,
    run: ToolRun,
    write: MachineWrite,
    signal: AbortSignal,
  ): Promise<{ readonly name: string; readonly value: string } | null>;
  /** The desk whose writes appear in a person's name. Other requests of the write use the operator's credential. */
  deskFor(project: InNameProject, desk: ForgeWriter, run: ToolRun, errand: ApprovedWrite): ForgeWriter;
  /** Reads at the forge whether a connected person may push to the repository. */
  standing(project: InNameProject, person: PersonId, signal: AbortSignal): Promise<NameStanding>;
  /** The requester as the author of commits; null if the requester is not connected. */
  authorFor(project: InNameProject, errand: Pick<ApprovedWrite, "asker">): GitIdentity | null;
}

type NameStanding =
  | { readonly kind: "able"; readonly account: string }
  /** The forge does not let the account push. */
  | { readonly kind: "lacks" }
  /** The person is not connected, or the forge accepts the connection no longer. */
  | { readonly kind: "none" }
  | { readonly kind: "unread" };

type InNameProject = Pick<WritableProject, "people" | "host" | "name">;

export const NOBODY_CONNECTED: WritesInName = {
  fact: () => Promise.resolve(null),
  deskFor: (_, desk) => desk,
  standing: () => Promise.resolve({ kind: "none" }),
  authorFor: () => null,
};

interface InNameDeps {
  readonly clients: readonly ConnectClient[];
  readonly tokens: Pick<PeopleTokens, "account" | "token" | "refused">;
  /** Asks a person privately to connect again. */
  readonly askAgain: (person: PersonId, run: ToolRun, text: LocalizedText) => Promise<void>;
  /** Posts a line into the thread of the write. `words`: text of the forge. `key`: equal for the same line. */
  readonly tellThread: (
    run: ToolRun,
    line: { readonly key: string; readonly text: LocalizedText; readonly words: string },
  ) => Promise<void>;
}

export const createWritesInName = ({ clients, tokens, askAgain, tellThread }: InNameDeps): WritesInName => {
  /** A token is tried again only if another host has renewed it. */
  const asPerson = async <T>(
    { client, deskOf }: Connectable,
    person: PersonId,
    write: Write<T>,
  ): Promise<Tried<T>> => {
    const account = tokens.account(person, client.host)?.login;
    let token = await tokens.token(person, client);
    let why = account === undefined ? "" : expiredText(client.host, account);
    let perhaps = false;
    for (let attempts = 0; token.kind === "token" && attempts < MAX_TOKENS; attempts += 1) {
      const used: OpenToken = token;
      const { login } = used.account;
      const result = await write(deskOf(used.token, login), perhaps);
      if (result.kind === "found" || result.refused === undefined) return { kind: "answered", result, login };
      why = result.why;
      perhaps ||= result.perhaps === true;
      if (result.refused === "right") return { kind: "lacks", account: login, why, perhaps };
      token = await tokens.refused(person, client, used);
    }
    if (token.kind === "away") return { kind: "away", perhaps };
    return token.kind === "ended" && account !== undefined
      ? { kind: "ended", account, why, perhaps }
      : { kind: "none", perhaps };
  };

  return {
    fact: async (project, run, write, signal) => {
      const { asker } = run;
      const named = connectableOf(clients, project);
      if (named === null || !IN_NAME_WRITES.includes(write)) return null;
      const account = asker === undefined ? null : tokens.account(asker, named.client.host);
      if (asker === undefined || account === null) return { name: IN_NAME, value: PARLEY };
      const tried = await asPerson(named, asker, standingOf(project, write, signal));
      if (tried.kind === "ended") await askAgain(asker, run, endedText(named.client.host, named.client.kind));
      const isAble = tried.kind === "answered" || tried.kind === "away";
      return { name: IN_NAME, value: isAble ? account.login : unableText(account.login, project) };
    },
    deskFor: (project, desk, run, errand) => {
      const named = connectableOf(clients, project);
      if (named === null) return desk;
      const { client } = named;
      const { approved, asker } = errand;
      const persons = [...new Set([approved.by.id, ...(asker === null ? [] : [asker.id])])];

      const inName = async <T>(
        mark: WriteMarker | ApprovedWrite,
        write: Write<T>,
      ): Promise<ForgeResult<T>> => {
        const unable: Unable[] = [];
        let again = mark.again;
        for (const person of persons) {
          const tried = await asPerson(named, person, (one, perhaps) => write(one, again || perhaps));
          if (tried.kind === "answered") {
            await tellUnable(tried.result, tried.login, unable);
            return tried.result;
          }
          again ||= tried.perhaps;
          // Without an answer of the forge, nobody knows what an earlier try has written.
          if (tried.kind === "away")
            return { kind: "trouble", why: awayText(client.host), ...(again ? { perhaps: true } : {}) };
          if (tried.kind === "lacks" || tried.kind === "ended") unable.push(tried);
          if (tried.kind === "ended") await askAgain(person, run, endedText(client.host, client.kind));
        }
        // The operator's credential searches for the result of the tries before.
        const result = await write(desk, again);
        await tellUnable(result, PARLEY, unable);
        return result;
      };

      const tellUnable = async (
        { kind }: ForgeResult<unknown>,
        name: string,
        unable: readonly Unable[],
      ): Promise<void> => {
        if (kind === "trouble") return;
        for (const { account, why } of unable)
          await tellThread(run, {
            key: `${errand.key} ${account}`,
            text: unableLine(client.host, account, name),
            words: why,
          });
      };

      return {
        ...desk,
        fileIssue: (issue, mark, signal) =>
          inName(mark, (one, again) => one.fileIssue(issue, { ...mark, again }, signal)),
        comment: (target, text, mark, signal) =>
          inName(mark, (one, again) => one.comment(target, text, { ...mark, again }, signal)),
        label: (...given) => inName(errand, (one) => one.label(...given)),
        openPull: (pull, mark, signal) =>
          inName(mark, async (one, again) => {
            // The forge's refusal would name no reason that people understand.
            const standing =
              one === desk ? null : await standingOf(project, "open_pull_request", signal)(one, again);
            if (standing?.kind === "trouble" && standing.refused !== undefined) return standing;
            return one.openPull(pull, { ...mark, again }, signal);
          }),
      };
    },
    standing: async (project, person, signal) => {
      const named = connectableOf(clients, project);
      if (named === null || tokens.account(person, named.client.host) === null) return { kind: "none" };
      const tried = await asPerson(named, person, standingOf(project, "open_pull_request", signal));
      switch (tried.kind) {
        case "answered":
          return tried.result.kind === "found" ? { kind: "able", account: tried.login } : { kind: "unread" };
        case "lacks":
          return { kind: "lacks" };
        case "ended":
          return { kind: "none" };
        case "away":
          return { kind: "unread" };
        case "none":
          // A host that cannot open the tokens knows nothing about them.
          return { kind: tokens.account(person, named.client.host) === null ? "none" : "unread" };
      }
    },
    authorFor: ({ people }, { asker }) => {
      if (people === undefined || asker === null) return null;
      const account = tokens.account(asker.id, people.forge);
      return account === null ? null : { name: account.name, email: account.email };
    },
  };
};

/** `again`: whether an earlier try may have written. */
type Write<T> = (desk: ForgeWriter, again: boolean) => Promise<ForgeResult<T>>;

/** A person in whose name nothing was written, with the reason. */
interface Unable {
  readonly account: string;
  readonly why: string;
}

/** `perhaps`: the try may have written. */
type Tried<T> =
  | { readonly kind: "answered"; readonly result: ForgeResult<T>; readonly login: string }
  | ({ readonly kind: "lacks" | "ended"; readonly perhaps: boolean } & Unable)
  | { readonly kind: "none" | "away"; readonly perhaps: boolean };

interface Connectable {
  readonly client: ConnectClient;
  readonly deskOf: PersonalDesks["deskOf"];
}

const connectableOf = (clients: readonly ConnectClient[], { people }: InNameProject): Connectable | null => {
  const client = clients.find(({ host }) => host === people?.forge);
  return people === undefined || client === undefined ? null : { client, deskOf: people.deskOf };
};

/** Reads whether the forge lets the account write. */
const standingOf =
  ({ name }: InNameProject, write: MachineWrite, signal: AbortSignal): Write<null> =>
  async (desk) => {
    const read = await desk.repository(signal);
    if (read.kind === "trouble") return read;
    return write === "open_pull_request" && !read.value.mayPush
      ? { kind: "trouble", why: `The account may not push to ${name}.`, refused: "right" }
      : { kind: "found", value: null };
  };

/** The first token, and one that another host has renewed meanwhile. */
const MAX_TOKENS = 2;

/** Reviews and merges appear in the name of the operator's credential. */
const IN_NAME_WRITES: readonly MachineWrite[] = [
  "open_pull_request",
  "file_issue",
  "comment_on_issue",
  "label_issue",
];

const PARLEY = "Parley";
const IN_NAME = "in the name of the approver if connected, otherwise of";

const unableText = (login: string, { name }: InNameProject): string =>
  `${PARLEY}, because ${login} may not write to ${name}`;

const unableLine =
  (forge: string, account: string, name: string): LocalizedText =>
  (say) =>
    say("{forge} did not let {account} write here. The write appears in the name of {name}.", {
      forge,
      account,
      name,
    });

const expiredText = (host: string, account: string): string =>
  `${host} did not renew the connection of ${account}.`;

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
    standing: (...given) => opened.standing(...given),
    authorFor: (...given) => opened.authorFor(...given),
    open: (names) => {
      opened = names;
    },
  };
};
