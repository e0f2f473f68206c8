/** People connect their accounts: the device flow with all its ends, tokens that end and are renewed, and their removal. */

import { describe, expect, it } from "vitest";
import { openSealedText } from "../../../../src/store/base/seal.ts";
import type { PersonId } from "../../../../src/machine/id.ts";
import { z } from "zod";
import {
  HUBOT,
  KEY,
  OCTOCAT,
  onFakeGitHub,
  onFakeGitLab,
  otherKey,
  pass,
  type PeopleHost,
  peopleScene,
} from "./world.ts";

const BOB: PersonId = "slack:U1";
const ALICE: PersonId = "slack:U2";
const AT = { surface: "slack", place: "C1" };
const sealedRows = z.array(z.object({ person: z.string(), sealed: z.string(), version: z.string() }));

const clientOf = ({ own }: PeopleHost) => {
  const [client] = own.clients;
  if (client === undefined) throw new Error("nobody can connect");
  return client;
};

const begin = async (host: PeopleHost, person = BOB) => {
  const begun = await host.own.begin(person, AT, clientOf(host));
  if (begun.kind !== "code") throw new Error(JSON.stringify(begun));
  return begun.code;
};

describe.each([
  { name: "GitHub", onFake: onFakeGitHub },
  { name: "GitLab", onFake: onFakeGitLab },
])("$name", ({ onFake }) => {
  const scened = () => peopleScene(onFake);
  const rowsOf = ({ opened }: Awaited<ReturnType<typeof scened>>) =>
    sealedRows.parse(
      opened.rows.select("SELECT person, sealed, version FROM forge_people ORDER BY person")({}),
    );

  it("a person who types the code is connected, with tokens that only the key opens", async () => {
    const scene = await scened();
    const host = scene.host();
    const code = await begin(host);
    expect(code.page).toMatch(/\/(login|oauth)\/device$/);
    expect(await begin(host)).toEqual(code);
    expect(scene.fake.signIn.waiting()).toEqual([code.code]);
    await pass(scene.clock, 20, () => false);
    expect(scene.told).toEqual([]);
    scene.fake.signIn.answer(code.code, OCTOCAT);
    await pass(scene.clock, 20, () => scene.told.length > 0);
    expect(scene.told).toEqual([{ person: "U1", text: expect.stringContaining("as octocat") }]);
    expect(host.own.account(BOB, clientOf(host).host)).toMatchObject({ login: "octocat", name: "Mona Lisa" });
    const [pair] = scene.fake.signIn.pairs;
    const [row] = rowsOf(scene);
    if (pair === undefined || row === undefined) throw new Error("nothing is stored");
    expect(row.sealed).not.toContain(pair.access);
    const context = ["forge tokens", BOB, clientOf(host).host];
    expect(openSealedText(KEY, row.sealed, context)).toEqual({
      kind: "opened",
      text: JSON.stringify({ access: pair.access, refresh: pair.refresh }),
    });
    expect(openSealedText(KEY, row.sealed, ["forge tokens", ALICE, clientOf(host).host])).toEqual({
      kind: "broken",
    });
    const words = JSON.stringify([scene.logged, scene.told]);
    expect(words).not.toContain(pair.access);
    expect(words).not.toContain(pair.refresh);
  });

  it("slow_down lengthens the pause, and a forge that does not answer is asked again", async () => {
    const scene = await scened();
    const host = scene.host();
    scene.fake.signIn.slow = 2;
    scene.fake.break("sign-in/token");
    const { code } = await begin(host);
    await pass(scene.clock, 60, () => false);
    scene.fake.signIn.answer(code, OCTOCAT);
    await pass(scene.clock, 120, () => scene.told.length > 0);
    expect(scene.told.at(-1)?.text).toContain("as octocat");
  });

  it("a person who denies, or lets the code expire, is told and not connected", async () => {
    const scene = await scened();
    const host = scene.host();
    const { code } = await begin(host);
    scene.fake.signIn.answer(code, "denied");
    await pass(scene.clock, 20, () => scene.told.length > 0);
    expect(scene.told.at(-1)?.text).toContain("was denied");
    await begin(host);
    await pass(scene.clock, 1_200, () => scene.told.length > 1);
    expect(scene.told.at(-1)?.text).toContain("has expired");
    expect(rowsOf(scene)).toEqual([]);
  });

  it("an app that the forge does not know, or without device flow, is named as the reason", async () => {
    const scene = await scened();
    const host = scene.host();
    scene.fake.signIn.client = { id: "another-client", secret: null };
    expect(await host.own.begin(BOB, AT, clientOf(host))).toMatchObject({ kind: "refused" });
    scene.fake.signIn.client = { id: clientOf(host).clientId, secret: null, isDisabled: true };
    expect(await host.own.begin(BOB, AT, clientOf(host))).toMatchObject({ kind: "refused" });
    scene.fake.break("sign-in/code");
    expect(await host.own.begin(BOB, AT, clientOf(host))).toEqual({ kind: "unreached" });
    expect(
      await scene.host(() => ({ kind: "unusable", why: "no key" })).own.begin(BOB, AT, clientOf(host)),
    ).toEqual({
      kind: "unsealed",
      why: "no key",
    });
  });

  it("the next process continues to ask for a code that its predecessor showed", async () => {
    const scene = await scened();
    const first = scene.host();
    const { code } = await begin(first);
    await first.leave();
    scene.fake.signIn.answer(code, OCTOCAT);
    scene.host();
    await pass(scene.clock, 20, () => scene.told.length > 0);
    expect(scene.told.at(-1)?.text).toContain("as octocat");
  });

  it("two hosts that renew at once use the refresh token once, and both get the new token", async () => {
    const scene = await scened();
    const [one, two] = [scene.host(), scene.host()];
    await one.connect(BOB);
    const renewals = () => scene.fake.signIn.pairs.length - 1;
    scene.clock.advance(scene.fake.signIn.lasts.access * 1_000 - 60_000);
    const asked = Promise.all([one, two].map((host) => host.tokens.token(BOB, clientOf(host))));
    let isOver = false;
    void asked.finally(() => {
      isOver = true;
    });
    await pass(scene.clock, 20, () => isOver);
    const [a, b] = await asked;
    expect(a).toMatchObject({ kind: "token", token: scene.fake.signIn.pairs.at(-1)?.access });
    expect(b).toEqual(a);
    expect(renewals()).toBe(1);
    // The access token is used until shortly before its end.
    expect(await one.tokens.token(BOB, clientOf(one))).toEqual(a);
    expect(renewals()).toBe(1);
  });

  it("a renewal that the forge refuses ends the connection; one that it does not answer does not", async () => {
    const scene = await scened();
    const host = scene.host();
    await host.connect(BOB);
    scene.clock.advance(scene.fake.signIn.lasts.access * 1_000 + 1_000);
    scene.fake.break("sign-in/token");
    expect(await host.tokens.token(BOB, clientOf(host))).toEqual({ kind: "away" });
    expect(await host.tokens.token(BOB, clientOf(host))).toMatchObject({ kind: "token" });
    scene.fake.signIn.revoke("octocat");
    scene.clock.advance(scene.fake.signIn.lasts.access * 1_000 + 1_000);
    expect(await host.tokens.token(BOB, clientOf(host))).toEqual({ kind: "ended" });
    expect(await host.tokens.token(BOB, clientOf(host))).toEqual({ kind: "none" });
    expect(rowsOf(scene)).toEqual([]);
  });

  it("tokens of another key are not used, and stay for the day on which the key returns", async () => {
    const scene = await scened();
    const host = scene.host();
    await host.connect(BOB);
    const other = scene.host(otherKey);
    expect(await other.tokens.token(BOB, clientOf(other))).toEqual({ kind: "none" });
    expect(scene.logged.join()).toContain("tokens not opened");
    expect(await host.tokens.token(BOB, clientOf(host))).toMatchObject({ kind: "token" });
  });

  it("disconnect and erasure delete the tokens of that person alone", async () => {
    const scene = await scened();
    const host = scene.host();
    await host.connect(BOB);
    await host.connect(ALICE, HUBOT);
    expect(rowsOf(scene).map(({ person }) => person)).toEqual([BOB, ALICE]);
    expect(await host.own.disconnect(BOB, host.own.clients)).toHaveLength(1);
    expect(await host.own.disconnect(BOB, host.own.clients)).toEqual([]);
    expect(rowsOf(scene).map(({ person }) => person)).toEqual([ALICE]);
    await host.connect(BOB);
    await begin(host);
    expect(await scene.opened.store.forgetBeside(BOB)).toEqual({ kind: "done" });
    expect(rowsOf(scene).map(({ person }) => person)).toEqual([ALICE]);
    expect(scene.opened.rows.select("SELECT 1 FROM forge_sign_ins")({})).toEqual([]);
    expect(await host.tokens.token(ALICE, clientOf(host))).toMatchObject({ kind: "token" });
  });

  it("disconnect deletes tokens of a forge that the operator has removed", async () => {
    const scene = await scened();
    const host = scene.host();
    await host.connect(BOB);
    const { host: forge } = clientOf(host);
    expect(await host.own.disconnect(BOB, [], (one) => one !== forge)).toEqual([]);
    expect(rowsOf(scene)).toHaveLength(1);
    expect(await host.own.disconnect(BOB, [])).toEqual([forge]);
    expect(rowsOf(scene)).toEqual([]);
  });

  it("a granted token that cannot be stored is revoked", async () => {
    const scene = await scened();
    const { pairs } = scene.fake.signIn;
    const host = scene.host(() =>
      pairs.length === 0 ? KEY : { kind: "unusable", why: "the key was removed" },
    );
    const { code } = await begin(host);
    scene.fake.signIn.answer(code, OCTOCAT);
    await pass(scene.clock, 20, () => scene.told.length > 0);
    expect(scene.told.at(-1)?.text).toContain("could not be completed");
    expect(rowsOf(scene)).toEqual([]);
    // GitHub ends a token only for the app's secret.
    const isRevoked = scene.fake.calls.some(({ operation }) => operation === "sign-in/revoke");
    expect(isRevoked).toBe(scene.fake.kind === "gitlab");
  });

  it("a request that the person takes back connects nobody, even if the code was typed", async () => {
    const scene = await scened();
    const host = scene.host();
    const { code } = await begin(host);
    expect(await host.own.disconnect(BOB, host.own.clients)).toHaveLength(1);
    scene.fake.signIn.answer(code, OCTOCAT);
    await pass(scene.clock, 30, () => false);
    expect(rowsOf(scene)).toEqual([]);
  });
});
