/** Features on the host of a rig, opened as the product opens them. */

import { randomBytes } from "node:crypto";
import { formsOf } from "../../src/app/chat/platforms.ts";
import { FEATURES } from "../../src/app/features/list.ts";
import { type CoreAlone, type OpenFeatures, readFeatures } from "../../src/app/features/open.ts";
import { readingWith } from "../../src/app/outward.ts";
import { randomId } from "../../src/app/process/random-id.ts";
import { reposAtForge } from "../../src/app/repos-at-forge.ts";
import { NO_KNOWLEDGE } from "../../src/ports/knowledge.ts";
import type { SealKey } from "../../src/ports/sealing.ts";
import { SINGLE_HOST, type RunAtLeader } from "../../src/ports/ownership.ts";
import type { Core, Feature, SetFeature, SetResult } from "../../src/feature.ts";
import { createRepos } from "../../src/runtime/channels/repos.ts";
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
  Partial<Omit<Core, "figures">>;

export interface RigFeatures extends OpenFeatures {
  /** Ports that the host that leads carries out, by name. */
  readonly ports: ReadonlyMap<string, object>;
}

/** `env`: settings of the features. */
export const openFeaturesOf = async (
  { led = SINGLE_HOST.led, ...parts }: Given,
  features: readonly Feature[] = FEATURES,
  env: Readonly<Record<string, string>> = {},
  /** Features whose files are read already. */
  ready?: Awaited<ReturnType<typeof readFeatures>>,
): Promise<RigFeatures> => {
  const ports = new Map<string, object>();
  const kept: RunAtLeader = (name, own, members) => {
    const port = led(name, own, members);
    ports.set(name, port);
    return port;
  };
  const read =
    ready ??
    (await readFeatures(
      features.flatMap(({ set }) => setOf(set(env))),
      readingWith({ otherKeys: {} }),
    ));
  if (read.kind === "invalid") throw new Error(read.problems.join("\n"));
  const observing = await read.observe({ clock: parts.clock, version: "0" });
  return { ...(await observing.open({ ...coreOf(parts), led: kept })), ports };
};

/** A key of this run. */
const SEAL_KEY: SealKey = { kind: "key", bytes: randomBytes(32), id: "test", from: "setting" };

/** Nothing is stored, drawn, reached or read outside of these parts. */
export const coreOf = (parts: Given): CoreAlone => ({
  version: "0",
  files: { bytes: 25 * 2 ** 20, directory: () => "/files", attached: () => [] },
  repos: createRepos(["acme/*"]),
  modes: testModes,
  models: { all: ["test"], knows: (name) => name === "test" },
  alert: () => undefined,
  free: async () => null,
  randomId,
  repo: null,
  takePicture: () => Promise.reject(new Error("there are no pictures")),
  archives: { of: () => null },
  readForgePage: () => null,
  sandbox: { start: () => Promise.reject(new Error("there is no sandbox")) },
  data: "/nonexistent",
  reach: () => Promise.reject(new Error("there is no network")),
  secrets: [],
  learnSecret: () => undefined,
  sealKey: () => SEAL_KEY,
  model: "test",
  operator: { id: "console:operator", mayDrive: true, mayApprove: true },
  operatorToken: "",
  covers: "Tools may write.",
  formsOf,
  reposAtForge,
  led: SINGLE_HOST.led,
  away: () => [],
  commits: {
    tip: () => Promise.resolve({ kind: "failed" }),
    within: () => Promise.resolve({ kind: "failed" }),
  },
  drafts: {
    tree: () => Promise.resolve({ kind: "none" }),
    test: () => Promise.resolve({ kind: "none" }),
  },
  readThread: () => Promise.resolve(null),
  link: () => Promise.resolve(null),
  answerChanged: () => undefined,
  answerPlaced: () => undefined,
  host: null,
  leads: () => true,
  members: () => [],
  ...parts,
  figures: {
    waiting: () => [],
    parked: () => 0,
    hosts: async () => [],
    knowledge: NO_KNOWLEDGE.figures,
    lateOn: () => ({}),
  },
});

const setOf = (result: SetResult): readonly SetFeature[] => {
  if (result.kind === "invalid") throw new Error(result.issues.map(({ message }) => message).join("\n"));
  return [result.feature];
};
