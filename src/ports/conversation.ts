/** What is known of a conversation beside its state, and what it works on. */

import { familyOf } from "../machine/agent.ts";
import type { ConversationId, Millis, PersonId } from "../machine/id.ts";
import type { Instructions } from "./channels.ts";

/** What stays the same for a conversation's life (BED-010), beside its state. */
export interface Conversation {
  readonly id: ConversationId;
  readonly surface: string;
  readonly title: string;
  /** The server that its channel belongs to; absent where there is none, or it is not known. */
  readonly server?: string;
  readonly repo: RepositoryBinding;
  readonly createdBy: PersonId;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
  /** Hash of the frozen system prompt and tools (D16). */
  readonly prefix: string;
  /** Set once, when the checkout is first made; null before. */
  readonly base: Base | null;
  /** The conversation that this one was opened from. */
  readonly origin: ConversationOrigin | null;
  readonly archived?: true;
  /** Those that its channel had when it began; absent where there were none. */
  readonly instructions?: Instructions;
  /** The first of its channel: its first answer says what the channel works on. */
  readonly introduces?: true;
  /** Whoever renamed it; absent where its first message named it. */
  readonly titledBy?: PersonId;
}

/** Those that people see, or those that they have put away. */
export type ListState = "listed" | "archived";

export interface ConversationOrigin {
  readonly conversation: ConversationId;
  /** `branch`: a person chose to go on in another work mode there (D16). `continuation`: its context was exhausted. */
  readonly why: "branch" | "continuation";
}

/** A thread of a chat platform: the channel, and the message that the thread hangs on. */
export interface Place {
  readonly place: string;
  readonly root: string;
  /** The server that the channel belongs to; absent where the platform knows one alone, or does not tell. */
  readonly server?: string;
  /** The conversation that gives the place up: what is said there from then on is said to the new one. */
  readonly after?: ConversationId;
}

/** Where a repository comes from: a local path (the console's only) or an https or ssh URL without credentials. */
export interface Repo {
  readonly kind: "path" | "url";
  readonly location: string;
  /** The branch or tag that conversations work on; absent: the default branch. */
  readonly ref?: string;
}

const SCP_LIKE = /^([A-Za-z0-9._-]+)@([A-Za-z0-9._-]+):(?!\/\/)(.+)$/;

/** Where an address leads, as git takes it: of an https or ssh URL, or of `user@host:path`; null for everything else. */
export const repoUrl = (location: string): URL | null => {
  const [, user, host, path = ""] = (location.includes("://") ? null : SCP_LIKE.exec(location)) ?? [];
  const url = URL.parse(user === undefined ? location : `ssh://${user}@${host}/${path.replace(/^\/+/, "")}`);
  return url?.protocol === "https:" || url?.protocol === "ssh:" ? url : null;
};

/** The project's path on its host: without `.git`, and without slashes at either end. */
export const projectPath = ({ pathname }: URL): string =>
  pathname.replace(/^\/+|\/+$/g, "").replace(/\.git$/, "");

/** The host of the project's pages: a port of ssh is none of theirs. */
export const pageHost = ({ protocol, hostname, host }: URL): string =>
  protocol === "ssh:" ? hostname : host;

/** `github.com/acme/shop`, as the project's pages are addressed; null for what leads to none. */
export const webRoot = (location: string): string | null => {
  const url = repoUrl(location);
  return url === null || projectPath(url) === "" ? null : `${pageHost(url)}/${projectPath(url)}`;
};

/** One of several: its folder's name, the first part of every path in it. */
export interface NamedRepo extends Repo {
  readonly name: string;
}

/** What a channel or a conversation works on: one repository, or several, the others beside the first. */
export interface RepositoryBinding extends Repo {
  /** Absent where it is alone. */
  readonly name?: string;
  readonly beside?: readonly NamedRepo[];
}

/** Repositories of a channel. */
export const MOST_REPOS = 10;

/** The several of a channel or a conversation; none where it has one alone. */
export const severalOf = ({ name, beside = [], ...first }: RepositoryBinding): readonly NamedRepo[] =>
  name === undefined ? [] : [{ ...first, name }, ...beside];

/** All of them, however many. */
export const reposOf = (bound: RepositoryBinding): readonly Repo[] => [bound, ...(bound.beside ?? [])];

/** Their locations in one line. */
export const locationsOf = (bound: RepositoryBinding): string =>
  reposOf(bound)
    .map(({ location }) => location)
    .join(", ");

/** What they are together; null where there are none. */
export const boundTo = ([first, ...beside]: readonly NamedRepo[]): RepositoryBinding | null => {
  if (first === undefined) return null;
  const { name: _, ...alone } = first;
  return beside.length === 0 ? alone : { ...first, beside };
};

export interface Base extends At {
  /** The working directory as the agent sees it. */
  readonly cwd: string;
  /** Where it has several: the first that could be opened, which the commit is of. */
  readonly name?: string;
  readonly beside?: readonly (At & { readonly name: string })[];
  /** Those that could not be opened, each with why, one sentence. */
  readonly missing?: readonly { readonly name: string; readonly why: string }[];
}

interface At {
  readonly commit: string;
  /** Branch or tag that named the commit. */
  readonly ref: string;
}

/** A repository beside others in a conversation's checkout. */
export interface RepositoryFolder extends At {
  readonly name: string;
  readonly repo: Repo;
  /** Its position in what the conversation is bound to. */
  readonly index: number;
}

/** Those that the conversation's checkout has; none where it has one repository alone, or no checkout yet. */
export const foldersOf = ({
  repo,
  base,
}: Pick<Conversation, "repo" | "base">): readonly RepositoryFolder[] => {
  if (base?.name === undefined) return [];
  const open = new Map([{ ...base, name: base.name }, ...(base.beside ?? [])].map((one) => [one.name, one]));
  return severalOf(repo).flatMap(({ name, ...plain }, index) => {
    const at = open.get(name);
    return at === undefined ? [] : [{ name, repo: plain, commit: at.commit, ref: at.ref, index }];
  });
};

/** The workspace of a conversation's `index`th repository; a sub-agent's is its parent's. */
export const workspaceOf = (id: ConversationId, index: number): ConversationId =>
  index === 0 ? familyOf(id) : `${familyOf(id)}-beside-${index}`;

/** Whose workspace it is. */
export const ownerOf = (id: ConversationId): ConversationId => {
  const [, owner] = /^c-(.+)-beside-\d$/.exec(id) ?? [];
  return owner === undefined ? id : `c-${owner}`;
};

/** System prompt and tools, byte-stable for the conversation's life so that the provider's cache hits (BED-017). */
export interface Prefix {
  readonly hash: string;
  readonly system: string;
  readonly tools: readonly ToolSpec[];
}

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}
