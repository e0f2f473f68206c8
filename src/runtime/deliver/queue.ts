/** A send that waits for one budget delays no send on another. Within a rank, the longest wait is first. */

import type { CallKind, Budget } from "../../ports/surface.ts";
import { type Budgets, type CallRank, RANKS } from "./call-budgets.ts";

export interface CallSpend {
  readonly call: CallKind;
  readonly budget: Budget;
}

export interface WaitingSend {
  /** `disk`: the step writes the ledger and makes no call. */
  readonly rank: CallRank | "disk";
  /** Alternatives, the best first. */
  readonly spends: readonly CallSpend[];
}

interface Place {
  readonly no: number;
  readonly at: number;
  readonly spend: CallSpend | null;
}

const ORDER = ["disk", ...RANKS] as const;

export const createQueue = <Id>({ has }: Pick<Budgets, "has">) => {
  /** By rank, then by budget name. */
  const lines = new Map(ORDER.map((rank) => [rank, new Map<string, Map<Id, Place>>()]));
  const waiting = new Map<Id, WaitingSend>();
  let no = 0;

  const leave = (id: Id): void => {
    const before = waiting.get(id);
    if (before === undefined) return;
    waiting.delete(id);
    const line = lines.get(before.rank);
    for (const name of namesOf(before)) {
      line?.get(name)?.delete(id);
      if (line?.get(name)?.size === 0) line.delete(name);
    }
  };

  const enter = (id: Id, now: WaitingSend): void => {
    waiting.set(id, now);
    no += 1;
    const line = lines.get(now.rank);
    for (const [at, name] of namesOf(now).entries()) {
      const place = { no, at, spend: now.spends[at] ?? null };
      line?.set(name, (line.get(name) ?? new Map<Id, Place>()).set(id, place));
    }
  };

  return {
    /** An entry that waits for the same budgets keeps its place. Null removes the entry. */
    file: (id: Id, now: WaitingSend | null) => {
      const before = waiting.get(id);
      if (now !== null && before !== undefined && isSame(before, now)) return;
      leave(id);
      if (now !== null) enter(id, now);
    },
    first: (): {
      readonly id: Id;
      readonly rank: WaitingSend["rank"];
      readonly spend: CallSpend | null;
    } | null => {
      for (const [rank, line] of lines) {
        let best: { readonly id: Id; readonly place: Place } | null = null;
        for (const places of line.values()) {
          const [first] = places;
          if (first === undefined) continue;
          const [id, place] = first;
          if (rank !== "disk" && place.spend !== null && !has(rank, place.spend.budget)) continue;
          if (best === null || isBefore(place, best.place)) best = { id, place };
        }
        if (best !== null) return { id: best.id, rank, spend: best.place.spend };
      }
      return null;
    },
  };
};

const namesOf = ({ spends }: WaitingSend): readonly string[] =>
  spends.length === 0 ? [""] : spends.map(({ budget }) => budget.name);

const isBefore = (one: Place, other: Place): boolean =>
  one.no < other.no || (one.no === other.no && one.at < other.at);

const isSame = (one: WaitingSend, other: WaitingSend): boolean =>
  one.rank === other.rank && namesOf(one).join(" ") === namesOf(other).join(" ");
