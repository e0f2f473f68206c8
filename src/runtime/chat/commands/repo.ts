import type { ChatDeps } from "../people/deps.ts";
import { boundText, mayNotBindText, storageText } from "../people/reply-texts.ts";
import { asInThread, type CommandContext, defineCommand } from "./define-command.ts";
import { allWords, type CommandWords } from "./options.ts";
import { changedRepos, type RepoChange, reposText } from "../../channels/channel-repositories.ts";
import { bind } from "./missing-repository.ts";

const NAME = allWords("name", "owner/name, add owner/name [as NAME], or remove NAME; needs Manage Server");

export const repoCommand = defineCommand({
  words: ["repo"],
  options: [NAME],
  read: (valueOf): RepoChange | null | undefined => {
    const words = valueOf(NAME);
    return words === null ? null : changeIn(words);
  },
  rights: {
    right: "mayBind",
    refusal: mayNotBindText,
    isFree: (change, { asking }) => change === null || asking.direct,
  },
  help: {
    does: "Show or choose this channel's repository and version (owner/name@branch-or-tag)",
    thread: "repo",
    channel:
      "`/parley repo [owner/name[@branch-or-tag]]` shows or chooses this channel's repository, `repo add owner/name [as NAME]` and `repo remove NAME` add or remove further ones",
    before: { channel: "status" },
  },
  slash: asInThread,
  run: ({ deps, asking: { place }, person }, change) => {
    const bound = deps.store.binding(deps.name, place)?.repo ?? null;
    return change === null
      ? reposText(bound, deps.repos, deps.say)
      : chooseRepo(deps, change, place, bound, person);
  },
});

/** Parses `owner/name`, `add owner/name`, `add owner/name as NAME`, `remove NAME`. */
const changeIn = ({ words, typed }: CommandWords): RepoChange | undefined => {
  const [verb, , as, folder, ...more] = words;
  const [name = "", other, , called] = typed;
  if (other === undefined) return { what: "choose", repo: name };
  const isNamed = as === "as" && folder !== undefined && more.length === 0;
  if (verb === "add" && (as === undefined || isNamed))
    return { what: "add", repo: other, as: called ?? null };
  return verb === "remove" && as === undefined ? { what: "remove", name: other } : undefined;
};

const chooseRepo = async (
  deps: ChatDeps,
  change: RepoChange,
  place: string,
  bound: Parameters<typeof changedRepos>[1],
  person: CommandContext["person"],
): Promise<string> => {
  const { repos, say } = deps;
  const changed = changedRepos(repos, bound, change);
  if (changed.kind === "refused") return changed.why(say);
  const done = await bind(deps, place, changed.bound, person.id);
  if (done.kind === "failed") return storageText(done.message, say);
  await deps.answerUnbound(place);
  return boundText(repos.nameOf(changed.bound) ?? changed.bound.location, `@${person.name}`, say);
};
