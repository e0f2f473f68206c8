/** Drafts and changes of a host where no conversation has changed anything. */

import type { Drafts } from "../../src/ports/drafts.ts";
import type { Outgoing } from "../../src/ports/outgoing.ts";

const failed = { kind: "failed", message: "there is no checkout" } as const;

export const nothingChanged: { readonly drafts: Drafts; readonly outgoing: Outgoing } = {
  drafts: {
    open: () => Promise.resolve(failed),
    tree: () => Promise.resolve({ kind: "none" }),
    seal: () => Promise.resolve({ kind: "none" }),
    test: () => Promise.resolve({ kind: "none" }),
    sealed: () => Promise.resolve(null),
    movedOn: () => Promise.resolve(null),
    apply: () => Promise.resolve({ kind: "gone" }),
    patch: () => Promise.resolve(null),
    discard: () => Promise.resolve(),
    expire: () => Promise.resolve(0),
  },
  outgoing: {
    changes: {
      read: () => Promise.resolve({ kind: "none" }),
      goesOn: () => Promise.resolve({ kind: "yes" }),
      commit: () => Promise.resolve(failed),
      committed: () => Promise.resolve({ kind: "done", value: null }),
      pack: () => Promise.resolve(failed),
    },
    identity: { name: "Parley", email: "bot@example.org" },
  },
};
