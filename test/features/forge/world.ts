/** A fake forge with one repository, and that repository as a conversation reads it. */

import { expect, onTestFinished } from "vitest";
import type { CredentialSecret } from "../../../src/features/forge/api/credentials.ts";
import { createForges } from "../../../src/features/forge/forges.ts";
import type { Repo } from "../../../src/ports/conversation.ts";
import type { WritableForges } from "../../../src/features/forge/ports/forge-writer.ts";
import type { Project } from "../../../src/features/forge/ports/project.ts";
import { createFakeForge, type FakeForge } from "../../fakes/forge/fake.ts";
import { hasty } from "./hasty.ts";

export const repo: Repo = { kind: "url", location: "https://github.com/acme/shop.git" };
export const TOKEN = "github_pat_0123456789";
export const NOON = Date.UTC(2026, 10, 2, 12);
export const { signal } = new AbortController();

const READS = ["metadata", "issues", "pull_requests", "checks", "statuses", "actions"].map(
  (what) => `${what}=read`,
);

/** `without`: a permission that the token lacks. */
export const forge = async (
  { isPrivate = true, without = "" } = {},
  now: () => number = () => NOON,
): Promise<FakeForge> => {
  const fake = await createFakeForge(now);
  onTestFinished(async () => {
    await fake.close();
    expect(fake.violations).toEqual([]);
  });
  fake.world.addRepo("acme/shop", { isPrivate });
  fake.world.tokens.set(TOKEN, {
    repos: ["acme/shop"],
    permissions: READS.filter((one) => one !== without),
  });
  return fake;
};

export const forgesOn = (
  fake: FakeForge,
  access: CredentialSecret = { kind: "github-token", token: TOKEN },
): WritableForges =>
  createForges({
    credentials: [{ repos: ["acme/*"], api: fake.url, git: fake.url, access }],
    fits: (_, { location }) => location.includes("/acme/"),
    userAgent: "parley-test",
    wire: hasty(),
  });

export const projectOn = (fake: FakeForge, access?: CredentialSecret): Project => {
  const located = forgesOn(fake, access).at(repo);
  if (located.kind === "none") throw new Error(located.why);
  return located.project;
};
