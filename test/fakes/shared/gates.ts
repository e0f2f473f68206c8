/**
 * Gates: the only way a fake waits. A script names a gate where the answer is to pause; the test opens it.
 * A gate is plain data (`{ gate }`) with verbs beside it, so the same script also travels as JSON.
 */

/** What a script holds. */
interface GateRef {
  readonly gate: string;
}

export interface Gate extends GateRef {
  /** Lets through whoever waits now and whoever comes later. */
  readonly open: () => void;
  /** Settles when an answer has come as far as this gate. */
  readonly reached: Promise<void>;
  /** Settles when the gate is open. */
  readonly opened: Promise<void>;
}

export interface Gates {
  /** The gate of that name, made on first mention; without a name, a new one. */
  gate(name?: string): Gate;
  /** Says that an answer has reached the gate, then waits for it to open. */
  pass(ref: GateRef): Promise<void>;
}

export const createGates = (): Gates => {
  const known = new Map<string, Gate & { readonly reach: () => void }>();

  const find = (name: string): Gate & { readonly reach: () => void } => {
    const found = known.get(name);
    if (found !== undefined) {
      return found;
    }
    const opened = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const made = {
      gate: name,
      open: opened.resolve,
      opened: opened.promise,
      reach: reached.resolve,
      reached: reached.promise,
    };
    known.set(name, made);
    return made;
  };

  return {
    gate: (name) => find(name ?? `unnamed ${known.size + 1}`),
    pass: async (ref) => {
      const gate = find(ref.gate);
      gate.reach();
      await gate.opened;
    },
  };
};
