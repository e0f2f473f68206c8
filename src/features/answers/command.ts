/**
 * `review`: whether maintainers review the answers of a channel before they are posted, and in which channel. Everybody can see
 * the setting; people of PARLEY_APPROVERS can change it, for later questions.
 */

import type { Person } from "../../ports/chat-platform.ts";
import { whyOf } from "../../ports/surface.ts";
import { sayIn } from "../../i18n/languages.ts";
import type { Label } from "../../i18n/say.ts";
import type { RequestingPerson, ChatDeps } from "../../runtime/chat/people/deps.ts";
import { placeIn } from "../../runtime/channels/channel-settings.ts";
import { keepSettings, MAY_NOT, settingsAt } from "../../runtime/chat/commands/channels.ts";
import { asInThread, type Command, defineCommand } from "../../runtime/chat/commands/define-command.ts";
import { choiceOption, namedOption } from "../../runtime/chat/commands/options.ts";

const CHANGE = choiceOption("change", "on or off; leave empty to see the current setting", "on", "off");
const CHANNEL = namedOption("channel", "Review channel of the maintainers, as #channel", (typed) => typed);

/** `channel` as it was typed. */
type ReviewChange = { readonly what: "on"; readonly channel: string } | { readonly what: "off" };

export const reviewCommand: Command = defineCommand({
  words: ["review"],
  options: [CHANGE, CHANNEL],
  read: (valueOf): ReviewChange | null | undefined => {
    const [what, channel] = [valueOf(CHANGE), valueOf(CHANNEL)];
    if (what === null) return null;
    if (what === "off") return channel === null ? { what } : undefined;
    return channel === null ? undefined : { what, channel };
  },
  rights: { right: "mayManage", refusal: MAY_NOT, isFree: (change) => change === null },
  help: {
    does: "Answer review in this channel; only host approvers can change the review",
    channel:
      "`/parley review [on #channel|off]` shows or sets where maintainers review answers before they are posted",
    before: { channel: "watches", menu: "watches" },
  },
  slash: asInThread,
  run: ({ deps, asking, person }, change) =>
    change === null
      ? shown(deps, settingsAt(deps, asking.place).review, asking.place)
      : changeReview(deps, change, asking, person),
});

const changeReview = async (
  deps: ChatDeps,
  change: ReviewChange,
  asking: RequestingPerson,
  person: Person,
): Promise<string> => {
  const { place, direct } = asking;
  if (direct)
    return deps.say("Answer review does not apply to direct messages. Use this command in a channel.");
  const to = change.what === "off" ? null : placeIn(deps.forms, change.channel);
  const refused = change.what === "off" ? null : await refusal(deps, to, place, person);
  if (refused !== null) return refused;
  return (await keepSettings(deps, { review: to }, asking, person)) ?? shown(deps, to, place);
};

/**
 * Returns the reason why the channel cannot be used. A test message announces the answers there, which proves that Parley can
 * write to the channel.
 */
const refusal = async (
  { forms, platform, cards, readName, clock, languageAt, say }: ChatDeps,
  to: string | null,
  place: string,
  person: Person,
): Promise<string | null> => {
  if (to === null) return say(forms.noChannel ?? "Your entry is not the name of a channel.");
  if (to === place)
    return say(
      "Unreviewed answers would be visible in the channel of the question. Name another channel, for example the maintainers' own.",
    );
  const [named, here, there] = await Promise.all([
    readName(to),
    platform.audience(place),
    platform.audience(to),
  ]);
  if (named.kind === "gone")
    return say("I cannot see that channel: {why} Invite me to it, then use the command again.", {
      why: say.stored(named.why),
    });
  if (here === "private" && there === "public")
    return say(
      "Questions from this private channel would be shown in a public channel. Name a private channel.",
    );
  const from = await readName(place);
  const sayThere = sayIn(languageAt(to));
  const source = from.kind === "named" ? from.name : sayThere("another channel");
  const told = await cards.show(to, {
    id: `review/${place}/${clock.now()}`,
    content: {
      tone: "notice",
      lead: sayThere(
        "Answers to questions in {source} are sent here before they are posted ({person} turned the review on). Approvers of that channel send, edit or discard the answers.",
        { source: safe(source), person: safe(person.name) },
      ),
      text: "",
      buttons: [],
    },
    edits: null,
  });
  return told.kind === "done"
    ? null
    : say("I cannot write in that channel ({why}). Invite me to it, then use the command again.", {
        why: say.stored(whyOf(told)),
      });
};

/** Names are untrusted text. */
const safe = (name: string): string => name.replaceAll(/[^\p{L}\p{N}\p{M} #._-]/gu, "_").slice(0, 80);

const shown = async (
  { readName, store, name, say }: ChatDeps,
  review: string | null,
  place: string,
): Promise<string> => {
  const held = store.waiting(name).filter((one) => one.place === place && one.type === "answer").length;
  const waits =
    held === 0
      ? ""
      : ` ${say(
          held === 1
            ? "{count} answer waits for review until an approver decides."
            : "{count} answers wait for review until an approver decides.",
          { count: held },
        )}`;
  if (review === null)
    return `${say("Answers in this channel are posted without review.")}${waits} ${say(HOW)}`;
  const named = await readName(review);
  const where = named.kind === "named" ? named.name : review;
  return `${say("Answers in this channel are reviewed in {where} before they are posted.", { where })}${waits} ${say("`/parley review off` turns the review off.")}`;
};

const HOW: Label =
  "`/parley review on #channel` lets approvers review each answer in that channel before it is posted.";
