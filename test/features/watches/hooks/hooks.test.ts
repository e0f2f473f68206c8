/** Webhooks: forged, replayed, reordered, oversized and ancient ones, and what a success promises. */

import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHooks } from "../../../../src/features/watches/hooks/hooks.ts";
import type { BodyLimits } from "../../../../src/features/watches/hooks/bodies.ts";
import { hookSecret } from "../../../../src/features/watches/hooks/signature.ts";
import { fillTemplate } from "../../../../src/features/watches/hooks/generic.ts";
import type { EventReceipt, Watch, WatchEvent } from "../../../../src/features/watches/store/watches.ts";
import { watchWith } from "../watch.ts";

const MASTER = "0123456789abcdef";
const NOW = Date.UTC(2026, 10, 25, 9);
const SECRET = hookSecret(MASTER, "alerts");
/** As earlier versions printed it. */
const HEX = createHmac("sha256", MASTER).update("parley hook alerts").digest("hex");

const WATCH = watchWith(
  { kind: "hook", title: null, text: null, key: null },
  { id: "alerts", place: "CGENERAL", by: "slack:UALICE" },
);

const rig = (
  answer: EventReceipt = { kind: "stored" },
  watches: readonly Watch[] = [WATCH],
  limits?: BodyLimits,
) => {
  const taken: WatchEvent[] = [];
  const hooks = createHooks({
    master: MASTER,
    watcher: {
      all: () => watches,
      renew: () => undefined,
      take: (event) => Promise.resolve(taken.push(event) > 0 ? answer : answer),
    },
    reposOf: () => ["github.com/octo/other", "github.com/codertocat/hello-world"],
    clock: { now: () => NOW },
    ...(limits && { limits }),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  const send = async (
    body: string | ReadableStream<Uint8Array>,
    headers: Readonly<Record<string, string>> = { authorization: `Bearer ${SECRET}` },
    path = "/hooks/alerts",
  ) => {
    const init = { method: "POST", body, headers, duplex: "half" } as const;
    const response = await hooks.fetch(new Request(`http://host${path}`, init));
    return { status: response.status, body: await response.json() };
  };
  return { hooks, send, taken };
};

const BODY = JSON.stringify({ title: "Disk full", url: "https://mon.example/1", fingerprint: "disk" });

const standard = (id: string, seconds: number, body = BODY, secret = SECRET) => ({
  "webhook-id": id,
  "webhook-timestamp": String(seconds),
  "webhook-signature": `v1,${createHmac("sha256", decoded(secret)).update(`${id}.${seconds}.${body}`).digest("base64")}`,
});

/** As the standard's libraries read a secret. */
const decoded = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ""), "base64");

const hub = (body: string, secret = SECRET) => ({
  "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
});

