/** The decoder at every tier that this machine can show: it works, and is held where anything is held. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import type { Sandbox } from "../../../sandbox/types.ts";
import { createPictures } from "../../../src/tools/pictures/pictures.ts";
import { describeTiers } from "../../sandbox/tiers.ts";
import { requestFor } from "./request.ts";
import { plain } from "./samples.ts";

/** A file of the host that everybody may read, and a port that everybody may call. */
const plantBait = async () => {
  const directory = await mkdtemp(join(tmpdir(), "parley-pictures-"));
  const secret = join(directory, "secret");
  await writeFile(secret, "SECRET", { mode: 0o644 });
  const callers: string[] = [];
  const server = createServer((socket) => {
    callers.push(socket.remoteAddress ?? "");
    socket.end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const remove = async (): Promise<void> => {
    server.close();
    await rm(directory, { recursive: true });
  };
  return { secret, port, callers, remove };
};

/** Runs `attack` in the decoder's place; answers what it says, word by word. */
const inItsPlace = async (
  sandbox: Sandbox,
  attack: (script: string) => string,
): Promise<Readonly<Record<string, string>>> => {
  const request = await requestFor(sandbox.probe, await plain(4, 4).png().toBuffer());
  const at = request.argv.findIndex((word) => word.endsWith("/decode.mjs"));
  const code = attack(request.argv[at] ?? "");
  const result = await sandbox.run({ ...request, argv: [...request.argv.slice(0, at), "-e", code] });
  const said = "head" in result ? result.head.toString() : result.reason;
  return Object.fromEntries(
    said
      .trim()
      .split("\n")
      .map((line) => line.split(" ")),
  );
};

const attackOn = (secret: string, port: number) => (script: string) =>
  `
  const fs = require("node:fs"), net = require("node:net"), script = ${JSON.stringify(script)};
  const tell = (name, act) => { try { act(); console.log(name, "done"); } catch (error) { console.log(name, error.code); } };
  tell("own", () => fs.readFileSync(script));
  tell("secret", () => fs.readFileSync(${JSON.stringify(secret)}));
  tell("project", () => fs.readFileSync(${JSON.stringify(resolve("package.json"))}));
  tell("write", () => fs.writeFileSync(script + ".new", ""));
  tell("host", () => process.kill(${process.pid}, 0));
  net.connect(${port}, "127.0.0.1", () => console.log("network", "done")).on("error", (error) => console.log("network", error.code));`;

describeTiers(["T0", "T1", "T2"], (world) => {
  it("decodes, in a process that is Restricted", async () => {
    const { sandbox } = world();
    const bytes = await plain(40, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const outcome = await createPictures(sandbox).decode("c-one", bytes);
    expect(outcome).toMatchObject({ kind: "picture", width: 20, height: 40 });
    expect((await requestFor(sandbox.probe, bytes)).policy.profile).toBe("restricted");
  });

  it("can read itself and nothing of the host, write nothing there, and reach nobody", async () => {
    const { secret, port, callers, remove } = await plantBait();
    const told = await inItsPlace(world().sandbox, attackOn(secret, port));
    await remove();
    expect(told).toMatchObject({
      own: "done",
      secret: expect.stringMatching(/^E(NOENT|ACCES|PERM)$/),
      project: expect.stringMatching(/^E(NOENT|ACCES|PERM)$/),
      write: expect.stringMatching(/^E(ROFS|ACCES|PERM)$/),
      host: expect.stringMatching(/^E(SRCH|PERM)$/),
      network: expect.stringMatching(/^E/),
    });
    expect(callers).toEqual([]);
  });
});

describeTiers(["T3"], (world) => {
  it("decodes in a process of its own even where the kernel holds nobody", async () => {
    const { sandbox } = world();
    const bytes = await plain(40, 20).png().toBuffer();
    expect(await createPictures(sandbox).decode("c-one", bytes)).toMatchObject({
      kind: "picture",
      width: 40,
    });
    const { policy } = await requestFor(sandbox.probe, bytes);
    expect([policy.profile, policy.network]).toEqual(["unrestricted", "none"]);
  });
});
