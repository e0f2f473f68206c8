/** A chat platform: one folder of `adapters` and one line in `src/app/chat/platforms.ts`. The SDK is loaded on demand. */

import type * as z from "zod";
import type { RawSettings } from "./feature.ts";
import type { HostVariables, PlatformFacts, PlatformState } from "./ports/platform-entry.ts";
import { readSettings } from "./settings/secrets.ts";

export interface PlatformEntry extends PlatformFacts {
  readonly settings: z.ZodObject;
  /** `given`: the environment, without empty values. */
  readonly set: (given: RawSettings) => PlatformSetResult;
}

export type PlatformSetResult =
  | { readonly kind: "set"; readonly platform: SetPlatform }
  | { readonly kind: "invalid"; readonly issues: readonly z.core.$ZodIssue[] };

export interface SetPlatform extends PlatformFacts {
  readonly values: Readonly<Record<string, unknown>>;
  readonly secrets: readonly string[];
  readonly configure: (host: HostVariables) => PlatformState;
}

interface Definition<S extends z.ZodObject> extends PlatformFacts {
  readonly settings: S;
  readonly configure: (settings: z.infer<S>, host: HostVariables) => PlatformState;
}

export const definePlatform = <S extends z.ZodObject>({
  settings,
  configure,
  ...facts
}: Definition<S>): PlatformEntry => ({
  ...facts,
  settings,
  set: (given) => {
    const read = readSettings(settings, given);
    if (read.kind === "invalid") return read;
    const { values, secrets } = read;
    return {
      kind: "set",
      platform: { ...facts, values, secrets, configure: (host) => configure(values, host) },
    };
  },
});
