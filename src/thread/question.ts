import type { PersonId } from "../machine/id.ts";
import { omitUndefined } from "../text/omit-undefined.ts";
import type { Label, Say } from "../i18n/say.ts";
import { isRefused, type State } from "../machine/state.ts";
import { type QuestionSpec, type Choice, offeredBy, type UntrustedContent } from "../machine/vocabulary.ts";

export interface UnrestrictedCover {
  /** Why an approval would have no effect; null if it has one. */
  readonly refused: string | null;
  readonly confined: boolean;
  /** `asked`: safe mode asks for the network separately. */
  readonly network: "none" | "asked" | "open";
}

/** Leaves out choices without effect. */
export const answersTo = (state: State, ask: QuestionSpec): readonly Choice[] =>
  offeredBy(ask).filter(
    (choice) =>
      !(ask.kind === "upgrade" && choice === "approve" && isRefused(state)) &&
      !(ask.kind === "result" && choice === "pull_request" && !ask.pull) &&
      // The offered answers and the comments of a review have their own buttons.
      choice !== "choose" &&
      choice !== "leave_out",
  );

/** Numbers of first commits of a draft that can be applied alone. */
export const batchesOf = (ask: QuestionSpec | undefined): readonly number[] =>
  ask?.kind === "result" ? Array.from({ length: (ask.commits ?? 1) - 1 }, (_, index) => index + 1) : [];

/** Numbers of the comments of a review that a person can still leave out. */
export const commentsLeft = (ask: QuestionSpec | undefined): readonly number[] => {
  if (ask?.kind !== "write" || ask.review === undefined) return [];
  const { comments, leftOut } = ask.review;
  return Array.from({ length: comments }, (_, index) => index + 1).filter((one) => !leftOut.includes(one));
};

export const coverOf = ({ offer, confinement, safeMode }: State): UnrestrictedCover => ({
  refused: offer?.refused ?? null,
  confined: confinement === "enforced",
  network: offer?.network === false ? "none" : safeMode ? "asked" : "open",
});

export const requesterOf = (
  { turn }: Pick<State, "turn">,
  ask?: QuestionSpec,
): { readonly asker?: PersonId } => {
  const by = ask?.kind === "upgrade" ? ask.from?.by : undefined;
  return omitUndefined({ asker: by ?? turn.speaker?.id });
};

export const readOf = ({ untrusted }: Pick<State, "untrusted">): { readonly untrusted?: UntrustedContent } =>
  omitUndefined({ untrusted });

export const coverText = (cover: UnrestrictedCover | undefined, say: Say): string => {
  const { refused, confined, network } = cover ?? USUAL;
  if (refused !== null) return say("Approving this request would have no effect. {why}", { why: refused });
  return say(
    confined
      ? NETWORK[network]
      : "The kernel does not confine the commands: after approval, Parley can change anything on this host until a person restricts this thread again.",
  );
};

const USUAL: UnrestrictedCover = { refused: null, confined: true, network: "asked" };

const NETWORK: Readonly<Record<UnrestrictedCover["network"], Label>> = {
  none: "After approval, Parley can change files in its own copy, without a network, until a person restricts this thread again. Parley still cannot read this host's secrets or other threads.",
  asked:
    "After approval, Parley can change files in its own copy until a person restricts this thread again. Parley asks separately before it uses the network. Parley still cannot read this host's secrets or other threads.",
  open: "After approval, Parley can change files in its own copy and use the network, as far as the operator allows, until a person restricts this thread again. Parley still cannot read this host's secrets or other threads.",
};
