/** What is told of a question that waits: its answers, who asks, what an approval covers. */

import type { PersonId } from "../machine/id.ts";
import { isRefused, type State } from "../machine/state.ts";
import { type Ask, type Choice, CHOICES, type Untrusted } from "../machine/words.ts";

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
  offered(ask).filter(
    (choice) =>
      !(ask.kind === "upgrade" && choice === "approve" && isRefused(state)) &&
      !(ask.kind === "result" && choice === "pull_request" && !ask.pull),
  );

/** How many commits of a draft can be applied without the rest. */
export const batchesOf = (ask: Ask | undefined): readonly number[] =>
  ask?.kind === "result" ? Array.from({ length: (ask.commits ?? 1) - 1 }, (_, index) => index + 1) : [];

const offered = (ask: Ask): readonly Choice[] =>
  CHOICES[ask.kind === "write" && ask.scope !== undefined ? "danger" : ask.kind];

export const coverOf = ({ offer, confinement, safeMode }: State): Cover => ({
  refused: offer?.refused ?? null,
  confined: confinement === "enforced",
  network: offer?.network === false ? "none" : safeMode ? "asked" : "open",
});

/** Whoever said so by command or is a request's, else whose turn it is. */
export const saidBy = ({ turn }: Pick<State, "turn">, ask?: Ask): { readonly asker?: PersonId } => {
  const asker = (ask?.kind === "upgrade" ? ask.from?.by : undefined) ?? turn.speaker?.id;
  return asker === undefined ? {} : { asker };
};

export const readOf = ({ untrusted }: Pick<State, "untrusted">): { readonly untrusted?: Untrusted } =>
  untrusted === undefined ? {} : { untrusted };
