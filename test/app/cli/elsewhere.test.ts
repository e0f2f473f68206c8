import { expect, test } from "vitest";
import { linesForElsewhere } from "../../../src/app/cli/start.ts";

const url = "http://127.0.0.1:8787/?token=abc%2Fdef";
const machine = { user: "ann", hostname: "box", sshConnection: undefined };
const alone = { PARLEY_PROXY_HOSTS: [], PARLEY_PUBLIC_URL: undefined };

const over = (sshConnection: string): string =>
  linesForElsewhere(url, alone, { ...machine, sshConnection }).join("");

test("a tunnel to the console's own port, through the name that the machine gives itself", () => {
  expect(linesForElsewhere(url, alone, machine)).toEqual([
    "from another machine: ssh -N -L 8787:127.0.0.1:8787 ann@box and open the console's link there",
  ]);
});

test("started over SSH: through the address and the port that were reached", () => {
  expect(over("198.51.100.7 50022 192.0.2.10 22")).toContain(" ann@192.0.2.10 and");
  expect(over("198.51.100.7 50022 192.0.2.10 2222")).toContain(" -p 2222 ann@192.0.2.10 and");
  expect(over("2001:db8::7 50022 2001:db8::10 22")).toContain(" ann@2001:db8::10 and");
  expect(over("")).toContain(" ann@box and");
});

test("behind a declared proxy: its links too, with TLS and with the token", () => {
  const [link] = linesForElsewhere(url, { ...alone, PARLEY_PROXY_HOSTS: ["parley.example"] }, machine);
  expect(link).toBe("behind the proxy: https://parley.example/?token=abc%2Fdef");
});

test("in a container, whose port is published as localhost: to the machine around it, not to the container's name", () => {
  expect(linesForElsewhere(url, { ...alone, PARLEY_PROXY_HOSTS: ["localhost"] }, machine)).toEqual([
    expect.stringContaining(" -L 8787:127.0.0.1:8787 you@the-host-of-this-container and "),
  ]);
});

test("an IPv6 address is written as SSH takes it", () => {
  const [line] = linesForElsewhere("http://[::1]:9/?token=t", alone, machine);
  expect(line).toContain("ssh -N -L 9:[::1]:9 ann@box");
});

test("40.C4 the link behind a proxy is below its path", () => {
  const given = { ...alone, PARLEY_PUBLIC_URL: "https://example.org/parley/" };
  const [link] = linesForElsewhere("http://127.0.0.1:8787/parley/?token=t", given, machine);
  expect(link).toBe("behind the proxy: https://example.org/parley/?token=t");
});
