/** Servers that others wrote: over their standard input in the real sandbox, and over Streamable HTTP on this machine. */

import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Sandbox } from "../../../sandbox/types.ts";
import { listen, OPEN, openEgress } from "../../sandbox/egress/client.ts";
import { LOOKS, ORIGINS } from "../../looks.ts";
import { scratch } from "../../scratch.ts";
import {
  accepted,
  at,
  createWorld,
  entryOf,
  openSandbox,
  program,
  real,
  SECRET,
  type World,
} from "./world.ts";
import { bearing, openWeb, portOf } from "./web.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const READS = [
  "echo",
  "get-tiny-image",
  "trigger-long-running-operation",
  "get-env",
  "get-structured-content",
];

const everything = (rest: Parameters<typeof entryOf>[2] = {}): Promise<World> =>
  accepted(createWorld(sandbox, [entryOf("all", real("everything", "stdio"), { reads: READS, ...rest })]));

test("server-everything: tools are listed with their schemas, and those that read are called", async () => {
  const world = await everything();
  expect((await world.list()).text).toMatch(/^all has 1\d tools; mcp_tools with this server/);
  const { text } = await world.list("all");
  expect(text).toContain("echo (read):");
  expect(text).toContain("get-sum (write):");
  expect(text).toMatch(/\| Schema: \{.*"message"/);
  expect((await world.call("all", "echo", { message: "hello" })).text).toContain("| Echo: hello");
  expect((await world.call("all", "get-structured-content", { location: "Chicago" })).text).toContain("| ");
});

test("41.1 each tool says whose text its results are, and how its calls are told", () => {
  const { tools } = createWorld(sandbox, []);
  const said = tools.map(({ spec: { name }, origin, look, judge }) => ({ name, origin, look, judge }));
  expect(said).toEqual(
    ["mcp_tools", "mcp_call"].map((name) => ({
      name,
      origin: ORIGINS.get(name),
      look: LOOKS.get(name),
      judge: null,
    })),
  );
});

test("a picture comes as one, decoded in the sandbox", async () => {
  const { images, text } = await (await everything()).call("all", "get-tiny-image");
  expect(images).toEqual([{ hash: expect.stringMatching(/^[0-9a-f]{64}$/), mediaType: "image/png" }]);
  expect(text).toContain("[a picture, by all]");
});

test("progress keeps a call going beyond its time; without it the call ends", async () => {
  const world = await everything({ timeout: 1_500 });
  const long = await world.call("all", "trigger-long-running-operation", { duration: 4, steps: 8 });
  expect(long.isError).toBe(false);
  const still = await world.call("all", "trigger-long-running-operation", { duration: 10, steps: 1 });
  expect(still.isError).toBe(true);
});

test("its environment is what was declared, and nothing of this process", async () => {
  const { text } = await (await everything()).call("all", "get-env");
  expect(text).toContain('"A_TOKEN": "***"');
  expect(text).toContain('"HOME": "/tmp"');
  expect(text).not.toContain("VITEST");
});

test("one that writes is put before people with its arguments, and done once somebody approved exactly those", async () => {
  const world = await everything();
  const sum = { a: 2, b: 40 };
  const proposed = await world.propose("all", "get-sum", sum);
  if (proposed.kind !== "proposal") throw new Error(JSON.stringify(proposed));
  expect(proposed).toMatchObject({ write: "mcp_call", scope: "all/get-sum" });
  expect(proposed.proposal.texts).toEqual([{ name: "Arguments", text: JSON.stringify(sum, null, 2) }]);
  const { fingerprint } = proposed;
  const approved = { write: "mcp_call", by: { id: "slack:U1" }, at: 1, fingerprint } as const;
  const other = await world.write("all", "get-sum", { a: 2, b: 41 }, { approved });
  expect(other.wrote).toMatchObject({ kind: "void" });
  const done = await world.write("all", "get-sum", sum, { approved });
  expect(done.wrote).toEqual({ kind: "done", name: "all/get-sum" });
  expect(done.outcome.text).toContain("The sum of 2 and 40 is 42.");
  const again = await world.write("all", "get-sum", sum, { approved, again: true, interrupted: true });
  expect(again.wrote).toMatchObject({ kind: "unknown" });
  expect(again.outcome.text).not.toContain("42");
  // A person who wants it again after that has it done.
  const wanted = await world.write("all", "get-sum", sum, { approved, again: true });
  expect(wanted.wrote.kind).toBe("done");
});

test("a write is not run as if it read, and a channel has what it switched on", async () => {
  const entries = [
    entryOf("all", real("everything", "stdio")),
    entryOf("other", real("everything", "stdio")),
  ];
  const world = await accepted(createWorld(sandbox, entries, { enabled: ["all"] }));
  await expect(world.call("all", "get-sum", { a: 1, b: 1 })).rejects.toThrow("a person is asked");
  const refused = await world.call("other", "echo", { message: "x" });
  expect(refused.text).toContain("It has: all.");
  expect((await world.call("all", "echo", { message: "x" })).isError).toBe(false);
  expect((await world.list("other")).isError).toBe(true);
});

test("L15 an address that nobody else wrote is put before people, also in a call that reads", async () => {
  const world = await accepted(createWorld(sandbox, [entryOf("all", real("everything", "stdio"))]));
  const page = { message: "Read https://docs.example/x?page=2" };
  expect((await world.propose("all", "echo", page)).kind).toBe("proposal");
  expect((await world.propose("all", "echo", page, ["https://docs.example/x?page=3"])).kind).toBe("proposal");
  expect((await world.propose("all", "echo", page, ["https://docs.example/x?page=2"])).kind).toBe("none");
  expect((await world.propose("all", "echo", { message: "Read the docs" })).kind).toBe("none");
});

test("server-filesystem reads what was declared, and nothing beside", async () => {
  const folder = scratch("mcp-files");
  for (const name of ["shown", "hidden"]) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "note.txt"), `${name} words`);
  }
  const way = real("filesystem", join(folder, "shown"), join(folder, "hidden"));
  const files = (paths: readonly string[]): Promise<World> =>
    accepted(
      createWorld(sandbox, [
        entryOf(
          "files",
          { ...way, paths: [...way.paths, ...paths] },
          { reads: ["read_text_file", "write_file"] },
        ),
      ]),
    );
  const read = (world: World, name: string) =>
    world.call("files", "read_text_file", { path: join(folder, name, "note.txt") });
  const one = await files([join(folder, "shown")]);
  expect((await read(one, "shown")).text).toContain("| shown words");
  expect((await read(one, "hidden")).text).not.toContain("hidden words");
  const target = join(folder, "shown", "new.txt");
  expect((await one.call("files", "write_file", { path: target, content: "x" })).isError).toBe(true);
  const both = await files([folder]);
  expect((await read(both, "hidden")).text).toContain("| hidden words");
});

