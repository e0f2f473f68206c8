/** What doctor says of the machine: memory, files, room, ports and clock, each good and bad. */

import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { certificatesFindings } from "../../../../src/app/cli/doctor/certificates-finding.ts";
import { listenForDates } from "../../../../src/app/cli/doctor/clock-finding.ts";
import {
  dataFinding,
  hostFindings,
  nodeFinding,
  thisMachine,
  retentionFindings,
  portFinding,
} from "../../../../src/app/cli/doctor/host-findings.ts";
import { migrate, SCHEMA } from "../../../../src/store/base/migrations.ts";
import { scratch } from "../../../scratch.ts";
import { lineOf, linesOf } from "./findings.ts";

/** Answers everything with this. */
const served = async (body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<number> => {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
};

const nodeLine = (version: string): string => lineOf(nodeFinding(version, "/usr/bin/node"));

describe("the machine", () => {
  it("is judged by what Parley needs", async () => {
    const good = await linesOf(hostFindings({ memory: 2e9, files: 20_000, timeZone: "Europe/Berlin" }));
    const [node, ...others] = good.map((line) => line.split(":")[0]);
    expect(node).toMatch(/^(ok|warning) node$/);
    expect(others).toEqual(["ok memory", "ok files", "ok time zone"]);
    expect(good[3]).toContain("Europe/Berlin; budget days begin at 00:00 UTC");
    const bad = await linesOf(hostFindings({ memory: 5e8, files: 1_024, timeZone: "UTC" }));
    expect(bad[1]).toMatch(/^warning memory: 0\.5 GB -> Provide at least 1 GB/);
    expect(bad[2]).toMatch(
      /^warning files: up to 1024 open files per process -> Raise the limit .*LimitNOFILE/,
    );
  });

  it("has a Node without weaknesses that are known, or is asked for one", () => {
    for (const sound of ["24.22.1", "24.23.0", "26.12.1", "27.0.0"])
      expect(nodeLine(sound)).toBe(`ok node: ${sound} (/usr/bin/node)`);
    for (const weak of ["24.21.0", "24.22.0", "25.9.0", "26.12.0"])
      expect(nodeLine(weak)).toMatch(
        /^warning node: .* -> Start bin\/parley\.js with Node 24\.22\.1, 26\.12\.1 or newer; TLS and DNS/,
      );
  });

  it("is measured where it runs", () => {
    const { memory, files } = thisMachine();
    expect(memory).toBeGreaterThan(1e8);
    expect(files).toBeGreaterThan(100);
  });

  it("has space for bytes and for files, or is asked for it", () => {
    const data = scratch("doctor-room");
    const found = (free: number, inodes: number | null): string =>
      lineOf(dataFinding(data, () => ({ free, inodes })));
    expect(lineOf(dataFinding(data))).toMatch(/^(ok|warning) data: .*space for \d+\.\d GB/);
    expect(found(5e9, 100_000)).toBe(`ok data: ${data}, space for 5.0 GB and 100000 files`);
    expect(found(5e9, null)).toBe(`ok data: ${data}, space for 5.0 GB`);
    expect(found(5e8, null)).toMatch(/^warning data: .* -> Free space/);
    expect(found(5e9, 100)).toMatch(/^warning data: .* and 100 files -> Free space/);
  });
});

const ofSchema = (version: number) => (db: Database.Database) => {
  migrate(db, "it");
  db.pragma(`user_version = ${version}`);
};

const left = async (make: (db: Database.Database) => void): Promise<readonly string[]> => {
  const PARLEY_DATA = scratch("doctor-kept");
  const db = new Database(join(PARLEY_DATA, "parley.sqlite"));
  make(db);
  db.close();
  return linesOf(retentionFindings({ PARLEY_DATA }));
};

describe("what earlier starts left", () => {
  it("is a database of this version, of an older or of a newer one, or none of Parley's; a token, or no usable one", async () => {
    expect(await linesOf(retentionFindings({ PARLEY_DATA: scratch("doctor-new") }))).toEqual([
      "ok database: none yet; the first start creates the database",
    ]);
    expect(await left(ofSchema(SCHEMA))).toEqual([`ok database: schema ${SCHEMA}`]);
    expect((await left(ofSchema(1)))[0]).toMatch(/^ok database: schema 1; .* take a backup first$/);
    expect((await left(ofSchema(SCHEMA + 1)))[0]).toMatch(/^error database: .* -> Start the newer Parley/);
    expect((await left((db) => db.exec("CREATE TABLE theirs (a)")))[0]).toMatch(
      /^error database: .* is not a database of Parley.* -> Restore a backup/,
    );
    const short = scratch("doctor-token");
    writeFileSync(join(short, "console-token"), "abc");
    expect((await linesOf(retentionFindings({ PARLEY_DATA: short })))[1]).toMatch(
      /^error console token: .* -> Delete /,
    );
    expect(existsSync(join(short, "parley.sqlite"))).toBe(false);
  });
});

const found = (path: string | undefined, taken = 2, now = Date.UTC(2026, 0)): string => {
  const [finding] = certificatesFindings(path, { taken, now });
  return finding === undefined ? "nothing" : lineOf(finding);
};

describe("the authorities of NODE_EXTRA_CA_CERTS", () => {
  const folder = scratch("doctor-authorities");
  const given = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const usual = rootCertificates.slice(0, 2).join("\n");
  const wrong = "error certificates: NODE_EXTRA_CA_CERTS: ";

  it("are counted where Node took them, and nothing is said where none are named", () => {
    expect([found(undefined), found("")]).toEqual(["nothing", "nothing"]);
    const path = given("good.pem", `Of a company\n${usual}\n`);
    expect(found(path)).toBe(`ok certificates: ${path}: 2 authorities in addition to the usual ones`);
    expect(found(path, 2, Date.UTC(2100, 0))).toMatch(
      /^warning certificates: .* was valid until \d{4}-\d\d-\d\d -> Add the new certificate/,
    );
    const bundle = given("bundle.pem", `${usual}\n`.repeat(60));
    expect(found(bundle, 60, Date.UTC(2100, 0))).toMatch(/^ok certificates: .* authorities in addition/);
  });

  it.each([
    ["gone.pem", null, "gone.pem cannot be read (ENOENT) -> Name a file"],
    ["raw.der", "\u0030\u0082\u0001", "raw.der contains no PEM certificate -> Convert the file to PEM"],
    ["empty.pem", "", "empty.pem contains no PEM certificate -> Convert the file to PEM"],
    [
      "torn.pem",
      `${usual}\n-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----\n`,
      "1 of the 3 certificates in",
    ],
  ])("%s is an error with its remedy", (name, text, said) => {
    const path = text === null ? join(folder, name) : given(name, text);
    expect(found(path)).toContain(wrong);
    expect(found(path)).toContain(said);
  });

  it("are of no use where Node did not see the setting", () => {
    expect(found(given("late.pem", usual), 0)).toMatch(
      /is valid, but Node did not read it -> .*before \.env/,
    );
  });
});

const tried = async (port: number, host = "127.0.0.1"): Promise<string> =>
  lineOf(await portFinding("console", host, port, "PARLEY_PORT"));

describe("a port", () => {
  it("is free, Parley's own, or somebody else's", async () => {
    expect(await tried(0)).toBe("ok console: any free port");
    const parley = await served({ status: "ok", version: "1.2.3", sandbox: { tier: "T0" } });
    expect(await tried(parley)).toBe(`ok console: 127.0.0.1:${parley} is in use by Parley itself (1.2.3)`);
    const other = await served({ version: "9" });
    expect(await tried(other)).toBe(
      `error console: another process uses 127.0.0.1:${other} -> Stop that process, or set PARLEY_PORT to another port.`,
    );
  });

  it("is on an address of this machine", async () => {
    expect(await tried(0, "192.0.2.1")).toMatch(
      /^error console: Parley cannot listen on 192\.0\.2\.1:0 \(EADDR/,
    );
  });
});

const heard = async (ahead: number): Promise<string | null> => {
  const at = Date.UTC(2026, 10, 2, 12);
  const port = await served({}, { date: new Date(at).toUTCString() });
  const dates = listenForDates(() => at + ahead);
  onTestFinished(() => dates.close());
  await (await fetch(`http://127.0.0.1:${port}/`)).json();
  const [finding] = dates.findings();
  return finding === undefined ? null : lineOf(finding).replace(String(port), "PORT");
};

describe("the clock", () => {
  it("is compared with the dates of answers that come anyway", async () => {
    expect(await heard(2_000)).toBe("ok clock: correct, compared with 127.0.0.1:PORT");
    expect(await heard(-60_000)).toMatch(
      /^warning clock: 60 s behind 127\.0\.0\.1:PORT -> Set the clock by a time server/,
    );
    expect(await heard(400_000)).toMatch(/^error clock: 400 s ahead of 127\.0\.0\.1:PORT -> Set the clock/);
  });

  it("hears Node's own client too, and says nothing where nobody answered", async () => {
    const dates = listenForDates(() => 0);
    onTestFinished(() => dates.close());
    expect([...dates.findings()]).toEqual([]);
    const port = await served({}, { date: "Thu, 01 Jan 1970 00:00:00 GMT" });
    const { get } = await import("node:http");
    const [answer] = await once(get(`http://127.0.0.1:${port}/`), "response");
    answer.resume();
    await once(answer, "end");
    expect([...dates.findings()]).toEqual([expect.objectContaining({ level: "ok", what: "clock" })]);
  });
});
