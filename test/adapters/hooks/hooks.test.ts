/** Webhooks: forged, replayed, reordered, oversized and ancient ones, and what a success promises. */

import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHooks } from "../../../adapters/hooks/hooks.ts";
import { hookSecret } from "../../../adapters/hooks/signature.ts";
import { fill } from "../../../adapters/hooks/template.ts";
import type { Taken, Watch, WatchEvent } from "../../../src/ports/watch/watches.ts";
import { watchWith } from "../../runtime/watch/watch.ts";

const MASTER = "0123456789abcdef";
const NOW = Date.UTC(2026, 10, 25, 9);
const SECRET = hookSecret(MASTER, "alerts");

const WATCH = watchWith(
  { kind: "hook", title: null, text: null, key: null },
  { id: "alerts", place: "CGENERAL", by: "slack:UALICE" },
);

const rig = (answer: Taken = { kind: "stored" }, watches: readonly Watch[] = [WATCH]) => {
  const taken: WatchEvent[] = [];
  const hooks = createHooks({
    master: MASTER,
    watcher: {
      all: () => watches,
      take: (event) => Promise.resolve(taken.push(event) > 0 ? answer : answer),
    },
    reposOf: () => ["github.com/octo/other", "github.com/codertocat/hello-world"],
    clock: { now: () => NOW },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  const send = async (
    body: string,
    headers: Readonly<Record<string, string>> = { authorization: `Bearer ${SECRET}` },
    path = "/hooks/alerts",
  ) => {
    const response = await hooks.fetch(new Request(`http://host${path}`, { method: "POST", body, headers }));
    return { status: response.status, body: await response.json() };
  };
  return { hooks, send, taken };
};

const BODY = JSON.stringify({ title: "Disk full", url: "https://mon.example/1", fingerprint: "disk" });

const standard = (id: string, seconds: number, body = BODY, secret = SECRET) => ({
  "webhook-id": id,
  "webhook-timestamp": String(seconds),
  "webhook-signature": `v1,${createHmac("sha256", secret).update(`${id}.${seconds}.${body}`).digest("base64")}`,
});

describe("a webhook", () => {
  it("with the hook's token, its HMAC or the standard's signature is taken, with the sender's id", async () => {
    const { send, taken } = rig();
    const hub = `sha256=${createHmac("sha256", SECRET).update(BODY).digest("hex")}`;
    expect(await send(BODY)).toEqual({ status: 202, body: { result: "stored" } });
    await send(BODY, { "x-hub-signature-256": hub, "x-github-delivery": "d1" });
    await send(BODY, standard("m1", NOW / 1_000));
    expect(taken.map(({ delivery }) => delivery.slice(0, 2)).slice(1)).toEqual(["d1", "m1"]);
    expect(taken[0]).toMatchObject({
      watch: "alerts",
      title: "Disk full",
      link: "https://mon.example/1",
      at: NOW,
    });
  });

  it("without an id of its sender the same body is the same delivery, and events of one matter share a fingerprint", async () => {
    const { send, taken } = rig();
    await send(BODY);
    await send(BODY);
    await send(JSON.stringify({ title: "Still full", fingerprint: "disk" }));
    expect(taken[0]?.delivery).toBe(taken[1]?.delivery);
    expect(taken[2]?.delivery).not.toBe(taken[0]?.delivery);
    expect(new Set(taken.map(({ fingerprint }) => fingerprint)).size).toBe(1);
  });

  it("that is forged is refused: another hook's secret, another body, no signature, a part of one", async () => {
    const { send, taken } = rig();
    const other = hookSecret(MASTER, "others");
    const forged: readonly Readonly<Record<string, string>>[] = [
      { authorization: `Bearer ${other}` },
      { authorization: `Bearer ${SECRET.slice(0, -1)}` },
      { "x-hub-signature-256": `sha256=${createHmac("sha256", SECRET).update("other").digest("hex")}` },
      { "webhook-signature": "v1," },
      standard("m1", NOW / 1_000, BODY, other),
      {},
    ];
    for (const headers of forged) expect((await send(BODY, headers)).status).toBe(401);
    expect(taken).toEqual([]);
  });

  it("signed for a time more than a day ago, or ahead of now, is refused; of an hour ago it is taken", async () => {
    const { send, taken } = rig();
    const seconds = NOW / 1_000;
    expect((await send(BODY, standard("m1", seconds - 90_000))).body).toMatchObject({
      error: { code: "too_old" },
    });
    expect((await send(BODY, standard("m2", seconds + 3_600))).status).toBe(400);
    expect((await send(BODY, standard("m3", seconds - 3_600))).status).toBe(202);
    expect(taken.length).toBe(1);
  });

  it("that is too large, no JSON, for no hook or no POST is refused", async () => {
    const { hooks, send, taken } = rig();
    expect((await send("x".repeat(1_100_000))).status).toBe(413);
    expect((await send("{")).status).toBe(400);
    expect(
      (await send(BODY, { authorization: `Bearer ${hookSecret(MASTER, "nobody")}` }, "/hooks/nobody")).status,
    ).toBe(404);
    expect((await hooks.fetch(new Request("http://host/hooks/alerts"))).status).toBe(405);
    expect(taken).toEqual([]);
  });

  it("is answered with a success only where it is stored or known", async () => {
    const failed = { kind: "failed", code: "disk_full", message: "full" } as const;
    const statuses = await Promise.all(
      [
        { kind: "known" } as const,
        failed,
        { kind: "full" } as const,
        { kind: "off", why: "It is off." } as const,
      ].map(async (answer) => (await rig(answer).send(BODY)).status),
    );
    expect(statuses).toEqual([202, 503, 503, 409]);
  });

  it("has no address where nothing is watched", () => {
    expect(rig({ kind: "stored" }, []).hooks.owns("/hooks/alerts")).toBe(false);
    expect(rig().hooks.owns("/hooks/alerts")).toBe(true);
  });

  it("says itself what is its title, by a path or a text with paths", async () => {
    const source = { kind: "hook", title: "a.b[1].c", text: "{{ who }} at {{a.b}}", key: "key" } as const;
    const { send, taken } = rig({ kind: "stored" }, [{ ...WATCH, source }]);
    await send(JSON.stringify({ a: { b: [0, { c: "second" }] }, who: "me", key: 7 }));
    expect(taken[0]).toMatchObject({ title: "second", text: 'me at [0,{"c":"second"}]' });
  });
});

it("a template reads nothing but the body, and never fails", () => {
  fc.assert(
    fc.property(fc.string(), fc.json(), (template, json) => {
      expect(typeof fill(template, JSON.parse(json))).toBe("string");
    }),
  );
  expect(fill("constructor.name", {})).toBe("");
  expect(fill("__proto__.toString", {})).toBe("");
});
