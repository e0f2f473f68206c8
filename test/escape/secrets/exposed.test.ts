/** The host keeps no secret where every command may read: it refuses to start with its data or its `.env` there. */

import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../../src/app/settings/config.ts";
import { prepareDataDirectory } from "../../../src/app/settings/data-directory.ts";
import { describeArena, said } from "../arena/arena.ts";

const folderIn = (parent: string): string => {
  const folder = mkdtempSync(join(parent, "parley-exposed-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** What commands may read at every tier, as the kernel says. */
const TOPS = ["/usr", "/bin", "/sbin", "/lib", "/etc"];

it("a data directory in what commands may read is refused before it is made, by its own name and through a link", () => {
  const link = join(folderIn(tmpdir()), "link");
  symlinkSync("/usr/local", link);
  for (const directory of [
    ...TOPS,
    "/usr/local/parley-none/data",
    "/etc/parley-none",
    join(link, "parley-none"),
  ]) {
    const prepared = prepareDataDirectory(directory);
    expect([directory, prepared]).toEqual([
      directory,
      { kind: "invalid", problems: [expect.stringContaining("which every command of an agent may read")] },
    ]);
  }
  expect([existsSync("/usr/local/parley-none"), existsSync("/etc/parley-none")]).toEqual([false, false]);
  expect(prepareDataDirectory(join(folderIn(tmpdir()), "usr", "data"))).toEqual({ kind: "ready" });
});

it("so is a configuration whose .env lies there", ({ skip }) => {
  if (process.getuid?.() !== 0) return skip("only root can write in /usr/local");
  const [exposed, hidden] = [folderIn("/usr/local"), folderIn(tmpdir())];
  expect(readConfig({}, exposed)).toMatchObject({ kind: "config" });
  for (const folder of [exposed, hidden]) writeFileSync(join(folder, ".env"), "PARLEY_PORT=1234\n");
  expect(readConfig({}, exposed)).toMatchObject({
    kind: "invalid",
    problems: [expect.stringContaining("is in /usr, which every command of an agent may read")],
  });
  expect(readConfig({}, hidden)).toMatchObject({ kind: "config", config: { PARLEY_PORT: 1234 } });
});

describeArena((arena) => {
  it("and nothing else of the host's tree is readable in Restricted", async () => {
    const allowed = new Set([...TOPS, "/lib64", "/lib32", "/proc", "/dev", "/tmp", "/run"]);
    const text = said(
      await arena().shell(
        "restricted",
        "for d in /*; do [ -d $d ] && ls $d >/dev/null 2>&1 && echo $d; done; cat /etc/passwd >/dev/null && echo read",
      ),
    );
    const lines = text.trim().split("\n");
    expect(lines.at(-1)).toBe("read");
    expect(
      lines.filter((line) => line.startsWith("/") && !allowed.has(line) && line !== arena().seenWork),
    ).toEqual([]);
  });
});
