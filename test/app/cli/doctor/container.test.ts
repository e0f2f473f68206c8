/** What doctor says in a container about the data's volume and the published port, and nothing outside of one. */

import { expect, it } from "vitest";
import { containerFindings, containerMounts } from "../../../../src/app/cli/doctor/container-finding.ts";
import { configOf, linesOf } from "./findings.ts";

const ROOT = "743 507 0:62 / / rw,relatime - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l/A\n";
const PROC = "744 743 0:65 / /proc rw,nosuid - proc proc rw\n";
const volume = (name: string, at = "/data"): string =>
  `760 743 254:1 /docker/volumes/${name}/_data ${at} rw,relatime master:29 - ext4 /dev/vda1 rw\n`;

const said = (mounts: string | null, data = "/data", host = "0.0.0.0") => {
  const env = { PARLEY_DATA: data, PARLEY_HOST: host, PARLEY_PROXY_HOSTS: "localhost" };
  return linesOf(containerFindings(mounts, configOf(env)));
};

it("data on a named volume or a folder of the machine outlives the container", async () => {
  expect(await said(ROOT + PROC + volume("parley"))).toEqual([
    "ok container: /data outlives the container (mounted at /data)",
  ]);
  const bound = "761 743 0:40 /home/ann/parley /srv/my\\040data rw - ext4 /dev/sda1 rw\n";
  expect(await said(ROOT + bound, "/srv/my data/parley")).toEqual([
    "ok container: /srv/my data/parley outlives the container (mounted at /srv/my data)",
  ]);
});

it("data that ends with the container is a warning, with the volume as its remedy", async () => {
  const remedy = "Mount a named volume there: docker run -v parley:/data (docs/install.md).";
  const memory = "762 743 0:70 / /data rw - tmpfs tmpfs rw\n";
  const rows = [
    [ROOT + PROC, "/data is removed with the container"],
    [ROOT + volume("parley", "/database"), "/data is removed with the container"],
    [
      ROOT + volume("0123456789abcdef".repeat(4)),
      "/data is a volume without a name, which docker run --rm removes",
    ],
    [ROOT + volume("parley") + memory, "/data is in memory only"],
  ] as const;
  for (const [mounts, found] of rows)
    expect(await said(mounts)).toEqual([`warning container: ${found} -> ${remedy}`]);
});

it("a console on loopback is a warning in a container, because no published port reaches it", async () => {
  for (const host of ["127.0.0.1", "::1", "localhost"])
    expect((await said(ROOT + volume("parley"), "/data", host))[1]).toMatch(
      /^warning container: the console listens on .* -> Set PARLEY_HOST=0\.0\.0\.0 and/,
    );
});

it("outside of a container nothing is said", async () => {
  expect(await said(null, "/data", "127.0.0.1")).toEqual([]);
  expect(containerMounts() === null || containerMounts()?.includes(" - ")).toBe(true);
});
