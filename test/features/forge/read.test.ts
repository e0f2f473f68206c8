/** The file that PARLEY_FORGES names is read before anything is started. */

import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readFeatures } from "../../../src/app/features/open.ts";
import { readingWith } from "../../../src/app/outward.ts";
import { forge } from "../../../src/features/forge/feature.ts";
import { scratch } from "../../scratch.ts";

const TOKEN = "github_pat_0123456789";

const readWith = async (given: Readonly<Record<string, string>>) => {
  const set = forge.set(given);
  if (set.kind === "invalid") throw new Error("its setting is any text");
  return readFeatures([set.feature], readingWith({ otherKeys: {} }));
};

const file = (): string => {
  const path = join(scratch("forge-read"), "forges.json");
  const entry = { kind: "github-token", repos: ["acme/*"], token: TOKEN };
  writeFileSync(path, JSON.stringify({ forges: [entry] }), { mode: 0o600 });
  return path;
};

it("gives its tokens for masking; without it there are none, and what is public can be asked for", async () => {
  expect(await readWith({ PARLEY_FORGES: file() })).toMatchObject({ kind: "read", secrets: [TOKEN] });
  const bare = await readWith({});
  expect(bare).toMatchObject({ kind: "read", secrets: [] });
  const repo = { kind: "url", location: "https://github.com/acme/shop.git" } as const;
  expect(bare.kind === "read" && bare.forge.archives.of(repo)?.name).toBe("acme/shop");
  expect(bare.kind === "read" && (await bare.forge.doors.open(repo))).toBeNull();
});

it("keeps the host from starting if others may read it", async () => {
  const path = file();
  chmodSync(path, 0o644);
  expect(await readWith({ PARLEY_FORGES: path })).toMatchObject({
    kind: "invalid",
    problems: [`${path} can be read by others: chmod 600 ${path}`],
  });
});
