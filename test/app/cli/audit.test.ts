import { execa } from "execa";
import Database from "better-sqlite3";
import fc from "fast-check";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { csvLine } from "../../../src/app/cli/audit.ts";
import { scratch } from "../../scratch.ts";
import { root, startHost } from "./host.ts";

const audit = (data: string, ...args: readonly string[]) =>
  execa(process.execPath, ["bin/parley.js", "audit", ...args], {
    cwd: root,
    env: { PARLEY_DATA: data },
    reject: false,
  });

const line = z.looseObject({ outcome: z.string(), fingerprintMatches: z.boolean() });

it("parley audit tells who answered what, beside a running host, as JSON and CSV; a changed row shows", async () => {
  const data = scratch("audit");
  const host = await startHost(data, { PARLEY_REPO: root });
  onTestFinished(() => void host.process.kill("SIGKILL"));
  const { id } = z
    .looseObject({ id: z.string() })
    .parse((await host.call("POST", "/api/conversations", {})).body);
  const path = `/api/conversations/${id}`;
  await host.call("POST", `${path}/messages`, { text: "add a line to README.md" });
  const asking = z.looseObject({ question: z.looseObject({ id: z.string(), reason: z.string() }) });
  await expect.poll(async () => asking.safeParse((await host.call("GET", path)).body).success).toBe(true);
  const { question } = asking.parse((await host.call("GET", path)).body);
  await host.call("POST", `${path}/actions`, { action: "decide", question: question.id, choice: "deny" });

  const json = await audit(data);
  expect(json.exitCode).toBe(0);
  expect(line.parse(JSON.parse(json.stdout))).toMatchObject({
    kind: "upgrade",
    surface: "console",
    conversation: id,
    shown: "Unrestricted mode",
    reason: question.reason,
    fingerprintMatches: true,
    outcome: "deny",
    by: "console:operator",
  });
  const [head, row] = (await audit(data, "--csv")).stdout.split(/\r?\n/);
  expect(head).toMatch(/^askedAt,kind,surface,repo,conversation,shown,/);
  expect(row).toContain(",deny,console:operator,");
  await host.stop("SIGTERM");

  const db = new Database(join(data, "parley.sqlite"));
  db.exec("UPDATE questions SET shown = replace(shown, 'upgrade', 'danger')");
  db.close();
  expect((await audit(data)).stdout).toContain('"fingerprintMatches":false');
});

it("without a database it says so, and an unknown option is refused", async () => {
  const data = scratch("audit-none");
  expect(await audit(data)).toMatchObject({ exitCode: 1, stderr: `There is no database in ${data} yet.` });
  expect(await audit(data, "--xml")).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("Usage") });
});

it("a CSV line gives its fields back, and none begins a formula", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" }), { minLength: 1 }), (fields) => {
      const text = csvLine(fields);
      expect(text.endsWith("\r\n")).toBe(true);
      const back = parse(text.slice(0, -2));
      expect(back.map((field) => field.replace(/^'(?='*[=+\-@\t\r])/, ""))).toEqual(fields);
      for (const field of back) expect(field).not.toMatch(/^[=+\-@\t\r]/);
    }),
    { examples: [[["'+", ""]], [["''=1", "+"]]] },
  );
});

/** RFC 4180, one record. */
const parse = (text: string): readonly string[] => {
  const fields: string[] = [];
  for (let at = 0; at <= text.length; ) {
    if (text[at] === '"') {
      let end = at + 1;
      while (text[end] !== '"' || text[end + 1] === '"') end += text[end] === '"' ? 2 : 1;
      fields.push(text.slice(at + 1, end).replaceAll('""', '"'));
      at = end + 2;
    } else {
      const next = text.indexOf(",", at);
      const end = next < 0 ? text.length : next;
      fields.push(text.slice(at, end));
      at = end + 1;
    }
  }
  return fields;
};
