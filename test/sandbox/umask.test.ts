/** A host that keeps what it makes to itself (umask 077), as systemd may start one. */

import { join } from "node:path";
import { expect, it } from "vitest";
import { describeTiers, textOf } from "./tiers.ts";
import { ENV } from "./world.ts";

describeTiers(
  ["T0", "T1"],
  (world) => {
    it("its commands reach mounts whose place has to be made first, and what they make is for all to read", async () => {
      const { sandbox, folder } = world();
      const source = join(folder, "work");
      const cwd = sandbox.probe.mounts ? "/far/away/work" : source;
      const ran = () =>
        sandbox.run({
          policy: {
            profile: "restricted",
            network: "none",
            mounts: [{ source, target: "/far/away/work", write: false }],
            cwd,
            identity: 7,
          },
          argv: ["/bin/bash", "-c", "cat note.txt; umask"],
          env: ENV,
          timeoutMs: 120_000,
          keep: { head: 1024, tail: 0 },
        });
      // The one that waits, and those that are made at once while there is none.
      const all = await Promise.all([ran(), ran(), ran()]);
      expect(all.map(textOf)).toEqual(Array(3).fill("first line\n0022\n"));
    });
  },
  { outer: ["/bin/sh", "-c", 'umask 077 && exec "$@"', "sh"] },
);
