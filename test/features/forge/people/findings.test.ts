/** What doctor says about people's connections. */

import { expect, it } from "vitest";
import type { ConnectClient } from "../../../../src/features/forge/people/client.ts";
import { connectClientOf } from "../../../../src/features/forge/people/client.ts";
import { connectFindings } from "../../../../src/features/forge/people/findings.ts";
import { linesOf } from "../../../app/cli/doctor/findings.ts";
import { hasty } from "../hasty.ts";
import { CLIENT, KEY } from "./world.ts";

const clientOf = (kind: "github-token" | "gitlab-token", api: string | null): ConnectClient => {
  const connect = { clientId: CLIENT, clientSecret: null, web: null };
  const host = { userAgent: "parley", wire: hasty() };
  const client = connectClientOf({ access: { kind, token: "token-0123" }, api, git: null, connect }, host);
  if (client === null) throw new Error("nobody can connect");
  return client;
};

it("says whether connecting is configured, and whether tokens can be stored", async () => {
  const clients = [clientOf("github-token", null)];
  expect(await linesOf(connectFindings([], { kind: "absent" }))).toEqual([
    "ok connect: not configured (clientId in the file of PARLEY_FORGES); writes appear in Parley's name",
  ]);
  expect(await linesOf(connectFindings(clients, { kind: "absent" }))).toEqual([
    "ok connect: people can connect to github.com; a key is created in PARLEY_DATA/seal-key when the first person connects",
  ]);
  expect(await linesOf(connectFindings(clients, KEY))).toEqual([
    "ok connect: people can connect to github.com; tokens are sealed with PARLEY_SEAL_KEY",
  ]);
  expect(
    await linesOf(connectFindings(clients, { kind: "unusable", why: "seal-key contains no key." })),
  ).toEqual([
    "error connect: people cannot connect to github.com: seal-key contains no key. -> Restore the key; without it, people have to connect again.",
  ]);
});

it.each([
  ["github-token", null, "https://github.com", "https://api.github.com"],
  ["github-token", "https://ghe.example/api/v3", "https://ghe.example", "https://ghe.example/api/v3"],
  ["github-token", "https://api.acme.ghe.com", "https://acme.ghe.com", "https://api.acme.ghe.com"],
  ["gitlab-token", null, "https://gitlab.com", "https://gitlab.com/api/v4"],
  ["gitlab-token", "https://x.example/git/api/v4/", "https://x.example/git", "https://x.example/git/api/v4"],
] as const)("%s with the API %s has its pages at %s", (kind, given, web, api) => {
  expect(clientOf(kind, given)).toMatchObject({ web, api });
});
