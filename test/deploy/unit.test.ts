import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { execa } from "execa";
import { expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { root, startHost } from "../app/cli/host.ts";
import { sampleRepo } from "../sample-repo.ts";
import { scratch } from "../scratch.ts";
import { DRAIN } from "../../src/runtime/bot/drain.ts";
import { readUnit } from "./unit.ts";

const unit = readUnit();
/** Tier and remaining limits, as the host at this link reports them. */
const ofSandbox = async (link: string): Promise<unknown> => {
  const health: unknown = await (await fetch(new URL("/healthz", link))).json();
  return z.looseObject({ sandbox: z.looseObject({ residual: z.array(z.string()).nonempty() }) }).parse(health)
    .sandbox;
};
const here = (text: string): string => text.replaceAll("/opt/parley", root);

it("the unit is one that systemd accepts", async ({ skip }) => {
  if (!existsSync("/usr/bin/systemd-analyze")) return skip("systemd-analyze is not installed");
  const name = join(scratch("unit"), "parley.service");
  writeFileSync(name, here(unit.text));
  const { all, exitCode } = await execa({ all: true, reject: false })`systemd-analyze verify ${name}`;
  expect([exitCode, all]).toEqual([0, ""]);
});

it("sets nothing beside the file of settings: what stands in that would win", () => {
  expect(unit.text).toMatch(/^EnvironmentFile=\/opt\/parley\/\.env$/m);
  expect(unit.text).not.toMatch(/^Environment=/m);
});

it("leaves no image of its memory, which holds the keys, where it crashes", () => {
  expect(unit.text).toMatch(/^LimitCORE=0$/m);
  expect(readFileSync(join(root, "deploy/compose.yaml"), "utf8")).toMatch(/^ {4}ulimits:\n {6}core: 0$/m);
});

it("as an ordinary user it has no capability, and everything else as root's has", () => {
  const more = readFileSync(join(root, "deploy/parley-user.conf"), "utf8");
  const set = more.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  expect(set).toEqual(["[Service]", "User=parley", "CapabilityBoundingSet="]);
});

it("is stopped by a signal to Parley alone: one to its sandbox would fail what runs, and lose the tier, before the drain", () => {
  expect(unit.text).toMatch(/^KillMode=mixed$/m);
});

const conversation = z.looseObject({
  id: z.string(),
  phase: z.string(),
  question: z.looseObject({ id: z.string() }).optional(),
});

/** The demo model asks for write access, is given it, and writes. */
const converse = async (link: string): Promise<string> => {
  const { origin, searchParams } = new URL(link);
  const headers = {
    authorization: `Bearer ${searchParams.get("token")}`,
    "content-type": "application/json",
  };
  const call = async (path: string, body?: unknown): Promise<unknown> => {
    const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    return (await fetch(new URL(path, origin), { headers, ...sent })).json();
  };
  const { id } = conversation.parse(await call("/api/conversations", {}));
  const at = `/api/conversations/${id}`;
  const reaches = (phase: string) =>
    vi.waitFor(
      async () => {
        const found = conversation.parse(await call(at));
        expect(found).toMatchObject({ phase });
        return found;
      },
      { interval: 50 },
    );
  await call(`${at}/messages`, { text: "add a line to README.md" });
  const { question } = await reaches("awaitingApproval");
  await call(`${at}/actions`, { action: "decide", question: question?.id, choice: "approve" });
  await reaches("idle");
  return id;
};

it("its command, with the capabilities that it leaves to root, has all that root has here, holds a conversation, and ends in time", async ({
  skip,
}) => {
  if (process.getuid?.() !== 0) return skip("only root can give up capabilities and keep the rest");
  const kept = unit.capabilities.map((name) => `+${name.replace("CAP_", "").toLowerCase()}`);
  const command = unit.command.map(here);
  const data = scratch("unit-data");
  chmodSync(data, 0o711);
  const PARLEY_REPO = await sampleRepo("# Sample\n");
  const child = spawn("/usr/bin/setpriv", ["--bounding-set", ["-all", ...kept].join(","), ...command], {
    env: { PATH: process.env["PATH"], PARLEY_DATA: data, PARLEY_PORT: "0", PARLEY_REPO },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit");
  let link = "";
  for await (const line of createInterface({ input: child.stdout })) {
    link = /^console: (.+)$/.exec(line)?.[1] ?? "";
    if (link !== "") break;
  }
  const whole = await startHost(scratch("unit-whole"));
  onTestFinished(async () => void (await whole.stop("SIGKILL")));
  expect(await ofSandbox(link)).toEqual(await ofSandbox(whole.url));
  const id = await converse(link);
  expect(readFileSync(join(data, "threads", id, "work/README.md"), "utf8")).not.toBe("# Sample\n");
  child.kill("SIGTERM");
  expect((await ended)[0]).toBe(0);
  const total = Object.values(DRAIN).reduce((sum, ms) => sum + ms, 0);
  expect(unit.stopWithin * 1_000).toBeGreaterThan(total);
});
