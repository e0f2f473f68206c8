import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { sandboxLine } from "../../../src/app/cli/start.ts";
import { scratch } from "../../scratch.ts";
import { root, startHost } from "./host.ts";

const parley = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  execa(process.execPath, ["bin/parley.js", ...args], { cwd: root, env, reject: false });

describe("npm start", () => {
  it("prints one line of the sandbox, each surface, the data directory, the console's link and a question to try, and stops with 0", async () => {
    const data = scratch("start");
    const host = await startHost(data);
    await vi.waitFor(() => expect(host.lines.at(-1)).toMatch(/^Open the link and ask: .+\?$/));
    const said = host.lines.join("\n");
    expect(host.lines.at(-2)).toBe(`console: ${host.url}`);
    expect(host.lines.filter((line) => line.startsWith("sandbox: "))).toHaveLength(1);
    for (const what of [
      /^sandbox: confined by the kernel \(T\d/m,
      /^slack: off/m,
      /^discord: off/m,
      /^model: demo/m,
    ])
      expect(said).toMatch(what);
    expect(said).toContain(`data: ${data}`);
    const { port } = new URL(host.url);
    expect(said).toMatch(
      new RegExp(`^from another machine: ssh -N -L ${port}:127\\.0\\.0\\.1:${port} \\S+@\\S+ and open`, "m"),
    );
    expect(host.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[a-z2-7]{26}$/);
    expect(await (await fetch(`${host.origin}/healthz`)).json()).toMatchObject({ status: "ok" });
    expect((await fetch(`${host.origin}/api/conversations`)).status).toBe(401);
    expect((await host.call("GET", "/api/conversations")).status).toBe(200);
    expect(await host.stop("SIGTERM")).toBe(0);
  });

  it("goes on when nobody reads its lines any more", async () => {
    const host = await startHost(scratch("unread"));
    onTestFinished(() => void host.process.kill("SIGKILL"));
    host.process.stdout?.destroy();
    expect(await host.stop("SIGTERM")).toBe(0);
  });

  it("takes the signal that npm or a terminal sends after the first for its echo, and drains", async () => {
    const host = await startHost(scratch("echo"));
    onTestFinished(() => void host.process.kill("SIGKILL"));
    host.process.kill("SIGINT");
    expect(await host.stop("SIGTERM")).toBe(0);
    expect(host.lines).toContain("stopping");
  });

  it("a second process on the same data directory is told so and exits with 1", async () => {
    const data = scratch("twice");
    const host = await startHost(data);
    onTestFinished(async () => void (await host.stop("SIGKILL")));
    const second = await parley(["start"], { PARLEY_DATA: data, PARLEY_PORT: "0" });
    expect(second.exitCode).toBe(1);
    expect(second.stderr).toContain("another Parley process uses");
  });

  it("a bad configuration lists its problems and exits with 1", async () => {
    const started = await parley(["start"], { PARLEY_PORT: "x", PARLEY_NONSENSE: "1" });
    expect(started.exitCode).toBe(1);
    expect(started.stderr).toContain("PARLEY_PORT");
    expect(started.stderr).toContain("PARLEY_NONSENSE is not a setting");
  });

  it("lists what is wrong with a setting, the data directory and the work modes together", async () => {
    const modes = scratch("start-modes");
    writeFileSync(join(modes, "broken.md"), "no head\n");
    const env = { PARLEY_DATA: "/proc/parley", PARLEY_MODES: modes, PARLEY_PORT: "x" };
    const started = await parley(["start"], env);
    expect(started.exitCode).toBe(1);
    expect(started.stderr).toContain("PARLEY_PORT: must be");
    expect(started.stderr).toContain("/proc/parley");
    expect(started.stderr).toContain("mode broken");
  });

  it("the console's token is in no file but its own", async () => {
    const data = scratch("token");
    const host = await startHost(data);
    await host.call("POST", "/api/conversations", {});
    await host.stop("SIGTERM");
    const holders = readdirSync(data, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name))
      .filter((path) => readFileSync(path).includes(host.token));
    expect(holders).toEqual([join(data, "console-token")]);
  });
});

