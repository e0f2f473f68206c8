/** Files of the host, which later commands of the conversation can read but not write. */
import { chmod, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

const MAX_BYTES = 16 * 2 ** 20;
/** The newest files of ended commands are kept, besides those of running commands. */
const MAX_ENDED = 8;

interface OutputFile {
  /** Never waits. Data after the end, or above the limit, is dropped. */
  write(chunk: Buffer): void;
  /** Adds the last line after all data is written. Never rejects. */
  end(line: string): Promise<void>;
}

export interface Outputs {
  /** Calls `onBroken` once, if the file accepts no more data: the command must then be ended. Rejects if creation fails. */
  open(directory: string, name: string, onBroken: (why: string) => void): Promise<OutputFile>;
}

export const createOutputs = (): Outputs => {
  const live = new Set<string>();
  return {
    open: async (directory, name, onBroken) => {
      // Commands read the directory as another user, whatever umask the host has.
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

const makeRoom = async (directory: string, live: ReadonlySet<string>): Promise<void> => {
  const paths = (await readdir(directory)).map((name) => join(directory, name));
  const ended = await Promise.all(
    paths.filter((path) => !live.has(path)).map(async (path) => ({ path, at: (await stat(path)).mtimeMs })),
  );
  const old = ended.toSorted((a, b) => b.at - a.at).slice(MAX_ENDED - 1);
  await Promise.all(old.map(({ path }) => rm(path, { force: true })));
};
