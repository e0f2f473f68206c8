/** What doctor says where commands get no namespaces: which step was refused, and what gives them. */

import { expect, it } from "vitest";
import { describeProbe, type ProbeFacts } from "../../../../sandbox/probe.ts";
import { probeFindings } from "../../../../src/app/cli/doctor/sandbox-findings.ts";
import { configOf, linesOf } from "./findings.ts";

const root: ProbeFacts = {
  abi: 4,
  errata: 0,
  off: false,
  root: true,
  namespaces: false,
  userns: false,
  proc: false,
  network: false,
  memory: false,
  processes: false,
  processor: false,
  why: "",
};

const said = async (facts: Partial<ProbeFacts>, what: string): Promise<readonly string[]> => {
  const lines = await linesOf(probeFindings(describeProbe({ ...root, ...facts }, []), configOf({})));
  return lines.filter((line) => line.includes(` ${what}: `));
};

it("the tier says that there are none, and each step that an engine refuses has a remedy of its own", async () => {
  expect(await said({}, "kernel")).toEqual([
    expect.stringMatching(/^ok kernel: .*, tier T0 without namespaces$/),
  ]);
  const rows: readonly (readonly [why: string, remedy: RegExp])[] = [
    ["Operation not permitted", /^Allow Parley to create mounts: a container needs SYS_ADMIN and /],
    ["Permission denied", /^In a container, add apparmor=unconfined and seccomp=unconfined /],
    ["pivot_root: Operation not permitted", /^In a container, add seccomp=unconfined /],
  ];
  for (const [why, remedy] of rows) {
    const [line = ""] = await said({ why }, "network");
    const [found, next = ""] = line.split(" -> ");
    expect(found).toMatch(/^warning network: Unrestricted commands have no network: /);
    expect(found).toContain(`(${why})`);
    expect(next).toMatch(remedy);
    expect(next).toMatch(/, or accept the risk with PARLEY_SHARED_NETWORK=on\.$/);
  }
});

it("an ordinary user is told of user namespaces, and where there are namespaces nothing is said", async () => {
  const [line = ""] = await said({ root: false, abi: 7, why: "Operation not permitted" }, "network");
  expect(line).toContain("-> Allow user namespaces, or start as root, or accept");
  const whole = { namespaces: true, network: true, proc: true };
  expect(await said(whole, "network")).toEqual([]);
  expect(await said(whole, "kernel")).toEqual([expect.stringMatching(/, tier T0$/)]);
});

it("on the kernels of Docker Desktop the remedy is another kernel, elsewhere root or user namespaces", async () => {
  const none = describeProbe({ ...root, abi: 0 }, []);
  const remedyOn = async (kernel: string): Promise<string> =>
    (await linesOf(probeFindings(none, configOf({}), kernel)))[0] ?? "";
  for (const kernel of ["6.6.16-linuxkit", "5.15.0-microsoft-standard-WSL2"])
    expect(await remedyOn(kernel)).toMatch(
      new RegExp(
        `^error kernel: Linux ${kernel.replaceAll(".", "\\.")} .*tier T3: .* -> Use a virtual machine .*docs/desktop\\.md`,
      ),
    );
  expect(await remedyOn("6.1.0-18-amd64")).toMatch(/ -> Start Parley as root or allow user namespaces/);
});
