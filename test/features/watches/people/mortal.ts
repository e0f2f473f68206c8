/**
 * A process dies at one of its commits and closes nothing. The next process gets the disk of that instant, and no later call of
 * the dead process reaches the platform.
 */

import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { silentLog } from "../../../../src/store/base/silent-log.ts";
import { createBatch } from "../../../../src/store/write/batch.ts";
import type { StorePorts } from "../../../../src/store/write/grouped.ts";
import type { WriteAnswer } from "../../../../src/store/write/write-job.ts";
import { freePort } from "../../../free-port.ts";
import { openMemory } from "../../../store/in-memory.ts";

export interface Death {
  /** Number of the commit, from 1. */
  readonly commit: number;
  /** Whether the commit is on the disk. */
  readonly isStored: boolean;
}

interface Mortal {
  readonly opened: StorePorts;
  /** Counts commits from now on and returns the disk at the death. `dies`: runs at that instant. */
  dies(death: Death, dies: () => void): Promise<Buffer>;
}

const plainCommit = (store: () => readonly WriteAnswer[]): readonly WriteAnswer[] => store();
const emptyDisk = (): Buffer => Buffer.alloc(0);

/** `from`: the disk that the earlier process left. */
export const mortalStore = (from: Buffer | undefined): Mortal => {
  let left = Infinity;
  let commit = plainCommit;
  let serialize = emptyDisk;
  const opened = openMemory(
    silentLog,
    ({ db, parts }) => {
      const batch = createBatch(db, parts);
      serialize = () => db.serialize();
      return { run: async (jobs) => commit(() => batch(jobs)), close: () => Promise.resolve() };
    },
    from,
  );
  return {
    opened,
    dies: ({ commit: at, isStored }, dies) => {
      const died = Promise.withResolvers<Buffer>();
      const end = (): void => {
        dies();
        died.resolve(serialize());
      };
      left = at;
      commit = (store) => {
        left -= 1;
        if (left === 0 && !isStored) end();
        const answers = store();
        if (left === 0 && isStored) end();
        return answers;
      };
      return died.promise;
    },
  };
};

export interface Line {
  /** The address with the port of the line in place of the platform's. */
  through(platform: { readonly port: number; readonly apiUrl: string }): string;
  cut(): void;
}

/** The HTTP calls of one process. */
export const createLine = async (): Promise<Line> => {
  const sockets = new Set<Socket>();
  let target = 0;
  const server = createServer((near) => {
    const far = connect(target, "127.0.0.1");
    const end = (): void => [near, far].forEach((one) => void one.destroy());
    for (const one of [near, far]) {
      sockets.add(one);
      one.on("error", end);
      one.on("close", () => {
        sockets.delete(one);
        end();
      });
    }
    near.pipe(far).pipe(near);
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const cut = (): void => {
    server.close();
    for (const one of sockets) one.destroy();
  };
  onTestFinished(cut);
  return {
    through: (platform) => {
      target = platform.port;
      return platform.apiUrl.replace(`:${platform.port}`, `:${port}`);
    },
    cut,
  };
};
