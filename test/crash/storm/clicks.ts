/** What people press in a storm, and what became of each press: each question gets three at once, of which one may decide. */

export type Press = (who: string, label: string) => Promise<boolean>;

interface Click {
  readonly card: string;
  readonly isStranger: boolean;
  /** Null while nobody knows; false where the person saw an error. */
  isTaken: boolean | null;
}

export interface Clicks {
  readonly made: number;
  /** Those that the host took. */
  readonly taken: number;
  /** Made by somebody who may not decide. */
  readonly strangers: number;
}

/** `stranger` may press and decide nothing. */
export const createClicks = (stranger: string) => {
  const clicks: Click[] = [];

  const click = (card: string, who: string, label: string, press: Press): Promise<boolean> => {
    const one: Click = { card, isStranger: who === stranger, isTaken: null };
    clicks.push(one);
    return press(who, label).then(
      (isTaken) => (one.isTaken = isTaken),
      () => (one.isTaken = false),
    );
  };

  /** Whoever saw an error presses again; whoever did not, waits. */
  const waits = (card: string): boolean =>
    clicks.some((one) => one.card === card && !one.isStranger && one.isTaken !== false);

  return {
    click,
    /** The stranger, and two people who disagree, at once. */
    decide: (card: string, people: readonly string[], press: Press): void => {
      if (waits(card)) return;
      void click(card, stranger, "Approve", press);
      const yes = clicks.length % 2;
      for (const [no, who] of people.slice(0, 2).entries()) {
        void click(card, who, no === yes ? "Approve" : "Deny", press);
      }
    },
    waits,
    /** Whoever pressed waited long enough, and presses again. */
    forget: (card: string): void => {
      for (const one of clicks) if (one.card === card && one.isTaken === true) one.isTaken = false;
    },
    count: (): Clicks => ({
      made: clicks.length,
      taken: clicks.filter(({ isTaken }) => isTaken === true).length,
      strangers: clicks.filter(({ isStranger }) => isStranger).length,
    }),
  };
};
