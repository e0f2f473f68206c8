import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { ask, clientOf } from "./harness.ts";
import { say } from "./turn.ts";

const announced = z.object({ port: z.number(), url: z.string(), apiKey: z.string() });

const launch = async () => {
  const child = spawn(process.execPath, [new URL("main.ts", import.meta.url).pathname], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const [line] = await once(createInterface(child.stdout), "line");
  const server = announced.parse(JSON.parse(String(line)));
  const told = async (path: string, body?: object): Promise<unknown> => {
    const response = await fetch(
      `${server.url}/__fake/${path}`,
      body === undefined ? {} : { method: "POST", body: JSON.stringify(body) },
    );
    return { status: response.status, ...z.record(z.string(), z.unknown()).parse(await response.json()) };
  };
  return { child, server, told };
};

test("a fake of its own process is scripted, watched and ended from outside", async () => {
  const { child, server, told } = await launch();
  const client = clientOf(server);

  expect(await told("script", { turns: [say(["one", { gate: "middle" }, "two"])] })).toMatchObject({
    scripted: 1,
  });
  expect(await told("faults", { faults: [{ kind: "status", status: 529 }] })).toMatchObject({ faults: 1 });

  await expect(client.messages.create(ask())).rejects.toMatchObject({ status: 529 });
  const stream = client.messages.stream(ask());
  expect(await told("gates/middle/reached")).toMatchObject({ reached: "middle" });
  expect(await told("gates/middle/open", {})).toMatchObject({ opened: "middle" });
  expect((await stream.finalMessage()).content).toMatchObject([{ text: "onetwo" }]);

  expect(await told("journal?atLeast=2")).toMatchObject({
    requests: [{ seq: 1 }, { seq: 2, body: { max_tokens: 1000 } }],
  });
  expect(await told("requests/2/ended")).toMatchObject({ kind: "answered" });
  expect(await told("violations")).toMatchObject({ violations: [], pending: 0 });
  expect(await told("script", { turns: [{ contents: [] }] })).toMatchObject({ status: 400 });
  expect(await told("nonsense")).toMatchObject({ status: 400 });

  const exited = once(child, "exit");
  child.stdin.end();
  expect(await exited).toEqual([0, null]);
});
