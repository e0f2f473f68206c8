/** Commands carried out: what a person asks of the host in a thread, with the same rights as the buttons. */

import type { ConversationId } from "../../../machine/id.ts";
import type { Speaker } from "../../../machine/words.ts";
import type { ActRequest } from "../../../ports/bot.ts";
import type { Person } from "../../../ports/chat-platform.ts";
import { continueElsewhere } from "../continuation.ts";
import type { Answers, Asking, ChatDeps } from "../deps.ts";
import { outcomeText } from "../outcome-text.ts";
import {
  boundText,
  clockTime,
  helpText,
  mayNotBindText,
  modelsText,
  modesText,
  statusText,
  storageText,
} from "../reply-texts.ts";
import { changedRepos, reposText } from "./several.ts";
import { bind } from "./unbound.ts";
import { stepLines } from "../steps.ts";
import { budget, moneyLine } from "./budget.ts";
import { channel } from "./channels.ts";
import type { Command, RepoChange } from "./command.ts";
import { digest } from "./digest.ts";
import { instruct } from "./instruct.ts";
import { knowledge } from "./knowledge.ts";
import { manage } from "./manage.ts";
import { review } from "./review.ts";
import { rightsOf, speakerOf } from "./rights.ts";
import { watch } from "./watch.ts";
import { tools } from "./tools.ts";

/** Answers what to tell the person; null where the thread itself shows it. */
export const runCommand = async (
  deps: ChatDeps,
  command: Command,
  asking: Asking,
  conversation: ConversationId | null,
  person: Person,
): Promise<string | null> => {
  const speaker = speakerOf(deps.policy, person);
  switch (command.kind) {
    case "help":
      return helpText(deps.mention, deps.name, deps.say);
    case "repo":
      return repo(deps, command.change, asking, person);
    case "status":
      return conversation === null ? noConversation(deps) : status(deps, conversation, asking, person);
    case "budget":
      return budget(deps, command.change, asking, person);
    case "watch":
      return watch(deps, command, asking, person);
    case "instructions":
      return instruct(deps, command.change, asking, person);
    case "defaultMode":
    case "approvers":
    case "language":
      return channel(deps, command, asking, person);
    case "tools":
      return tools(deps, command.change, asking, person);
    case "knowledge":
      return knowledge(deps, command.change, asking, person);
    case "digest":
      return digest(deps, command.change, asking, person);
    case "review":
      return review(deps, command.change, asking, person);
    case "rename":
    case "archive":
    case "delete":
      return conversation === null ? noConversation(deps) : manage(deps, command, conversation, person);
    case "stop":
      return act(deps, conversation, { kind: "stop", by: speaker.id });
    case "restrict":
      return act(deps, conversation, { kind: "restrict", by: speaker.id });
    case "unrestrict":
      return act(deps, conversation, { kind: "unrestrict", by: speaker });
    case "retry":
      return act(deps, conversation, { kind: "retry", speaker });
    case "continue":
      return conversation === null
        ? noConversation(deps)
        : continueElsewhere(deps, conversation, "next", { speaker, person });
    case "mode":
      return mode(deps, command.mode, conversation, speaker);
    case "model":
      return conversation === null
        ? channel(deps, command, asking, person)
        : model(deps, command.model, conversation, speaker);
    case "safeMode":
      return command.on === null
        ? deps.say("Say `safe-mode on` or `safe-mode off`.")
        : act(deps, conversation, { kind: "safeMode", on: command.on, by: speaker });
  }
};

const repo: Answers<RepoChange | null> = async (deps, change, { place, direct }, person) => {
  const { name, store, repos } = deps;
  const bound = store.binding(name, place)?.repo ?? null;
  if (change === null) return reposText(bound, repos, deps.say);
  if (!direct && !rightsOf(deps.policy, person).mayBind) return deps.say(mayNotBindText);
  const changed = changedRepos(repos, bound, change);
  if (changed.kind === "refused") return changed.why(deps.say);
  const done = await bind(deps, place, changed.bound, person.id);
  if (done.kind === "failed") return storageText(done.message, deps.say);
  await deps.answerUnbound(place);
  return boundText(repos.nameOf(changed.bound) ?? changed.bound.location, `@${person.name}`, deps.say);
};

/** Without a name: what there is. */
const mode = (
  deps: ChatDeps,
  wanted: string | null,
  conversation: ConversationId | null,
  { id: by }: Speaker,
): Promise<string | null> | string =>
  wanted === null || !deps.modes.some(({ key }) => key === wanted)
    ? modesText(deps.modes, wanted, deps.say)
    : act(deps, conversation, { kind: "mode", mode: wanted, reason: "Asked for with a command.", by });

/** Without a name: which answers here, and what there is. */
const model = async (
  deps: ChatDeps,
  wanted: string | null,
  conversation: ConversationId,
  by: Speaker,
): Promise<string | null> => {
  if (wanted === null) {
    const now = (await deps.bot.read(conversation))?.state.model;
    const answers = now === undefined ? "" : `${deps.say("`{model}` answers here.", { model: now })} `;
    return `${answers}${modelsText(deps.models, null, deps.say)}`;
  }
  return deps.models.knows(wanted)
    ? act(deps, conversation, { kind: "model", model: wanted, by })
    : modelsText(deps.models, wanted, deps.say);
};

const status: Answers<ConversationId> = async (deps, conversation, asking, person) => {
  const detail = await deps.bot.read(conversation);
  if (detail === null) return noConversation(deps);
  const asked =
    detail.question === null
      ? null
      : deps.say("Waiting for an answer since {time}.", { time: clockTime(detail.question.askedAt) });
  const money = moneyLine(deps, asking, person, detail.state.usage.costMicroUsd);
  const [guidance, setUp] = await Promise.all([
    deps.bot.guidance(conversation),
    deps.bot.setUp(conversation),
  ]);
  const told = statusText(detail, asked, guidance, setUp, deps.say);
  const steps = stepLines(deps, conversation, detail.state);
  return [
    told,
    ...(money === null ? [] : [money]),
    ...(steps.length === 0 ? [] : [deps.say("Steps of the latest question:"), ...steps]),
  ].join("\n");
};

const act = async (
  deps: ChatDeps,
  conversation: ConversationId | null,
  request: ActRequest,
): Promise<string | null> =>
  conversation === null
    ? noConversation(deps)
    : outcomeText(await deps.bot.act(conversation, request), deps.say);

const noConversation = ({ mention, say }: ChatDeps): string =>
  say("There is no conversation in this thread. Begin one: {mention} and what you want to know.", {
    mention,
  });
