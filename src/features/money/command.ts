/**
 * `budget`: shows limits and spending to approvers, and to other people the used share of their own budget. Figures are shown
 * only if no other person can read them.
 */

import type { Person } from "../../ports/chat-platform.ts";
import {
  channelScope,
  type MicroUsd,
  personScope,
  renewal,
  type Scope,
  serverScope,
  type BudgetUsage,
} from "../../ports/money.ts";
import type { Addressee } from "../../ports/surface.ts";
import type { MoneyContext } from "./open.ts";
import { kindOf } from "./scopes.ts";
import { dollars } from "../../text/dollars.ts";
import type { Label, Say } from "../../i18n/say.ts";
import type { RequestingPerson, ChatDeps } from "../../runtime/chat/people/deps.ts";
import { durationText } from "../../thread/durations.ts";
import { storageText } from "../../runtime/chat/people/reply-texts.ts";
import { asInThread, type Command, defineCommand } from "../../runtime/chat/commands/define-command.ts";
import { namedOption, typedWord } from "../../runtime/chat/commands/options.ts";
import { surfacePersonId, rightsOf, speakerOf } from "../../runtime/chat/people/rights.ts";

const MAY_NOT: Label = "Only host approvers (PARLEY_APPROVERS) can set budgets here. Ask one of them.";
const OF = namedOption("of", "Whose budget to set: channel, server or a person (@name)", (typed) =>
  payer(typed.normalize("NFKC")),
);
const DOLLARS = typedWord("dollars", "US dollars a day, or none", (typed) =>
  amountIn(typed.normalize("NFKC")),
);

interface BudgetChange {
  /** Platform id of a person, or the shared budget of the channel or server. */
  readonly of: "channel" | "server" | { readonly person: string };
  /** Dollars per day; `none` for no limit. */
  readonly dollars: number | "none";
}

export const budgetCommand = (own: () => MoneyContext): Command =>
  defineCommand({
    words: ["budget"],
    options: [OF, DOLLARS],
    read: (valueOf): BudgetChange | null => {
      const [of, amount] = [valueOf(OF), valueOf(DOLLARS)];
      return of === null || amount === null ? null : { of, dollars: amount };
    },
    rights: { right: "mayManage", refusal: MAY_NOT, isFree: (change) => change === null },
    help: {
      does: "Today's model budget here; only host approvers can change the budget",
      thread: "budget",
      channel: "`/parley budget [channel|server|@person DOLLARS]` shows or sets model budgets",
      before: { thread: "instructions", channel: "instructions", menu: "instructions" },
    },
    slash: asInThread,
    statusLine: ({ deps, asking, person }, { usage }) =>
      moneyLine(own(), deps, asking, person, usage.costMicroUsd),
    run: ({ deps, asking, person }, change) =>
      change === null ? shown(own(), deps, asking, person) : set(own(), deps, change, asking, person),
  });

const payer = (who: string): BudgetChange["of"] | undefined => {
  const one = who.toLowerCase();
  if (one === "channel") return "channel";
  if (one === "server" || one === "workspace") return "server";
  const person = /^(?:<@!?(\w+)(?:\|[^>]*)?>|@(U\w+|W\w+|\d{15,25}))$/.exec(who);
  const id = person?.[1] ?? person?.[2];
  return id === undefined ? undefined : { person: id };
};

const amountIn = (typed: string): BudgetChange["dollars"] | undefined => {
  if (/^none\.?$/i.test(typed)) return "none";
  const amount = /^\$?(\d{1,6}(?:\.\d{1,2})?)\.?$/.exec(typed)?.[1];
  return amount === undefined ? undefined : Number(amount);
};

const shown = (own: MoneyContext, deps: ChatDeps, asking: Addressee, person: Person): string => {
  const { mayManage } = rightsOf(deps.policy, person);
  const standings = standingsOf(own, deps, asking, person);
  return mayManage && deps.platform.isPrivate(asking)
    ? `${figures(standings, deps.say)}\n${renews(deps)} ${deps.say("Set a budget: `budget channel 20`, `budget server 50`, `budget @person 5`, or `none` instead of the amount.")}`
    : `${share(standings, deps.say)} ${renews(deps)}${mayManage ? ` ${deps.say(ELSEWHERE)}` : ""}`;
};

/** Figures for approvers in the status of a thread; null if other people would also read them. */
const moneyLine = (
  own: MoneyContext,
  deps: ChatDeps,
  asking: Addressee,
  person: Person,
  cost: MicroUsd,
): string | null =>
  rightsOf(deps.policy, person).mayManage && deps.platform.isPrivate(asking)
    ? `${deps.say("This conversation: {cost}", { cost: dollars(cost) })}\n${figures(standingsOf(own, deps, asking, person), deps.say)}`
    : null;

const set = async (
  { budgets }: MoneyContext,
  deps: ChatDeps,
  { of, dollars: amount }: BudgetChange,
  asking: RequestingPerson,
  person: Person,
): Promise<string> => {
  const { name, platform, say } = deps;
  const scope: Scope =
    of === "channel"
      ? channelScope(name, asking.place)
      : of === "server"
        ? serverScope(name, platform.server)
        : personScope(surfacePersonId(name, of.person));
  const most = amount === "none" ? null : Math.round(amount * 1_000_000);
  const done = await budgets.set(scope, most, surfacePersonId(name, person.id));
  if (done.kind === "failed") return storageText(done.message, say);
  const whose = whoseText(of, say);
  return most === null
    ? say(
        "The budget of {whose} no longer has its own limit. All other budgets still apply, above all the host's.",
        { whose },
      )
    : say(
        "The budget of {whose} is set to {amount} a day. All other budgets still apply, above all the host's.",
        {
          whose,
          amount: dollars(most),
        },
      );
};

const whoseText = (of: BudgetChange["of"], say: Say): string => {
  if (of === "channel") return say("this channel");
  return of === "server" ? say("this server") : `\`${of.person}\``;
};

const standingsOf = (
  { budgets }: MoneyContext,
  deps: ChatDeps,
  { place }: Addressee,
  person: Person,
): readonly BudgetUsage[] =>
  budgets.standings({
    speaker: speakerOf(deps.policy, person),
    surface: deps.name,
    place,
    server: deps.platform.server,
  });

const figures = (standings: readonly BudgetUsage[], say: Say): string =>
  say("Spent today: {figures}.", {
    figures: standings
      .map(({ scope, spent, most }) =>
        say("{whose} {spent} of {most}", {
          whose: say(NAMES[kindOf(scope)]),
          spent: dollars(spent),
          most: most === null ? say("no limit") : dollars(most),
        }),
      )
      .join(" · "),
  });

/** The highest used share of all budgets, because people only need to know whether any money is left. */
const share = (standings: readonly BudgetUsage[], say: Say): string => {
  const used = standings.map(({ most, spent }) => (most === null ? 0 : most === 0 ? 1 : spent / most));
  return say("You have used {percent} % of your model budget here for today.", {
    percent: Math.min(100, Math.round(100 * Math.max(0, ...used))),
  });
};

const renews = ({ clock, say }: ChatDeps): string =>
  say("The budget renews at 00:00 UTC, in {time}.", {
    time: durationText(renewal(clock.now()) - clock.now(), say),
  });

const NAMES: Readonly<Record<ReturnType<typeof kindOf>, Label>> = {
  person: "you",
  channel: "this channel",
  server: "this server",
  day: "the host",
};

const ELSEWHERE: Label = "Budget figures are shown only in private replies: `/parley budget`.";
