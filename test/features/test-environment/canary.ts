import { randomBytes } from "node:crypto";
import type { RigOptions } from "../../adapters/slack/rig.ts";
import type { ChatStore } from "../../../src/ports/chat-rows.ts";
import type { SealKey } from "../../../src/ports/sealing.ts";
import { findSealKey } from "../../../src/store/base/seal.ts";
import type { StorePorts } from "../../../src/store/write/grouped.ts";

export const CANARY = "sk-canary-4c1d90ab77";

export const sealKey = (): SealKey => {
  const found = findSealKey("/nonexistent", randomBytes(32).toString("base64"));
  if (found.kind !== "key") throw new Error(found.kind);
  return found;
};

/** A host with a key, what its inbox received, and the values that it masks. */
export const keyed = () => {
  const key = sealKey();
  const arrived: string[] = [];
  const learned: string[] = [];
  const disk = (chat: ChatStore): ChatStore => ({
    ...chat,
    arrive: (surface, rows, ...rest) => {
      arrived.push(JSON.stringify(rows));
      return chat.arrive(surface, rows, ...rest);
    },
  });
  const options = {
    disk,
    outside: { sealKey: () => key, learnSecret: (value: string) => void learned.push(value) },
  } satisfies RigOptions;
  return { options, key, arrived, learned };
};

interface Named {
  readonly name: string;
}

const isNamed = (row: unknown): row is Named => typeof row === "object" && row !== null && "name" in row;

/** All rows of all tables, as text. */
export const databaseText = ({ rows }: StorePorts): string =>
  rows
    .select("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")({})
    .filter(isNamed)
    .map(({ name }) => JSON.stringify(rows.select(`SELECT * FROM "${name}"`)({})))
    .join("\n");
