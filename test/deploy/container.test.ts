import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { readConfig } from "../../src/app/settings/config.ts";
import { root, startHost } from "../app/cli/host.ts";
import { scratch } from "../scratch.ts";
import { pairsOf, readStages } from "./dockerfile.ts";
import { readUnit } from "./unit.ts";

const stages = readStages();
const last = stages.at(-1);
const steps = (instruction: string) =>
  last?.steps.filter((step) => step.instruction === instruction).map(({ rest }) => rest) ?? [];
const words = z.array(z.string());

it("each step of the Dockerfile is one that Docker knows, and each shell line is one that sh can read", () => {
  const known = ["RUN", "COPY", "WORKDIR", "ENV", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"];
  for (const { instruction, rest } of stages.flatMap((stage) => stage.steps)) {
    expect(known).toContain(instruction);
    if (instruction === "RUN") execFileSync("sh", ["-n", "-c", rest]);
  }
  // Git's own files only, each by its name, so that the packages are kept for as long as these are the same.
  const [first, ...more] = stages[0]?.steps.filter((step) => step.instruction === "COPY") ?? [];
  const [target, ...sources] = first?.rest.split(" ").toReversed() ?? [];
  expect([target, more.map(({ rest }) => rest)]).toEqual(["./", [". ."]]);
  for (const source of sources) expect(existsSync(join(root, source))).toBe(true);
  const names = stages.map(({ name }) => name);
  for (const copy of steps("COPY")) expect(names).toContain(/^--from=(\S+)/.exec(copy)?.[1]);
});

it("its settings are settings of Parley, and start it: the port is published, so a proxy is declared", () => {
  const env = Object.assign({}, ...steps("ENV").map(pairsOf));
  expect(readConfig(env, scratch("image"))).toMatchObject({
    kind: "config",
    config: { PARLEY_DATA: "/data", PARLEY_HOST: "0.0.0.0", PARLEY_PROXY_HOSTS: ["localhost"] },
  });
  expect(steps("VOLUME")).toEqual(["/data"]);
  expect(steps("ENTRYPOINT").map((rest) => words.parse(JSON.parse(rest)))).toEqual([["parley"]]);
  expect(steps("CMD").map((rest) => words.parse(JSON.parse(rest)))).toEqual([["start"]]);
});

it("its health check passes on a host that serves, and fails on a port where nobody does", async () => {
  const [check = ""] = steps("HEALTHCHECK");
  const [command = "", ...args] = words.parse(JSON.parse(check.slice(check.indexOf("CMD ") + 4)));
  expect(command).toBe("node");
  const host = await startHost(scratch("healthy"), {
    PARLEY_HOST: "0.0.0.0",
    PARLEY_PROXY_HOSTS: "localhost",
  });
  onTestFinished(async () => void (await host.stop("SIGKILL")));
  const port = new URL(host.url).port;
  const run = async (where: string): Promise<number | undefined> => {
    const env = { PARLEY_PORT: where };
    return (await execa(process.execPath, args, { reject: false, env })).exitCode;
  };
  expect(await run(port)).toBe(0);
  expect(await run("1")).toBe(1);
});

const compose = z.object({
  services: z.object({
    parley: z.looseObject({
      build: z.object({ context: z.literal(".."), dockerfile: z.literal("deploy/Dockerfile") }),
      environment: z.record(z.string(), z.string()),
      ports: z.array(z.string().regex(/^127\.0\.0\.1:/)),
      cap_drop: z.tuple([z.literal("ALL")]),
      cap_add: z.array(z.string()),
      init: z.literal(true),
      pull_policy: z.literal("never"),
      volumes: z.tuple([z.literal("data:/data")]),
    }),
  }),
  volumes: z.object({ data: z.null() }),
});

it("the compose file publishes the console on loopback alone, and gives what T0 needs and nothing else", () => {
  const text = readFileSync(join(root, "deploy/compose.yaml"), "utf8");
  const { parley } = compose.parse(parse(text)).services;
  expect(readConfig(parley.environment, scratch("compose")).kind).toBe("config");
  const unit = readUnit().capabilities.map((name) => name.replace("CAP_", ""));
  expect(parley.cap_add).toEqual(unit.slice(0, parley.cap_add.length));
  const withNamespaces = /# (cap_add: .*SYS_ADMIN.*)/.exec(text)?.[1] ?? "";
  expect(parse(withNamespaces)).toEqual({ cap_add: unit });
  // Each of Docker's profiles refuses a step of its own.
  const profiles = /# (security_opt: .*)/.exec(text)?.[1] ?? "";
  expect(parse(profiles)).toEqual({ security_opt: ["apparmor=unconfined", "seccomp=unconfined"] });
});

const canDrop = process.getuid?.() === 0;
if (!canDrop) console.log("skipped: only root can give up capabilities and keep the rest");

const capabilities = (): readonly string[] =>
  compose.parse(parse(readFileSync(join(root, "deploy/compose.yaml"), "utf8"))).services.parley.cap_add;

/** Under a umask of root's own, with the capabilities of the compose file. */
const doctorIn = async (data: string, names = capabilities()) => {
  const kept = names.map((name) => `+${name.toLowerCase()}`);
  const doctor = [process.execPath, join(root, "bin/parley.js"), "doctor"];
  const given = ["/usr/bin/setpriv", "--bounding-set", ["-all", ...kept].join(","), ...doctor];
  return execa("sh", ["-c", 'umask 077; exec "$@"', "sh", ...given], {
    extendEnv: false,
    env: { PATH: process.env["PATH"], PARLEY_DATA: data },
    reject: false,
  });
};

it.skipIf(!canDrop)("doctor finds nothing wrong in the container that the compose file makes", async () => {
  // Two folders that are not there yet, as those of /var/lib/parley/data before the service's first start.
  const place = scratch("image-doctor");
  chmodSync(place, 0o755);
  const { stdout, exitCode } = await doctorIn(join(place, "parley", "data"));
  expect(stdout).not.toMatch(/^error/m);
  expect(stdout).toContain("a forbidden write was refused");
  expect(stdout).toMatch(/^ok {6}checkouts: /m);
  expect(exitCode).toBe(0);
});

it.skipIf(!canDrop)(
  "doctor finds nothing wrong with what the unit leaves to root, the way to the proxy included",
  async () => {
    const place = scratch("unit-doctor");
    chmodSync(place, 0o755);
    const names = readUnit().capabilities.map((name) => name.replace("CAP_", ""));
    const { stdout, exitCode } = await doctorIn(join(place, "data"), names);
    expect(stdout).not.toMatch(/^error/m);
    expect(stdout).toMatch(/^ok {6}checkouts: /m);
    expect(exitCode).toBe(0);
  },
);

it.skipIf(!canDrop)(
  "doctor says so where mounts can be made and root's checkouts cannot be handed to commands",
  async ({ skip }) => {
    const place = scratch("image-half");
    chmodSync(place, 0o755);
    const { stdout, exitCode } = await doctorIn(join(place, "data"), [...capabilities(), "SYS_ADMIN"]);
    if (stdout.includes("T0 without namespaces")) return skip("no namespaces can be made on this machine");
    expect(stdout).toMatch(/^error {3}checkouts: no conversation can start: .*\n +-> Give root CAP_SETFCAP/m);
    expect(exitCode).toBe(1);
  },
);

it.skipIf(!canDrop)("doctor says so where commands' users cannot come to the data directory", async () => {
  const data = join(scratch("image-closed"), "data");
  const { stdout, exitCode } = await doctorIn(data);
  expect(stdout).toMatch(
    /^error {3}restricted: .*Permission denied\n +-> Run chmod o\+x on each folder above/m,
  );
  expect(exitCode).toBe(1);
});