test("a program without hosts has no network at all", async () => {
  const server = createServer((_, answer) => answer.end("reached"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const port = portOf(server);
  const script = `fetch("http://127.0.0.1:${port}").then(() => console.log("out"), () => console.log("no way")).then(() => process.exit(1))`;
  const world = createWorld(sandbox, [entryOf("one", program(["-e", script]))]);
  expect((await world.list("one")).text).toContain("no way");
});

test("a program reaches the hosts that it declares and no other", async ({ skip }) => {
  const open = await openSandbox({ egress: await openEgress() });
  onTestFinished(() => open.close());
  if (open.probe.egress !== "proxy") skip("egress shares the host's network here");
  await using declared = await listen(createServer((_, answer) => answer.end("declared")));
  await using other = await listen(createServer((_, answer) => answer.end("other")));
  const script = `curl -s http://${OPEN}:${declared.port}; echo; curl -s http://${OPEN}:${other.port}; exit 1`;
  const way = { ...program([]), argv: ["/bin/sh", "-c", script], hosts: [`${OPEN}:${declared.port}`] };
  const { text } = await createWorld(open, [entryOf("one", way)]).list("one");
  expect(text).toContain("declared");
  expect(text).toContain(`Parley does not let commands reach ${OPEN}:${other.port}`);
  expect([declared.count(), other.count()]).toEqual([1, 0]);
});

test("Streamable HTTP: called with the operator's token, and told why it cannot be used without", async () => {
  const url = await openWeb(bearing(SECRET));
  const given = entryOf("web", at(url, { Authorization: `Bearer ${SECRET}` }));
  const world = await accepted(createWorld(sandbox, [given, entryOf("bare", at(url))]));
  const { text, reached } = await world.call("web", "echo", { message: "over HTTP" });
  expect(text).toContain("| Echo: over HTTP");
  expect(reached).toEqual([{ host: "127.0.0.1", port: Number(new URL(url).port), allowed: true }]);
  const refused = await world.list("bare");
  expect(refused.text).toContain("bare cannot be used now:");
  expect(refused.text).toMatch(/401|Unauthorized/i);
  expect(await world.servers.look("bare")).toMatchObject({ kind: "failed" });
});