describe("the line of the sandbox", () => {
  const held = { mounts: true, restricted: true, refusal: null } as const;

  it("names the tier, and no limit that remains", () => {
    expect(sandboxLine({ ...held, tier: "T0" })).toBe("sandbox: confined by the kernel (T0)");
    expect(sandboxLine({ ...held, tier: "T1" })).toBe("sandbox: confined by the kernel (T1)");
    expect(sandboxLine({ ...held, tier: "T0", mounts: false })).toBe(
      "sandbox: confined by the kernel (T0 without namespaces)",
    );
  });

  it("says why Restricted is not available, and where the remedy is", () => {
    expect(sandboxLine({ ...held, tier: "T3", restricted: false, refusal: "no Landlock" })).toBe(
      'sandbox: Restricted is not available (T3): no Landlock. "parley doctor" says what to do',
    );
  });
});

describe("without a sandbox (PARLEY_SANDBOX=off)", () => {
  it("says so at start and in the conversation, which is Unrestricted", async () => {
    const host = await startHost(scratch("off"), { PARLEY_SANDBOX: "off" });
    onTestFinished(async () => void (await host.stop("SIGKILL")));
    expect(host.lines.join("\n")).toContain("Restricted is not available");
    const created = await host.call("POST", "/api/conversations", {});
    expect(created.body).toMatchObject({ permission: "unrestricted", confinement: "unavailable" });
  });
});

describe("the command line", () => {
  it("helps, and refuses what it does not know", async () => {
    expect((await parley(["help"])).stdout).toContain("Usage: parley COMMAND");
    const unknown = await parley(["dance"]);
    expect(unknown.exitCode).toBe(1);
    expect(unknown.stderr).toContain('unknown command "dance"');
  });

  it("doctor checks for real and exits with 0 where nothing is wrong", async () => {
    const data = scratch("doctor");
    const doctor = await parley(["doctor", "--json"], { PARLEY_DATA: data });
    expect(doctor.exitCode).toBe(0);
    const findings: unknown = JSON.parse(doctor.stdout);
    expect(findings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ what: "node" }),
        expect.objectContaining({ what: "data", level: "ok" }),
        expect.objectContaining({ what: "modes", found: expect.stringContaining("general") }),
      ]),
    );
    expect(existsSync(join(data, "parley.sqlite"))).toBe(false);
  });

  it("doctor's --json is JSON where the configuration cannot be used either", async () => {
    const doctor = await parley(["doctor", "--json"], { PARLEY_PORT: "x", PARLEY_PROT: "1" });
    expect(doctor).toMatchObject({ exitCode: 1, stderr: "" });
    const findings: unknown = JSON.parse(doctor.stdout);
    expect(findings).toEqual(
      ["PARLEY_PROT", "PARLEY_PORT"].map((name) => ({
        level: "error",
        what: "configuration",
        found: expect.stringContaining(name),
        remedy: expect.stringContaining(".env.example"),
      })),
    );
  });

  it("doctor exits with 1 and a remedy where the data directory cannot be used", async () => {
    const doctor = await parley(["doctor"], { PARLEY_DATA: "/proc/parley" });
    expect(doctor.exitCode).toBe(1);
    expect(doctor.stdout).toMatch(/^error +data: .*\n +-> .*PARLEY_DATA/m);
  });

  it("doctor exits with 1 and a remedy where Restricted cannot be held", async () => {
    const doctor = await parley(["doctor"], { PARLEY_DATA: scratch("doctor-off"), PARLEY_SANDBOX: "off" });
    expect(doctor.exitCode).toBe(1);
    expect(doctor.stdout).toMatch(/^error {3}kernel: .*tier T3.*\n +-> Start Parley as root/m);
  });

  it("doctor names what is wrong with work modes of the operator's own", async () => {
    const modes = scratch("doctor-modes");
    writeFileSync(join(modes, "broken.md"), "no head\n");
    const doctor = await parley(["doctor"], { PARLEY_DATA: scratch("doctor"), PARLEY_MODES: modes });
    expect(doctor.exitCode).toBe(1);
    expect(doctor.stdout).toMatch(/^error {3}modes: mode broken: .*\n +-> Correct the files/m);
  });

  it("replay of an unknown conversation says so", async () => {
    const replayed = await parley(["replay", "c-none"], { PARLEY_DATA: scratch("replay") });
    expect(replayed.exitCode).toBe(1);
    expect(replayed.stderr).toContain("no conversation c-none");
  });
});
