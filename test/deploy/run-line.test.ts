/** The README's `docker run` line: its parts fit the image, and the host starts as the line and the image say. */

import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod";
import { root, startHost } from "../app/cli/host.ts";
import { sampleRepo } from "../sample-repo.ts";
import { scratch } from "../scratch.ts";
import { pairsOf, readStages } from "./dockerfile.ts";

const LINE = /^docker run .*-p .*$/m;
const lineOf = (page: string): string => LINE.exec(readFileSync(join(root, page), "utf8"))?.[0] ?? "";

/** Values of the options, the flags without a value, the image and its arguments. */
const partsOf = (line: string) => {
  const words = line.replaceAll('"', "").split(" ").slice(2);
  const options: Record<string, readonly string[]> = {};
  const flags: string[] = [];
  while (words[0]?.startsWith("-") === true) {
    const name = words.shift() ?? "";
    if (/^-[pve]$/.test(name)) options[name] = [...(options[name] ?? []), words.shift() ?? ""];
    else flags.push(name);
  }
  return { options, flags, image: words[0], args: words.slice(1) };
};

const steps = (instruction: string): readonly string[] =>
  (readStages().at(-1)?.steps ?? [])
    .filter((step) => step.instruction === instruction)
    .map(({ rest }) => rest);
const imageEnv = (): Readonly<Record<string, string>> => Object.assign({}, ...steps("ENV").map(pairsOf));

it("is the same on each page, publishes the image's port on loopback, and keeps the image's data", () => {
  const { options, flags, image, args } = partsOf(lineOf("README.md"));
  expect(lineOf("docs/desktop.md")).toBe(lineOf("README.md"));
  const [port = ""] = steps("EXPOSE");
  expect(options["-p"]).toEqual([`127.0.0.1:${port}:${port}`]);
  expect(options["-v"]).toEqual([`parley:${steps("VOLUME")[0]}`, "$PWD:/repo:ro"]);
  expect(options["-e"]).toEqual(["PARLEY_REPO=/repo"]);
  expect(steps("RUN").join("\n")).toContain("safe.directory /repo");
  expect([image, args]).toEqual(["parley", []]);
  // No right beyond Docker's defaults.
  expect(flags.toSorted()).toEqual(["--init", "--rm", "-it"]);
});

/** Docker's defaults (moby, oci/caps/defaults.go). */
const CAPABILITIES =
  "chown dac_override fsetid fowner mknod net_raw setgid setuid setfcap setpcap net_bind_service sys_chroot kill audit_write";

console.log("not run here: docker build and docker run need a container engine");

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.log("skipped: only root can give up capabilities and keep the rest");

const kept = ["-all", ...CAPABILITIES.split(" ").map((name) => `+${name}`)].join(",");
const asDocker = ["/usr/bin/setpriv", "--bounding-set", kept];

/** With the repository mounted read-only, if this machine allows mounts. */
const canMount = isRoot && spawnSync("unshare", ["--mount", "true"]).status === 0;
if (isRoot && !canMount) console.log("not mounted read-only: this machine allows no mounts");
const READ_ONLY = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"';
const inContainer = (repo: string): readonly string[] => [
  ...(canMount ? ["unshare", "--mount", "sh", "-c", READ_ONLY, "sh", repo] : []),
  ...asDocker,
];

/** The image's environment and the line's, with the data and the repository of this machine. */
const envOf = (data: string, repo: string): Readonly<Record<string, string>> => {
  const { PARLEY_HOST = "", PARLEY_PROXY_HOSTS = "" } = imageEnv();
  return { PARLEY_DATA: data, PARLEY_HOST, PARLEY_PROXY_HOSTS, PARLEY_REPO: repo };
};

const places = async (mode = 0o755) => {
  const place = scratch("run-line");
  chmodSync(place, 0o755);
  const repo = await sampleRepo("# Mounted\n");
  // As a user's own folder is seen in the container: of another user, and read only to Parley.
  for (const name of ["", ...readdirSync(repo, { recursive: true, encoding: "utf8" })])
    chownSync(join(repo, name), 1000, 1000);
  chmodSync(repo, mode);
  const data = join(place, "data");
  mkdirSync(data);
  return { data, repo };
};

it.skipIf(!isRoot)(
  "starts with Docker's capabilities, and answers about a repository of another user",
  async () => {
    const { data, repo } = await places();
    const host = await startHost(data, envOf(data, repo), "bin/parley.js", undefined, inContainer(repo));
    onTestFinished(() => void host.process.kill("SIGKILL"));
    await vi.waitFor(() => expect(host.lines.at(-1)).toMatch(/ and ask: .+\?$/));
    expect(host.origin).toMatch(/^http:\/\/127\.0\.0\.1:/);
    const { id } = z
      .looseObject({ id: z.string() })
      .parse((await host.call("POST", "/api/conversations", {})).body);
    const question = host.lines.at(-1)?.split(" and ask: ")[1] ?? "";
    await host.call("POST", `/api/conversations/${id}/messages`, { text: question });
    await expect
      .poll(async () => JSON.stringify((await host.call("GET", `/api/conversations/${id}`)).body))
      .toMatch(/# Mounted/);
    expect(await host.stop("SIGTERM")).toBe(0);
  },
);

const doctorOn = async (mode: number) => {
  const { data, repo } = await places(mode);
  const [command, ...args] = [...inContainer(repo), process.execPath, join(root, "bin/parley.js"), "doctor"];
  return execa(command, args, {
    extendEnv: false,
    env: { PATH: process.env["PATH"], ...envOf(data, repo) },
    reject: false,
  });
};

it.skipIf(!isRoot)("doctor finds no error there", async () => {
  const { stdout, exitCode } = await doctorOn(0o755);
  expect(stdout).not.toMatch(/^error/m);
  expect(stdout).toContain("a forbidden write was refused");
  expect(exitCode).toBe(0);
});

it.skipIf(!isRoot)("doctor says how to open a repository that only its owner can read", async () => {
  const { stdout, exitCode } = await doctorOn(0o700);
  expect(stdout).toMatch(/^error {3}repository: .*Permission denied.*\n +-> .*chmod -R o\+rX/m);
  expect(exitCode).toBe(1);
});