describe("a webhook", () => {
  it("with the hook's token, its HMAC or the standard's signature is taken, with the sender's id", async () => {
    const { send, taken } = rig();
    expect(await send(BODY)).toEqual({ status: 202, body: { result: "stored" } });
    await send(BODY, { authorization: `Bearer ${SECRET}`, "x-github-delivery": "d1" });
    await send(BODY, standard("m1", NOW / 1_000));
    await send(BODY, hub(BODY));
    expect(taken.map(({ delivery }) => delivery.slice(0, 2)).slice(1, 3)).toEqual(["d1", "m1"]);
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

  it("40.A12 signed by an HMAC of the body is one delivery, whatever id somebody writes beside it", async () => {
    const { send, taken } = rig();
    const ids = ["x-github-delivery", "webhook-id", "idempotency-key"];
    for (const name of ids) expect((await send(BODY, { ...hub(BODY), [name]: "another" })).status).toBe(202);
    expect(new Set(taken.map(({ delivery }) => delivery)).size).toBe(1);
    // Another body is another delivery, and a signed id still tells two of the same body apart.
    const other = JSON.stringify({ title: "Other" });
    await send(other, hub(other));
    await send(BODY, standard("m1", NOW / 1_000));
    await send(BODY, standard("m2", NOW / 1_000));
    expect(new Set(taken.map(({ delivery }) => delivery)).size).toBe(4);
  });

  it("40.B the printed secret works as Standard Webhooks' libraries read it, and the old one in hex stays valid", async () => {
    const { hooks, send, taken } = rig();
    expect(SECRET).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const seconds = NOW / 1_000;
    const signedWith = (key: string | Buffer) =>
      `v1,${createHmac("sha256", key).update(`m.${seconds}.${BODY}`).digest("base64")}`;
    const head = { "webhook-id": "m", "webhook-timestamp": String(seconds) };
    const right: readonly Readonly<Record<string, string>>[] = [
      standard("m", seconds),
      standard("m", seconds, BODY, HEX),
      { ...head, "webhook-signature": signedWith(HEX) },
      { ...head, "webhook-signature": `v1,AAAA ${signedWith(decoded(SECRET))}` },
      { authorization: `Bearer ${SECRET}` },
      { authorization: `Bearer ${HEX}` },
      { "x-gitlab-token": SECRET },
      { "x-gitlab-token": HEX },
      hub(BODY),
      hub(BODY, HEX),
    ];
    for (const headers of right)
      expect([headers, (await send(BODY, headers)).status]).toEqual([headers, 202]);
    const wrong: readonly Readonly<Record<string, string>>[] = [
      { ...head, "webhook-signature": signedWith("") },
      { ...head, "webhook-signature": signedWith(MASTER) },
      { authorization: `Bearer ${SECRET.replace("whsec_", "")}` },
      hub(BODY, SECRET.replace("whsec_", "")),
    ];
    for (const headers of wrong)
      expect([headers, (await send(BODY, headers)).status]).toEqual([headers, 401]);
    expect(taken.length).toBe(right.length);
    expect([hooks.knows(SECRET), hooks.knows(HEX), hooks.knows(MASTER)]).toEqual([true, true, false]);
  });

  it("40.C10 has its address in any case, with or without a slash at the end", async () => {
    const { hooks, send } = rig();
    for (const path of ["/hooks/Alerts", "/Hooks/ALERTS/"]) {
      expect(hooks.owns(path)).toBe(true);
      expect((await send(BODY, undefined, path)).status).toBe(202);
    }
    expect((await send(BODY, undefined, "/hooks/alerts/more")).status).toBe(401);
  });

  it("40.A6 that is nested or wide is passed on as it came, cut, and never written out again", async () => {
    const deep = `{"alarm":${"[".repeat(250_000)}${"]".repeat(250_000)}}`;
    const wide = `{"alarm":[${"1,".repeat(250_000)}1]}`;
    const { send, taken } = rig();
    for (const body of [deep, wide]) expect((await send(body)).status).toBe(202);
    expect(taken.map(({ text }) => text)).toEqual([deep.slice(0, 16_384), wide.slice(0, 16_384)]);
    const named = { kind: "hook", title: "alarm", text: "{{alarm}}", key: null } as const;
    const mapped = rig({ kind: "stored" }, [{ ...WATCH, source: named }]);
    for (const body of [deep, wide]) expect((await mapped.send(body)).status).toBe(202);
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

/** A request whose body arrives as the test pushes it. */
const slow = (hooks: ReturnType<typeof rig>["hooks"]) => {
  const parts = new TransformStream<Uint8Array, Uint8Array>();
  const writer = parts.writable.getWriter();
  writer.closed.catch(() => undefined);
  const init = {
    method: "POST",
    body: parts.readable,
    headers: { authorization: `Bearer ${SECRET}` },
    duplex: "half" as const,
  };
  const answer = hooks.fetch(new Request("http://host/hooks/alerts", init)).then(({ status }) => status);
  return { push: (bytes: Uint8Array) => writer.write(bytes).catch(() => undefined), answer };
};

describe("40.A7 bodies of unproven senders", () => {
  const MIB = 1_048_576;
  it("together hold no more than their limit: the oldest gives way, and one that arrives at once is taken", async () => {
    const { hooks, send } = rig(undefined, undefined, { each: MIB, all: 4 * MIB, time: 60_000 });
    const all = Array.from({ length: 12 }, () => slow(hooks));
    const statuses: number[] = [];
    for (const { answer } of all) void answer.then((status) => statuses.push(status));
    for (const one of all) {
      await one.push(new Uint8Array(600_000));
      expect((await send(BODY)).status).toBe(202);
    }
    expect(statuses).toEqual(Array.from({ length: 6 }, () => 503));
  });

  it("that do not end are given up after their time, and one in small parts is taken whole", async () => {
    const late = rig(undefined, undefined, { each: MIB, all: 4 * MIB, time: 20 });
    expect(await slow(late.hooks).answer).toBe(503);
    const { send, taken } = rig();
    const body = JSON.stringify({ title: "Small parts", text: "x".repeat(200_000) });
    const bytes = new TextEncoder().encode(body);
    let at = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (at >= bytes.length) controller.close();
        else controller.enqueue(bytes.slice(at, at + 997));
        at += 997;
      },
    });
    expect((await send(stream)).status).toBe(202);
    expect(taken[0]?.text.length).toBe(200_000);
  });
});

it("a template reads nothing but the body, and never fails", () => {
  fc.assert(
    fc.property(fc.string(), fc.json(), (template, json) => {
      expect(typeof fillTemplate(template, JSON.parse(json))).toBe("string");
    }),
  );
  expect(fillTemplate("constructor.name", {})).toBe("");
  expect(fillTemplate("__proto__.toString", {})).toBe("");
});
