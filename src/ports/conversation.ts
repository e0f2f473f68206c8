import { familyOf } from "../machine/agent.ts";
import type { ConversationId, Millis, PersonId } from "../machine/id.ts";
import type { Instructions } from "./channels.ts";

/** Data that is constant for a conversation's life (BED-010), besides its state. */
export interface Conversation {
  readonly id: ConversationId;
  readonly surface: string;
  readonly title: string;
  /** Server of the conversation's channel; absent if there is none or if it is unknown. */
  readonly server?: string;
  readonly repo: RepositoryBinding;
  readonly createdBy: PersonId;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
  /** Hash of the frozen system prompt and tools (D16). */
  readonly prefix: string;
  /** Set once, when the checkout is first made; null before. */
  readonly base: Base | null;
  readonly origin: ConversationOrigin | null;
  readonly archived?: true;
  /** Instructions of the channel at the start of the conversation. */
  readonly instructions?: Instructions;
  /** Set for the first conversation of a channel, whose first answer says what the channel works on. */
  readonly introduces?: true;
  /** Person who renamed the conversation; absent if its first message is the title. */
  readonly titledBy?: PersonId;
}

export type ListState = "listed" | "archived";

export interface ConversationOrigin {
  readonly conversation: ConversationId;
  /** `branch`: a new thread for another work mode (D16). `continuation`: the context of the origin was exhausted. */
  readonly why: "branch" | "continuation";
}

/** A thread of a chat platform: the channel, and the thread's first message. */
export interface Place {
  readonly place: string;
  readonly root: string;
  /** Server of the channel; absent on platforms with only one server, and if the platform provides none. */
  readonly server?: string;
  /** Conversation that previously had the thread. Later messages belong to the new conversation. */
  readonly after?: ConversationId;
}

/** Source of a repository: a local path (console only), or an https or ssh URL without credentials. */
export interface Repo {
  readonly kind: "path" | "url";
  readonly location: string;
  /** Branch or tag that conversations work on; the default branch if absent. */
  readonly ref?: string;
}

const SCP_LIKE = /^([A-Za-z0-9._-]+)@([A-Za-z0-9._-]+):(?!\/\/)(.+)$/;

/** Parses an https or ssh URL or `user@host:path`, as git does; null for everything else. */
export const repoUrl = (location: string): URL | null => {
  const [, user, host, path = ""] = (location.includes("://") ? null : SCP_LIKE.exec(location)) ?? [];
  const url = URL.parse(user === undefined ? location : `ssh://${user}@${host}/${path.replace(/^\/+/, "")}`);
  return url?.protocol === "https:" || url?.protocol === "ssh:" ? url : null;
};

export const projectPath = ({ pathname }: URL): string =>
  pathname.replace(/^\/+|\/+$/g, "").replace(/\.git$/, "");

/** Returns the host of the project's web pages, without a port of ssh. */
export const pageHost = ({ protocol, hostname, host }: URL): string =>
  protocol === "ssh:" ? hostname : host;

/** Returns the address of the project's web pages, such as `github.com/acme/shop`; null if there is none. */
export const webRoot = (location: string): string | null => {
  const url = repoUrl(location);
  return url === null || projectPath(url) === "" ? null : `${pageHost(url)}/${projectPath(url)}`;
};

/** One of several repositories. Its folder's name is the first part of every path in it. */
export interface NamedRepo extends Repo {
  readonly name: string;
}

export interface RepositoryBinding extends Repo {
  /** Absent if the repository is the only one. */
  readonly name?: string;
  readonly beside?: readonly NamedRepo[];
}

export const MOST_REPOS = 10;

/** Empty for a single repository. */
export const severalOf = ({ name, beside = [], ...first }: RepositoryBinding): readonly NamedRepo[] =>
  name === undefined ? [] : [{ ...first, name }, ...beside];

export const reposOf = (bound: RepositoryBinding): readonly Repo[] => [bound, ...(bound.beside ?? [])];

export const locationsOf = (bound: RepositoryBinding): string =>
  reposOf(bound)
    .map(({ location }) => location)
    .join(", ");

export const boundTo = ([first, ...beside]: readonly NamedRepo[]): RepositoryBinding | null => {
  if (first === undefined) return null;
  const { name: _, ...alone } = first;
  return beside.length === 0 ? alone : { ...first, beside };
};

export interface Base extends At {
  /** The working directory as the agent sees it. */
  readonly cwd: string;
  /** Name of the first opened repository, if there are several. `commit` belongs to that repository. */
  readonly name?: string;
  readonly beside?: readonly (At & { readonly name: string })[];
  /** Repositories that could not be opened, each with a one-sentence reason. */
  readonly missing?: readonly { readonly name: string; readonly why: string }[];
}

interface At {
  readonly commit: string;
  readonly ref: string;
}

export interface RepositoryFolder extends At {
  readonly name: string;
  readonly repo: Repo;
  readonly index: number;
}

/** Empty for a single repository or before the first checkout. */
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

/** A sub-agent uses its parent's workspace. */
export const workspaceOf = (id: ConversationId, index: number): ConversationId =>
  index === 0 ? familyOf(id) : `${familyOf(id)}-beside-${index}`;

/** Returns the conversation that a workspace belongs to. */
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
