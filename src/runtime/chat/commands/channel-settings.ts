import type { ChannelOverrides } from "../../../ports/channels.ts";
import { type Label, LANGUAGES, type Sentence } from "../../../i18n/say.ts";
import type { ChatDeps } from "../people/deps.ts";
import { approversText, modesText } from "../people/reply-texts.ts";
import { approverIn, MOST_APPROVERS } from "../../channels/channel-settings.ts";
import { changeSettings, MAY_NOT, orSettings, settingsAt } from "./channels.ts";
import { type CommandContext, defineCommand } from "./define-command.ts";
import { choiceOption, namedOption, wordOption } from "./options.ts";
import { requiresTwoPeople, approverIdsOf, rightsOf } from "../people/rights.ts";

const MODE = wordOption("name", "Key of the mode, or none; only host approvers can change the mode");

export const defaultMode = defineCommand({
  words: ["default-mode"],
  options: [MODE],
  read: (valueOf) => valueOf(MODE),
  rights: { right: "mayManage", refusal: MAY_NOT, isFree: (wanted) => wanted === null },
  help: {
    does: "Show or set the work mode of new conversations in this channel",
    channel: "`/parley default-mode [NAME|none]` shows or sets the work mode of new conversations here",
  },
  slash: orSettings,
  run: (context, wanted) => changeSettings(context, modeChange(context.deps, wanted), modeText),
});

const modeChange = ({ modes, say }: ChatDeps, wanted: string | null) => {
  if (wanted === null) return null;
  if (wanted === "none") return { mode: null };
  return modes.some(({ key }) => key === wanted) ? { mode: wanted } : modesText(modes, wanted, say);
};

const modeText = ({ modes, say }: ChatDeps, { mode }: ChannelOverrides): string => {
  const usual =
    modes[0] === undefined ? "" : ` ${say("Set a default mode: `default-mode NAME`, or `none`.")}`;
  return mode === null
    ? `${say("New conversations in this channel start in the usual work mode.")}${usual}`
    : `${say("New conversations in this channel start in the work mode `{mode}`.", { mode })}${usual}`;
};

const CODE = wordOption(
  "code",
  "en, de, es, ja, zh or auto; only host approvers can change the language",
  /^[a-z]{2}$|^auto$/,
);

export const language = defineCommand({
  words: ["language"],
  options: [CODE],
  read: (valueOf) => valueOf(CODE),
  rights: { right: "mayManage", refusal: MAY_NOT, isFree: (wanted) => wanted === null },
  help: {
    does: "Show or set the language that Parley speaks in this channel",
    channel: "`/parley language [en|de|es|ja|zh|auto]` shows or sets my language in this channel",
  },
  slash: orSettings,
  run: (context, wanted) => changeSettings(context, languageChange(context.deps, wanted), languageText),
});

const languageChange = ({ say }: ChatDeps, wanted: string | null) => {
  if (wanted === null) return null;
  if (wanted === "auto") return { language: null };
  const known = LANGUAGES.find((one) => one === wanted);
  return known === undefined
    ? say("Your choice is not one of {languages}.", { languages: CODES })
    : { language: known };
};

const languageText = ({ say }: ChatDeps, { language: own }: ChannelOverrides): string => {
  const now = say("Here I speak English.");
  const how = say("Set another: {languages}.", { languages: CODES });
  return own === null ? `${now} ${say("No choice was made for this channel.")} ${how}` : `${now} ${how}`;
};

const CODES = [...LANGUAGES, "auto"].map((one) => `\`language ${one}\``).join(", ");

const CHANGE = choiceOption("change", "What to do", "add", "remove");
const WHO = namedOption("who", "Mention of a person or a role", (typed) =>
  /^[<@]/.test(typed) ? typed : undefined,
);

interface ApproverChange {
  readonly add: boolean;
  readonly who: string;
}

export const approvers = defineCommand({
  words: ["approvers"],
  options: [CHANGE, WHO],
  read: (valueOf): ApproverChange | null | undefined => {
    const [change, who] = [valueOf(CHANGE), valueOf(WHO)];
    if (change === null) return null;
    return who === null ? undefined : { add: change === "add", who };
  },
  rights: { right: "mayManage", refusal: MAY_NOT, isFree: (change) => change === null },
  help: {
    does: "The channel's own approvers; only host approvers can change this list",
    channel: "`/parley approvers [add|remove @person]` shows the approvers, or changes this channel's own",
    before: { menu: "budget" },
  },
  slash: async (call) =>
    call.rest.trim() === "" ? allApprovers(call.context, await call.run(null)) : orSettings(call),
  run: (context, change) => changeSettings(context, approverChange(context, change), approverText),
});

const approverChange = ({ deps, asking }: CommandContext, change: ApproverChange | null) => {
  if (change === null) return null;
  const { forms, say } = deps;
  const who = approverIn(forms, change.who);
  if (who === null) return say(NOBODY);
  const others = settingsAt(deps, asking.place).approvers.filter((one) => one !== who);
  if (!change.add) return { approvers: others };
  return others.length < MOST_APPROVERS
    ? { approvers: [...others, who] }
    : say(FULL, { count: MOST_APPROVERS });
};

const approverText = async (
  { platform, say }: ChatDeps,
  { approvers: own }: ChannelOverrides,
): Promise<string> => {
  const names = await Promise.all(own.map((one) => platform.label(one.replace(/^\w+:/, ""))));
  return names.length === 0
    ? say("This channel has only the host approvers. Add an approver: `approvers add @person`.")
    : say(
        "Approvers of this channel, besides the host approvers: {names}. These approvers decide questions in the channel's threads.",
        {
          names: names.join(", "),
        },
      );
};

const allApprovers = async ({ deps, asking, person }: CommandContext, own: string): Promise<string> => {
  const { policy, platform, say } = deps;
  const names = await Promise.all(approverIdsOf(policy.approvers).map(platform.label));
  const you = say(rightsOf(policy, person).mayApprove ? "You may." : "You may not.");
  const two = requiresTwoPeople(policy, asking.direct)
    ? ` ${say("People can't approve their own requests.")}`
    : "";
  return `${approversText(deps, names)} ${you}${two}\n${own}`;
};

const NOBODY: Label =
  "Nobody here matches your entry. Use `approvers add @person`, or mention a group or role.";
const FULL =
  "A channel can list at most {count} approvers. Use a group or a role instead." satisfies Sentence;
