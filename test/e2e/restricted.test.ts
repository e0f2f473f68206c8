/** What Restricted holds through the whole product, whatever tries; what it is told; and a host that cannot hold it. */

import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { call, say } from "../fakes/anthropic/turn.ts";
import { createRig, type Detail } from "./rig.ts";

const outputs = (detail: Detail): readonly string[] =>
  detail.posts.flatMap((post) => (post.kind === "activity" ? [post.output ?? ""] : []));

type Call = readonly [string, Record<string, z.core.util.JSONType>];

const round = (...calls: readonly Call[]) => ({
  content: calls.map(([name, input]) => ({ kind: "tool", name, input }) as const),
});

const bash = (command: string): Call => ["bash", { command }];

/** A port of the host, and how often anybody came. */
const doorbell = async () => {
  let rung = 0;
  const server = createServer((socket) => {
    rung += 1;
    socket.end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => void server.close());
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return { port, rung: () => rung };
};

describe("Restricted", () => {
  it("BED-014.3 lets nothing write or reach the network: no shell, no Python, no patch; approved, all of it writes", async () => {
    const rig = await createRig();
    const thread = await rig.begin();
    // Safe mode would ask about the Python that is approved: what is looked at here is the permission.
    await thread.act({ action: "safe_mode", choice: "off" });
    const { port, rung } = await doorbell();
    const python = bash("python3 -c \"open('by-python', 'w')\"");
    const patch: Call = ["patch", { path: "by-patch", patches: [{ operation: "overwrite", newText: "x" }] }];
    const tries = [
      bash("touch by-shell"),
      python,
      bash(`exec 3<>/dev/tcp/127.0.0.1/${port}`),
      bash(`python3 -c "import socket; socket.create_connection(('127.0.0.1', ${port}), 2)"`),
      bash(`python3 -c "import socket; socket.socket(2, 2).sendto(b'x', ('127.0.0.1', ${port}))"`),
      patch,
    ];
    rig.fake.script(round(...tries, bash("ls")), call("request_mode_upgrade", { reason: "to write" }));
    const asked = await thread.turn("try");
    const said = outputs(asked);
    expect(said).toHaveLength(7);
    for (const output of said.slice(0, 5)) {
      expect(output).toMatch(/Permission denied|Operation not permitted|Read-only file system|unreachable/);
      expect(output).toContain("[sandbox: Restricted mode, read-only, no network; use request_mode_upgrade]");
    }
    expect(said[5]).toBe(
      "Patch tool is disabled in Restricted mode. Use request_mode_upgrade to request write access.",
    );
    expect(said[6]).not.toContain("by-");
    expect(rung()).toBe(0);
    rig.fake.script(round(bash("touch by-shell"), python, patch, bash("ls by-*")), say("done"));
    await thread.act({ action: "decide", question: asked.question?.id, choice: "approve" });
    expect(outputs(await thread.until("idle")).at(-1)).toBe("by-patch\nby-python\nby-shell\n");
    expect(existsSync(join(rig.repo, "by-shell"))).toBe(false);
    expect(rig.fake.violations).toEqual([]);
  });
});

describe("a host that cannot hold Restricted", () => {
  it("BED-014.2 says so, works Unrestricted, keeps BASH-007, and answers who asks for Restricted with what it needs", async () => {
    const rig = await createRig({ PARLEY_SANDBOX: "off" });
    const thread = await rig.begin();
    rig.fake.script(round(bash("touch made && ls made"), bash("git add -A")), say("done"));
    const done = await thread.turn("go");
    expect(done.permission).toBe("unrestricted");
    expect(done.posts[0]?.markdown).toMatch(/Restricted needs Landlock[^]*\*\*Unrestricted\*\*/);
    expect(outputs(done)).toEqual([
      "made\n",
      "permission denied: blind git add commands (git add -A, git add ., git add --all, git add *) are not allowed, specify files explicitly",
    ]);
    const refused = await thread.act({ action: "restrict" });
    expect(refused.status).toBe(409);
    expect(JSON.stringify(refused.body)).toContain("Linux 5.13 or newer");
    expect(await thread.read()).toMatchObject({ permission: "unrestricted" });
  });
});
