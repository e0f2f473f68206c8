/** The shared vocabulary of src/core/words.ts as it comes from disk. */

import * as z from "zod";
import { messageId, personId } from "./id.ts";

export const permission = z.enum(["restricted", "unrestricted"]);
export const confinement = z.enum(["enforced", "unavailable"]);

export const category = z.enum([
  "FS_DELETE_OVERWRITE",
  "FS_OUTSIDE_WORKSPACE",
  "FS_CONFIG_SECRETS",
  "DEPS_INSTALL_UPDATE",
  "GIT_PUBLISH",
  "SYSTEM_IMPACT",
  "SUDO",
  "NETWORK_RISK",
  "EXEC_ARBITRARY",
]);

export const speaker = z.object({ id: personId, mayDrive: z.boolean(), mayApprove: z.boolean() });

export const utterance = z.object({ message: messageId, speaker, images: z.number() });

const named = { id: z.string(), name: z.string() };
const modeWish = { mode: z.string(), branch: z.boolean() };

export const call = z.discriminatedUnion("intent", [
  z.object({ ...named, intent: z.literal("tool") }),
  z.object({ ...named, intent: z.literal("upgrade") }),
  z.object({ ...named, intent: z.literal("mode"), ...modeWish }),
]);

export const categories = z.array(category).readonly();

export const upgradeAsk = z.object({ kind: z.literal("upgrade") });
export const dangerAsk = z.object({
  kind: z.literal("danger"),
  categories,
  shown: messageId,
  fingerprint: z.string(),
});
export const modeAsk = z.object({ kind: z.literal("mode"), ...modeWish });
export const ask = z.discriminatedUnion("kind", [upgradeAsk, dangerAsk, modeAsk]);

export const choice = z.enum(["approve", "deny", "once", "session", "stay", "switch", "branch"]);

export const calls = z.array(call).readonly();

export const usage = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  costMicroUsd: z.number(),
});

export const stop = z.enum(["end", "tools", "max_tokens", "pause", "refusal", "window"]);

export const failure = z.object({
  kind: z.enum([
    "auth",
    "rate_limit",
    "overloaded",
    "network",
    "invalid_request",
    "context",
    "billing",
    "not_found",
    "workspace",
    "limit",
    "unknown",
  ]),
  message: z.string(),
  retryAfter: z.number().nullable(),
});
