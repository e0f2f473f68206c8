/** What is told of a question that waits: its answers, who asks, what an approval covers. */

import type { PersonId } from "../machine/id.ts";
import { given } from "../text/given.ts";
import type { Label, Say } from "../i18n/say.ts";
import { isRefused, type State } from "../machine/state.ts";
import { type Ask, type Choice, offeredBy, type Untrusted } from "../machine/words.ts";

/** What Unrestricted is in one conversation on one host. */
export interface Cover {
  /** Why an approval would give nothing; null where it gives what follows. */
  readonly refused: string | null;
  readonly confined: boolean;
  /** `asked`: safe mode asks for it separately. */
  readonly network: "none" | "asked" | "open";
}

/** As the question's buttons stand: what would give nothing is not offered. */
export const answersTo = (state: State, ask: Ask): readonly Choice[] =>
  offeredBy(ask).filter(
    (choice) =>
      !(ask.kind === "upgrade" && choice === "approve" && isRefused(state)) &&
      !(ask.kind === "result" && choice === "pull_request" && !ask.pull),
  );

/** How many commits of a draft can be applied without the rest. */
export const batchesOf = (ask: Ask | undefined): readonly number[] =>
  ask?.kind === "result" ? Array.from({ length: (ask.commits ?? 1) - 1 }, (_, index) => index + 1) : [];

export const coverOf = ({ offer, confinement, safeMode }: State): Cover => ({
  refused: offer?.refused ?? null,
  confined: confinement === "enforced",
  network: offer?.network === false ? "none" : safeMode ? "asked" : "open",
});

/** Whoever said so by command or is a request's, else whose turn it is. */
export const saidBy = ({ turn }: Pick<State, "turn">, ask?: Ask): { readonly asker?: PersonId } => {
  const by = ask?.kind === "upgrade" ? ask.from?.by : undefined;
  return given({ asker: by ?? turn.speaker?.id });
};

export const readOf = ({ untrusted }: Pick<State, "untrusted">): { readonly untrusted?: Untrusted } =>
  given({ untrusted });

/** What an approval of the upgrade gives, true for the conversation and the host. */
export const coverText = (cover: Cover | undefined, say: Say): string => {
  const { refused, confined, network } = cover ?? USUAL;
  if (refused !== null) return say("Approving this would have no effect. {why}", { why: refused });
  return say(
    confined
      ? NETWORK[network]
      : "After approval, Parley can change anything on this host until a person restricts this thread again, because the kernel does not confine the commands.",
  );
};

const USUAL: Cover = { refused: null, confined: true, network: "asked" };

const NETWORK: Readonly<Record<Cover["network"], Label>> = {
  none: "After approval, Parley can change files in its own copy, without a network, until a person restricts this thread again. Parley still cannot read this host's secrets or other threads.",
  asked:
    "After approval, Parley can change files in its own copy until a person restricts this thread again. Parley asks separately before it uses the network. Parley still cannot read this host's secrets or other threads.",
  open: "After approval, Parley can change files in its own copy and use the network, as far as the operator allows, until a person restricts this thread again. Parley still cannot read this host's secrets or other threads.",
};
