/** A forge to which people of a chat can connect, as the file of PARLEY_FORGES names it. */

import { expect, onTestFinished } from "vitest";
import { createFakeForge, type FakeForge } from "../../../fakes/forge/fake.ts";
import { withForges } from "../../../with-forges.ts";
import { CLIENT, TOKEN } from "./world.ts";

export interface ChatForge {
  readonly fake: FakeForge;
  readonly ready: Awaited<ReturnType<typeof withForges>>;
}

export const chatForge = async (): Promise<ChatForge> => {
  const fake = await createFakeForge();
  onTestFinished(async () => {
    await fake.close();
    expect(fake.violations).toEqual([]);
  });
  fake.signIn.client = { id: CLIENT, secret: null };
  fake.signIn.lasts.interval = 1;
  const ready = await withForges({
    kind: "github-token",
    repos: ["acme/*"],
    api: fake.url,
    git: fake.url,
    token: TOKEN,
    clientId: CLIENT,
  });
  return { fake, ready };
};

/** The code in what a person was told. */
export const codeIn = (text: string): string => {
  const code = /`([0-9A-F]{4}-[0-9A-F]{4})`/.exec(text)?.[1];
  if (code === undefined) throw new Error(`no code in ${text}`);
  return code;
};
