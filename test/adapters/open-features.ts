/** Features on the host of a rig, opened as the product opens them. */

import { FEATURES, observeFeatures, type OpenFeatures } from "../../src/app/features.ts";
import { randomId } from "../../src/app/random-id.ts";
import { reposAtForge } from "../../src/app/repos-at-forge.ts";
import { NO_KNOWLEDGE } from "../../src/ports/knowledge/knowledge.ts";
import { ALONE, type Led } from "../../src/ports/ownership.ts";
import type { Core, Feature, SetFeature } from "../../src/feature.ts";
import { createRepos } from "../../src/runtime/chat/commands/repos.ts";
import { testModes } from "../runtime/modes.ts";

type Given = Pick<
  Core,
  | "ledger"
  | "notes"
  | "feedback"
  | "purse"
  | "answers"
  | "store"
  | "chat"
  | "rows"
  | "bot"
  | "surfaces"
  | "clock"
  | "log"
> &
  Partial<Pick<Core, "repos" | "modes" | "models" | "alert" | "led" | "free">>;

export interface RigFeatures extends OpenFeatures {
  /** Ports that the host that leads carries out, by name. */
  readonly ports: ReadonlyMap<string, object>;
}

/** None of them has settings. */
export const openFeaturesOf = async (
  { led = ALONE.led, ...parts }: Given,
  features: readonly Feature[] = FEATURES,
): Promise<RigFeatures> => {
  const ports = new Map<string, object>();
  const kept: Led = (name, own, members) => {
    const port = led(name, own, members);
    ports.set(name, port);
    return port;
  };
  const observing = await observeFeatures(features.flatMap(setOf), { clock: parts.clock, version: "0" });
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
    led: kept,
    away: () => [],
    knowledge: { stands: () => [] },
    lines: {
      tip: () => Promise.resolve({ kind: "failed" }),
      compare: () => Promise.resolve({ kind: "failed" }),
    },
    readThread: () => Promise.resolve(null),
    link: () => Promise.resolve(null),
    answerChanged: () => undefined,
    answerPlaced: () => undefined,
    host: null,
    leads: () => true,
    members: () => [],
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

const setOf = ({ set }: Feature): readonly SetFeature[] => {
  const result = set({});
  return result.kind === "set" ? [result.feature] : [];
};
