/**
 * `npm run image`: the stages of deploy/Dockerfile, run as steps in clean Debian roots on a machine without a container
 * engine, and what comes out started as the compose file says. As root, with debootstrap and Debian's mirror in reach;
 * takes some minutes.
 */

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { parse } from "yaml";
import { z } from "zod";
import { root } from "../app/cli/host.ts";
import { pairsOf, readStages, type Stage } from "./dockerfile.ts";

const FIRST_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/** How the network is reached belongs to this machine, as it would to an engine. */
const NETWORK = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => /^(https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/i.test(name)),
);

const inherit = { stdio: "inherit" } as const;
const folder = mkdtempSync(join(tmpdir(), "parley-image-"));

const main = async (): Promise<void> => {
  if (process.getuid?.() !== 0) throw new Error("only root can make a root file system");
  const base = join(folder, "base");
  execFileSync("debootstrap", ["--variant=minbase", "bookworm", base], inherit);
  for (const path of ["/etc/ssl/certs", "/etc/resolv.conf", "/etc/hosts"])
    if (existsSync(path)) cpSync(path, join(base, path), { recursive: true, dereference: true });
  const roots = new Map<string, string>();
  let image: { readonly at: string; readonly env: Env; readonly stage: Stage } | null = null;
  for (const [index, stage] of readStages().entries()) {
    const at = join(folder, `stage-${index}`);
    execFileSync("cp", ["-a", base, at]);
    const env = build(stage, at, roots);
    if (stage.name !== null) roots.set(stage.name, at);
    image = { at, env, stage };
  }
  if (image === null) throw new Error("the Dockerfile has no stage");
  // One at a time: what was counted once is not counted again in the same run.
  for (const path of ["opt/parley", ""]) execFileSync("du", ["-sh", join(image.at, path)], inherit);
  await use(image.at, image.env);
};

type Env = Readonly<Record<string, string>>;

/** Answers with the environment that the stage ends with. */
const build = (stage: Stage, at: string, roots: ReadonlyMap<string, string>): Env => {
  let env: Env = { PATH: FIRST_PATH };
  let directory = "/";
  for (const { instruction, rest } of stage.steps) {
    console.log(`--- ${instruction} ${rest}`);
    if (instruction === "ENV") env = { ...env, ...pairsOf(rest) };
    if (instruction === "WORKDIR") directory = rest;
    if (instruction === "WORKDIR") mkdirSync(join(at, rest), { recursive: true });
    if (instruction === "COPY") copy(rest, at, directory, roots);
    if (instruction === "RUN")
      execFileSync("unshare", [...CONTAINER, at, `cd ${directory} && ${rest}`], {
        ...inherit,
        env: { ...env, ...NETWORK },
      });
  }
  return env;
};

/** Namespaces of its own, with /proc and /dev: `sh -c` in the root that follows. */
const CONTAINER = [
  "--mount",
  "--pid",
  "--fork",
  "--kill-child",
  "sh",
  "-ec",
  'mount -t proc proc "$1/proc"; mount --rbind /dev "$1/dev"; exec chroot "$1" /bin/sh -ec "$2"',
  "sh",
];

/** As git has them: what it ignores and what the image leaves out stays here. */
const copy = (rest: string, at: string, directory: string, roots: ReadonlyMap<string, string>): void => {
  const [, from, named = "", target = ""] = /^(?:--from=(\S+) )?(.+) (\S+)$/.exec(rest) ?? [];
  const sources = named.split(" ");
  if (from !== undefined) {
    mkdirSync(dirname(join(at, target)), { recursive: true });
    for (const source of sources)
      execFileSync("cp", ["-a", join(roots.get(from) ?? "", source), join(at, target)]);
    return;
  }
  const ignored = readFileSync(join(root, "deploy/Dockerfile.dockerignore"), "utf8")
    .split("\n")
    .filter(Boolean);
  const files = execFileSync("git", ["ls-files", "-z", ...sources], { cwd: root, encoding: "utf8" })
    .split("\0")
    .filter((path) => path !== "" && !ignored.some((one) => path === one || path.startsWith(`${one}/`)));
  for (const path of files) cpSync(join(root, path), join(at, directory, path));
};

const compose = z.object({ services: z.object({ parley: z.looseObject({ cap_add: z.array(z.string()) }) }) });

/** Starts doctor and the host with the capabilities of the compose file. */
const use = async (at: string, env: Env): Promise<void> => {
  const text = readFileSync(join(root, "deploy/compose.yaml"), "utf8");
  const added = compose.parse(parse(text)).services.parley.cap_add;
  const caps = ["-all", ...added.map((name) => `+${name.toLowerCase()}`)].join(",");
  const command = (name: string): readonly string[] => [
    ...CONTAINER,
    at,
    `cd /data && exec setpriv --bounding-set ${caps} parley ${name}`,
  ];
  console.log("--- what an old npm would leave out: the packages of this platform");
  const decodes = "node -e 'require(\"/opt/parley/node_modules/sharp\")'";
  execFileSync("unshare", [...CONTAINER, at, decodes], { ...inherit, env });
  console.log("--- parley doctor");
  execFileSync("unshare", command("doctor"), { ...inherit, env });
  console.log("--- parley start");
  const child = spawn("unshare", command("start"), {
    env: { ...env, PARLEY_PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line.replace(/token=.*/, "token=…"));
    if (!line.startsWith("console: ")) continue;
    const { origin, port } = new URL(line.slice("console: ".length));
    console.log(await (await fetch(`http://127.0.0.1:${port}/healthz`)).text(), origin);
    break;
  }
  child.kill("SIGKILL");
  await ended;
};

try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
