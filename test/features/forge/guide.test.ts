/** docs/forges.md says what the code does. */

import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readCredentials } from "../../../src/features/forge/api/credentials.ts";
import { readPage } from "../../docs/told.ts";
import { scratch } from "../../scratch.ts";

describe("docs/forges.md", () => {
  it("has examples that Parley takes, with keys in the place of the dots", () => {
    const examples = [...readPage("docs/forges.md").matchAll(/^```json\n([^]*?)^```$/gm)].map(
      ([, json = ""]) => z.looseObject({}).parse(JSON.parse(json.replaceAll("…", "0123456789"))),
    );
    const [whole, key, ...more] = examples;
    expect(more).toEqual([]);
    const { forges } = z.object({ forges: z.array(z.unknown()) }).parse(whole);
    const folder = scratch("forges-page");
    const put = (name: string, text: string): void =>
      writeFileSync(join(folder, name), text, { mode: 0o600 });
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    put("app.pem", privateKey.export({ type: "pkcs1", format: "pem" }).toString());
    put("shop_key", privateKey.export({ type: "pkcs8", format: "pem" }).toString());
    put("known_hosts", "git.example.org ssh-ed25519 AAAA\n");
    put("forges.json", JSON.stringify({ forges: [...forges, key] }));
    const read = readCredentials(join(folder, "forges.json"), () => null);
    expect(read.kind === "credentials" ? read.credentials.map(({ access }) => access.kind) : read).toEqual([
      "github-app",
      "github-token",
      "github-token",
      "gitlab-token",
      "deploy-key",
    ]);
  });
});
