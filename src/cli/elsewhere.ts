/** How the console is reached from another machine: what the operator would otherwise have to put together by hand. */

import type { Config } from "../host/settings/config.ts";

export interface Machine {
  /** Who runs Parley. */
  readonly user: string;
  readonly hostname: string;
  /** As sshd sets it: the client's address and port, then the server's. */
  readonly sshConnection: string | undefined;
}

/**
 * Lines for start to print. `url` is the console's own link. The tunnel ends at the very address that the console
 * listens on, so the same link works at its other end. Behind a declared proxy the links of its hosts come first; they
 * hold the token as the console's own does.
 */
export const linesForElsewhere = (
  url: string,
  { PARLEY_PROXY_HOSTS: hosts }: Pick<Config, "PARLEY_PROXY_HOSTS">,
  machine: Machine,
): readonly string[] => {
  const { hostname, port, search } = new URL(url);
  const isContained = hosts.includes("localhost");
  const through = isContained ? "you@the-host-of-this-container" : destination(machine);
  const tunnel = `ssh -N -L ${port}:${hostname}:${port} ${through}`;
  return [
    // The image declares `localhost` for a published port: nobody serves TLS there, or SSH in it.
    ...hosts
      .filter((host) => host !== "localhost")
      .map((host) => `behind the proxy: https://${host}/${search}`),
    `from another machine: ${tunnel} and open the console's link there`,
  ];
};

const SSH_PORT = "22";

/** Over SSH the address that was reached, which is one that works; else the name that the machine gives itself. */
const destination = ({ user, hostname, sshConnection }: Machine): string => {
  const [, , address, port = SSH_PORT] = (sshConnection ?? "").split(" ");
  if (address === undefined) return `${user}@${hostname}`;
  return `${port === SSH_PORT ? "" : `-p ${port} `}${user}@${address}`;
};
