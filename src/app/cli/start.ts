import { existsSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import type { Probe } from "../../../sandbox/types.ts";
import { start, type RunningHost } from "../main.ts";
import type { Config } from "../settings/config.ts";
import { placeProblems } from "../prepare.ts";
import type { Millis } from "../../machine/id.ts";
import { DRAIN } from "../../runtime/bot/drain.ts";
import { complain } from "./shared/complain.ts";
import { firstQuestion } from "./shared/first-question.ts";
import { loadConfigWith } from "./shared/load-config.ts";
import { tierName } from "./shared/tier-name.ts";

/** Exit status 3 (a surface failed permanently) and 4 (other hosts ended this host): a supervisor should restart Parley. */
export const startCommand = async (args: readonly string[]): Promise<number> => {
  if (args.length > 0)
    return complain("parley start takes no arguments; settings are described in .env.example");
  const config = await loadConfigWith(placeProblems);
  if (config === null) return 1;
  // The reader of these lines may close the pipe (`npm start | head`), which is no reason to end.
  process.stdout.on("error", () => undefined);
  const asked = stopRequested();
  const leaving = new AbortController();
  let endsWithin = DRAIN.whole;
  void asked.then(() => endAtLast(0, endsWithin));
  void asked.then(() => leaving.abort());
  const started = await start(config, process.env["INIT_CWD"] ?? process.cwd(), {}, leaving.signal);
  if (started.kind === "left") return ended(0);
  if (started.kind === "failed")
    return complain(["Parley could not start:", ...started.problems].join("\n  "));
  announce(config, started.host);
  ({ endsWithin } = started.host);
  const drained = started.host.drained.then(() => {
    console.log("handing over to another host");
    endAtLast(0, endsWithin);
    return null;
  });
  const why = await Promise.race([asked, drained, started.host.failed]);
  if (why === null) console.log("stopping");
  else {
    console.log(`stopping: ${why}`);
    endAtLast(3, endsWithin);
  }
  await started.host.close();
  return ended(why === null ? 0 : 3);
};

/** Only foreign resources still keep the process alive, such as a trace collector that does not answer. */
const ended = (status: number): number => {
  setTimeout(() => process.exit(status), LINGER).unref();
  return status;
};

const LINGER = 250;

/** Ends the process even if a part hangs. Stored data is complete, and the next start repairs the rest. */
const endAtLast = (status: number, within: Millis): void => {
  setTimeout(() => {
    console.error("stopping took too long; the next start repairs unfinished work");
    process.exit(status);
  }, within).unref();
};

const announce = (config: Config, { sandbox, model, repo, url, surfaces }: RunningHost): void => {
  console.log(sandboxLine(sandbox.probe));
  console.log(`model: ${model.name}${model.notice === null ? "" : `. ${model.notice}`}`);
  for (const [name, standing] of Object.entries(surfaces)) console.log(`${name}: ${standing}`);
  console.log(`data: ${config.PARLEY_DATA}`);
  console.log(
    `repository: ${repo === null ? NO_REPOSITORY : repo.location}${isMissing(repo) ? ", which does not exist: correct PARLEY_REPO" : ""}`,
  );
  // If no page is served, the URL has no token and is no link to open.
  const hasPage = new URL(url).searchParams.has("token");
  if (hasPage) {
    const machine = {
      user: userName(),
      hostname: hostname(),
      sshConnection: process.env["SSH_CONNECTION"],
    };
    for (const line of linesForElsewhere(url, config, machine)) console.log(line);
  }
  console.log(`${hasPage ? "console" : "listening"}: ${url}`);
  const connected = config.platforms.filter(({ name }) => !(surfaces[name] ?? "off").startsWith("off"));
  if (!hasPage && connected.length === 0) return;
  console.log(
    firstQuestion({
      surfaces: connected.map(({ title }) => title),
      url: hasPage ? url : null,
      repo: repo?.location ?? null,
    }),
  );
};

/** The limits that remain are lines of doctor. */
export const sandboxLine = (probe: Pick<Probe, "tier" | "mounts" | "restricted" | "refusal">): string =>
  probe.restricted
    ? `sandbox: confined by the kernel (${tierName(probe)})`
    : `sandbox: Restricted is not available (${tierName(probe)}): ${probe.refusal}. "parley doctor" says what to do`;

const NO_REPOSITORY = "no default; choose a repository in the console, or set PARLEY_REPO";

const isMissing = (repo: RunningHost["repo"]): boolean => repo?.kind === "path" && !existsSync(repo.location);

/** A uid may lack a name, for example in a container. */
const userName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return "you";
  }
};

/** A second signal ends the process, except within ECHO: the terminal's Ctrl-C reaches Parley twice, also through npm. */
const stopRequested = (): Promise<null> =>
  new Promise((resolve) => {
    const signals = ["SIGINT", "SIGTERM"] as const;
    const ask = (): void => {
      resolve(null);
      setTimeout(() => {
        for (const signal of signals) process.off(signal, ask);
      }, ECHO).unref();
    };
    for (const signal of signals) process.on(signal, ask);
  });

const ECHO = 1_000;

interface Machine {
  readonly user: string;
  readonly hostname: string;
  /** Value that sshd sets: the client's address and port, then the server's. */
  readonly sshConnection: string | undefined;
}

/** `url`: link of the console, which also works through the tunnel. Links of proxy hosts contain the token too. */
export const linesForElsewhere = (
  url: string,
  {
    PARLEY_PROXY_HOSTS: hosts,
    PARLEY_PUBLIC_URL: address,
  }: Pick<Config, "PARLEY_PROXY_HOSTS" | "PARLEY_PUBLIC_URL">,
  machine: Machine,
): readonly string[] => {
  const { hostname, port, search } = new URL(url);
  const isContained = hosts.includes("localhost");
  const through = isContained ? "you@the-host-of-this-container" : destination(machine);
  const tunnel = `ssh -N -L ${port}:${hostname}:${port} ${through}`;
  return [
    ...(address === undefined ? [] : [`behind the proxy: ${address.replace(/\/+$/, "")}/${search}`]),
    // The image declares `localhost` for a published port. No TLS is served there, and SSH does not run in
    // the image.
    ...hosts
      .filter((host) => host !== "localhost")
      .map((host) => `behind the proxy: https://${host}/${search}`),
    `from another machine: ${tunnel} and open the console's link there`,
  ];
};

const SSH_PORT = "22";

/** The address that the operator's SSH session reached, or the machine's host name. */
const destination = ({ user, hostname, sshConnection }: Machine): string => {
  const [, , address, port = SSH_PORT] = (sshConnection ?? "").split(" ");
  if (address === undefined) return `${user}@${hostname}`;
  return `${port === SSH_PORT ? "" : `-p ${port} `}${user}@${address}`;
};
