/** Features on the host of a rig, opened as the product opens them. */

import { FEATURES, observeFeatures, type OpenFeatures } from "../../src/app/features.ts";
import { ALONE } from "../../src/app/cluster/alone.ts";
import { randomId } from "../../src/app/random-id.ts";
import { reposAtForge } from "../../src/app/repos-at-forge.ts";
import { NO_KNOWLEDGE } from "../../src/ports/knowledge/knowledge.ts";
import type { OnLeader } from "../../src/ports/cluster/fleet.ts";
import type { Core, SetFeature } from "../../src/feature.ts";
import { createRepos } from "../../src/runtime/chat/commands/repos.ts";
import { testModes } from "../runtime/modes.ts";

type Given = Pick<
  Core,
  | "store"
  | "ledger"
  | "notes"
  | "feedback"
  | "rows"
  | "bot"
  | "surfaces"
  | "clock"
  | "log"
  | "chat"
  | "budgets"
> &
  Partial<Pick<Core, "repos" | "modes" | "models" | "alert" | "onLeader" | "free">>;

export interface RigFeatures extends OpenFeatures {
  /** Ports that the host that leads carries out, by name. */
  readonly ports: ReadonlyMap<string, object>;
}

/** None of them has settings. */
export const openFeaturesOf = async ({
  onLeader = ALONE.onLeader,
  ...parts
}: Given): Promise<RigFeatures> => {
  const ports = new Map<string, object>();
  const kept: OnLeader = (name, own, members) => {
    const led = onLeader(name, own, members);
    ports.set(name, led);
    return led;
  };
  const observing = await observeFeatures(FEATURES.flatMap(setOf), { clock: parts.clock, version: "0" });
  const opened = await observing.open({
    repos: createRepos(["acme/*"]),
    modes: testModes,
    models: { all: ["test"], knows: (name) => name === "test" },
    alert: () => undefined,
    free: async () => null,
    ...parts,
    randomId,
    repo: null,
    takePicture: () => Promise.reject(new Error("there are no pictures")),
    model: "test",
    operator: { id: "console:operator", mayDrive: true, mayApprove: true },
    operatorToken: "",
    covers: "Tools may write.",
    reposAtForge,
    pushed: null,
    onLeader: kept,
    among: { host: null, leads: () => true, members: () => [] },
    away: () => [],
    figures: {
      waiting: () => [],
      parked: () => 0,
      hosts: async () => [],
      knowledge: NO_KNOWLEDGE.figures,
      lateOn: () => ({}),
    },
  });
  return { ...opened, ports };
};

const setOf = ({ set }: (typeof FEATURES)[number]): readonly SetFeature[] => {
  const result = set({});
  return result.kind === "set" ? [result.feature] : [];
};
