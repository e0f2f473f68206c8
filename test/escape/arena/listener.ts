/** The host's sockets that nobody in a sandbox may reach (attack/listener.c), and the count of what came. */

import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { type Attempts, buildAttack } from "./attack.ts";

export interface Listener {
  /** Everybody may enter it; its sockets are `stream`, `datagram` and `packets`. */
  readonly folder: string;
  readonly abstract: string;
  /** Ports of 127.0.0.1. */
  readonly tcp: string;
  readonly udp: string;
  /**
   * How much has arrived beyond our own attempts, made by a program outside the sandbox after the attack in question:
   * when ours have arrived, what was sent before them has too. Those that match `silent` send nothing.
   */
  surplus(own: Attempts, silent: RegExp): Promise<number>;
  close(): void;
}

export const openListener = async (): Promise<Listener> => {
  const folder = mkdtempSync(join(tmpdir(), "parley-listen-"));
  chmodSync(folder, 0o777);
  const abstract = `escape-${process.pid}`;
  const child = spawn(await buildAttack(), ["listener", folder, abstract], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const came: string[] = [];
  const ready = Promise.withResolvers<readonly string[]>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line.startsWith("ports ")) ready.resolve(line.split(" "));
    else came.push(line);
  });
  const [, tcp = "0", udp = "0"] = await ready.promise;
  return {
    folder,
    abstract,
    tcp,
    udp,
    surplus: async (own, silent) => {
      const expected = own.through.filter((name) => !silent.test(name)).length;
      for (let seen = -1, look = 0; look < 100 && (seen < expected || seen < came.length); look++) {
        seen = came.length;
        await pause(25);
      }
      const surplus = came.length - expected;
      came.length = 0;
      return surplus;
    },
    close: () => {
      child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
