/**
 * Files for the output of background commands that may write nowhere themselves: the host's own, in a directory of the
 * conversation that its later commands read and none writes.
 */
import { chmod, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Bytes of output that one command may write. */
const MAX_BYTES = 16 * 2 ** 20;
/** Files of ended commands that a conversation keeps beside those of running ones; the newest. */
const MAX_ENDED = 8;

interface OutputFile {
  /** Never waits. What comes after the end, or above the bound, is dropped. */
  write(chunk: Buffer): void;
  /** Adds the last line, when all before it is written. Never rejects. */
  end(line: string): Promise<void>;
}

export interface Outputs {
  /**
   * A new file of that name. `onBroken` gets the reason, once, when it takes no more: the command has to be ended then.
   * Rejects where it cannot be made.
   */
  open(directory: string, name: string, onBroken: (why: string) => void): Promise<OutputFile>;
}

export const createOutputs = (): Outputs => {
  const live = new Set<string>();
  return {
    open: async (directory, name, onBroken) => {
      // Commands read it as another user; whatever umask the host has.
      await mkdir(directory, { recursive: true });
      await chmod(directory, 0o755);
      await makeRoom(directory, live);
      const path = join(directory, name);
      const file = await open(path, "wx");
      await file.chmod(0o644);
      live.add(path);
      let left = MAX_BYTES;
      let taking = true;
      let last: Promise<unknown> = Promise.resolve();
      const breakOff = (why: string): void => {
        if (taking) onBroken(why);
        taking = false;
      };
      const append = (bytes: Uint8Array): void => {
        last = last.then(() => file.appendFile(bytes)).catch(() => breakOff(NOT_WRITTEN));
      };
      return {
        write: (chunk) => {
          if (!taking) return;
          append(chunk.subarray(0, left));
          left -= chunk.length;
          if (left < 0) breakOff(TOO_LONG);
        },
        end: async (line) => {
          taking = false;
          append(Buffer.from(line));
          await last;
          await file.close().catch(() => undefined);
          live.delete(path);
        },
      };
    },
  };
};

const TOO_LONG = `it wrote more than ${MAX_BYTES / 2 ** 20} MiB`;
const NOT_WRITTEN = "its output could not be written";

/** The oldest of those that have ended go. */
const makeRoom = async (directory: string, live: ReadonlySet<string>): Promise<void> => {
  const paths = (await readdir(directory)).map((name) => join(directory, name));
  const ended = await Promise.all(
    paths.filter((path) => !live.has(path)).map(async (path) => ({ path, at: (await stat(path)).mtimeMs })),
  );
  const old = ended.toSorted((a, b) => b.at - a.at).slice(MAX_ENDED - 1);
  await Promise.all(old.map(({ path }) => rm(path, { force: true })));
};
