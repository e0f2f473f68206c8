import { expect, test } from "vitest";
import { z } from "zod";
import { launchFake } from "../../shared/launch.ts";
import { ask, clientOf } from "../harness.ts";
import { say } from "../turn.ts";

const announced = z.object({ port: z.number(), url: z.string(), apiKey: z.string() });

test("a fake of its own process is scripted, watched and ended from outside", async () => {
  const { server, told, end } = await launchFake(new URL("../main.ts", import.meta.url), announced);
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

  expect(await end()).toEqual([0, null]);
});
