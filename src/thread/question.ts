/** What is told of a question that waits: its answers, who asks, what an approval covers. */

import type { PersonId } from "../machine/id.ts";
import { omitUndefined } from "../text/given.ts";
import type { Label, Say } from "../i18n/say.ts";
import { isRefused, type State } from "../machine/state.ts";
import { type QuestionSpec, type Choice, offeredBy, type UntrustedContent } from "../machine/words.ts";

/** What Unrestricted is in one conversation on one host. */
export interface UnrestrictedCover {
  /** Why an approval would give nothing; null where it gives what follows. */
  readonly refused: string | null;
  readonly confined: boolean;
  /** `asked`: safe mode asks for it separately. */
  readonly network: "none" | "asked" | "open";
}

/** As the question's buttons stand: what would give nothing is not offered. */
export const answersTo = (state: State, ask: QuestionSpec): readonly Choice[] =>
  offeredBy(ask).filter(
    (choice) =>
      !(ask.kind === "upgrade" && choice === "approve" && isRefused(state)) &&
      !(ask.kind === "result" && choice === "pull_request" && !ask.pull),
  );

/** How many commits of a draft can be applied without the rest. */
export const batchesOf = (ask: QuestionSpec | undefined): readonly number[] =>
  ask?.kind === "result" ? Array.from({ length: (ask.commits ?? 1) - 1 }, (_, index) => index + 1) : [];

export const coverOf = ({ offer, confinement, safeMode }: State): UnrestrictedCover => ({
  refused: offer?.refused ?? null,
  confined: confinement === "enforced",
  network: offer?.network === false ? "none" : safeMode ? "asked" : "open",
});

/** Whoever said so by command or is a request's, else whose turn it is. */
export const requesterOf = (
  { turn }: Pick<State, "turn">,
  ask?: QuestionSpec,
): { readonly asker?: PersonId } => {
  const by = ask?.kind === "upgrade" ? ask.from?.by : undefined;
  return omitUndefined({ asker: by ?? turn.speaker?.id });
};

export const readOf = ({ untrusted }: Pick<State, "untrusted">): { readonly untrusted?: UntrustedContent } =>
  omitUndefined({ untrusted });

/** What an approval of the upgrade gives, true for the conversation and the host. */
export const coverText = (cover: UnrestrictedCover | undefined, say: Say): string => {
  const { refused, confined, network } = cover ?? USUAL;
  if (refused !== null) return say("An approval would give nothing. {why}", { why: refused });
  return say(
    confined
      ? NETWORK[network]
      : "Parley could then change anything on this host, because its kernel does not confine what runs, until somebody restricts this thread again.",
  );
};

const USUAL: UnrestrictedCover = { refused: null, confined: true, network: "asked" };

const NETWORK: Readonly<Record<UnrestrictedCover["network"], Label>> = {
  none: "Parley could then change files in its own copy, without a network, until somebody restricts this thread again. It still cannot read this host's secrets or other threads.",
  asked:
    "Parley could then change files in its own copy, and would ask separately before it uses the network, until somebody restricts this thread again. It still cannot read this host's secrets or other threads.",
  open: "Parley could then change files in its own copy and use the network, as far as the operator allows, until somebody restricts this thread again. It still cannot read this host's secrets or other threads.",
};
