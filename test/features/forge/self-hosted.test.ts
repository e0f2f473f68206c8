/** Forges as companies have them: below a path, with a certificate of their own authority, and with rules of an organization. */

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createForges } from "../../../src/features/forge/forges.ts";
import { proxiesOf } from "../../../src/app/process/outgoing-proxy.ts";
import { type Credential, readCredentials } from "../../../src/features/forge/api/credentials.ts";
import { createInspector } from "../../../src/features/forge/inspector.ts";
import { createFront } from "../../fakes/shared/front.ts";
import { createFakeGitLab, type FakeGitLab } from "../../fakes/gitlab/fake.ts";
import { scratch } from "../../scratch.ts";
import { hasty } from "./hasty.ts";

const TOKEN = "glpat-canary0123456789";
const { signal } = new AbortController();

const gitlab = async (): Promise<FakeGitLab> => {
  const fake = await createFakeGitLab();
  onTestFinished(async () => {
    await fake.close();
    expect(fake.violations).toEqual([]);
  });
  fake.world.addProject("acme/shop");
  fake.world.tokens.set(TOKEN, { projects: ["acme/shop"], scopes: ["api"] });
  fake.world.addIssue("acme/shop", { title: "Uploads crash" });
  return fake;
};

const projectAt = (location: string, ...credentials: readonly Credential[]) => {
  const located = createForges({ credentials, fits: () => true, userAgent: "parley-test", wire: hasty() }).at(
    {
      kind: "url",
      location,
    },
  );
  if (located.kind === "none") throw new Error(located.why);
  return located.project;
};

/** A server that has another one below a path. */
const below = async (path: string, origin: string): Promise<string> => {
  const server = createServer((incoming, outgoing) => {
    const { url = "/", method, headers } = incoming;
    if (!url.startsWith(`${path}/`)) return void outgoing.writeHead(404).end();
    const passed = request(`${origin}${url.slice(path.length)}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
};

describe("40.C10 a GitLab below a path", () => {
  it.each([
    ["both addresses", (root: string) => ({ api: `${root}/git/lab/api/v4`, git: `${root}/git/lab/` })],
    ["its API alone", (root: string) => ({ api: `${root}/git/lab/api/v4/`, git: null })],
  ])("is read and written with %s in its entry", async (_, places) => {
    const fake = await gitlab();
    const root = await below("/git/lab", fake.url);
    const project = projectAt("https://example.org/git/lab/acme/shop.git", {
      repos: ["*"],
      ...places(root),
      access: { kind: "gitlab-token", token: TOKEN },
    });
    expect(project.name).toBe("example.org/git/lab/acme/shop");
    expect(await project.issue(1, 1, signal)).toMatchObject({ value: { title: "Uploads crash" } });
    expect(await project.desk?.repository(signal)).toMatchObject({ kind: "found" });
  });

  it("and one at the root is read as ever, whatever its groups are called", async () => {
    const fake = await gitlab();
    const project = projectAt("https://example.org/acme/shop.git", {
      repos: ["*"],
      api: fake.api,
      git: fake.url,
      access: { kind: "gitlab-token", token: TOKEN },
    });
    expect(await project.issue(1, 1, signal)).toMatchObject({ value: { title: "Uploads crash" } });
  });
});

const authority = () => {
  const folder = scratch("authority");
  const make = (name: string, subject: string, ...more: readonly string[]) =>
    execFileSync(
      "openssl",
      [
        ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2".split(" "),
        "-subj",
        `/CN=${subject}`,
        ...more,
        "-keyout",
        `${name}.key`,
        "-out",
        `${name}.pem`,
      ],
      { cwd: folder, stdio: "ignore" },
    );
  make("ca", "A company");
  const ours = ["-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=CA:FALSE"];
  make("server", "forge", "-CA", "ca.pem", "-CAkey", "ca.key", ...ours);
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  return { folder, ca: read("ca.pem"), tls: { key: read("server.key"), cert: read("server.pem") } };
};

describe("40.C10 a certificate of the company's own authority", () => {
  it("counts for the entry that names it, its API and its git, and for no other", async () => {
    const fake = await gitlab();
    const { ca, tls } = authority();
    const front = await createFront(() => fake.url, { tls });
    onTestFinished(() => front.close());
    const entry: Credential = {
      repos: ["*"],
      api: `${front.url}/api/v4`,
      git: front.url,
      access: { kind: "gitlab-token", token: TOKEN },
    };
    const location = "https://example.org/acme/shop.git";
    expect(await projectAt(location, { ...entry, ca }).issue(1, 1, signal)).toMatchObject({ kind: "found" });
    expect(await projectAt(location, entry).issue(1, 1, signal)).toMatchObject({
      why: expect.stringContaining("could not prove who it is"),
    });
    const choice = { fits: () => true, userAgent: "parley-test", wire: hasty() };
    await createInspector({ ...choice, credentials: [{ ...entry, ca }] }).mayPush(
      { kind: "url", location },
      signal,
    );
    expect(front.asked.some((path) => path.startsWith("/acme/shop.git/info/refs"))).toBe(true);
  });

  it("40.C5 counts behind the outgoing proxy, which the request takes as any other; excepted hosts are asked directly", async () => {
    const fake = await gitlab();
    const { ca, tls } = authority();
    const front = await createFront(() => fake.url, { tls });
    const asked: string[] = [];
    const proxy = createServer().on("connect", (request, socket) => {
      asked.push(request.url ?? "");
      const target = connect(Number(request.url?.split(":")[1]), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Yes\r\n\r\n");
        socket.pipe(target).pipe(socket);
      });
      for (const side of [socket, target]) side.on("error", () => void target.destroy());
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    onTestFinished(async () => {
      await front.close();
      proxy.closeAllConnections();
      proxy.close();
    });
    const bound = proxy.address();
    const HTTPS_PROXY = `http://127.0.0.1:${typeof bound === "object" ? bound?.port : 0}`;
    // Loopback is never asked through a proxy, so the test names what is excepted.
    const through = (noProxy: string) => {
      const access = { kind: "gitlab-token", token: TOKEN } as const;
      const located = createForges({
        credentials: [{ repos: ["*"], api: `${front.url}/api/v4`, git: front.url, access, ca }],
        fits: () => true,
        userAgent: "parley-test",
        wire: hasty({ proxies: { httpsProxy: HTTPS_PROXY, noProxy } }),
      }).at({ kind: "url", location: "https://example.org/acme/shop.git" });
      if (located.kind === "none") throw new Error(located.why);
      return located.project.issue(1, 1, signal);
    };
    expect(await through("")).toMatchObject({ kind: "found" });
    expect([...new Set(asked)]).toEqual([new URL(front.url).host]);
    asked.length = 0;
    expect(await through("127.0.0.1")).toMatchObject({ kind: "found" });
    expect(asked).toEqual([]);
    expect(proxiesOf({ HTTPS_PROXY, NO_PROXY: [".corp"] })).toEqual({
      httpsProxy: HTTPS_PROXY,
      noProxy: "localhost,127.0.0.1,[::1],.corp",
    });
    expect(proxiesOf({ NO_PROXY: [".corp"] })).toBeNull();
  });

  it("is read at start, beside the file; what is no certificate is named", () => {
    const { folder, ca } = authority();
    const read = (caFile: string) => {
      const path = join(folder, "forges.json");
      const entry = { kind: "gitlab-token", repos: ["example.org/acme/*"], token: TOKEN, caFile };
      writeFileSync(path, JSON.stringify({ forges: [entry] }), { mode: 0o600 });
      return readCredentials(path, () => null);
    };
    expect(read("ca.pem")).toMatchObject({ kind: "credentials", credentials: [{ ca }] });
    writeFileSync(join(folder, "damaged.pem"), ca.replace(/MII/, "AAA"));
    writeFileSync(join(folder, "none.pem"), "no certificate");
    for (const wrong of ["damaged.pem", "none.pem", "absent.pem"])
      expect(read(wrong), wrong).toMatchObject({
        kind: "invalid",
        problems: [expect.stringContaining(wrong)],
      });
  });
});

const github = async (message: string, headers: Readonly<Record<string, string>> = {}) => {
  const front = await createFront(() => "http://127.0.0.1:9", {
    answer: () => ({
      kind: "say",
      status: 403,
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ message, documentation_url: "https://docs.github.com/rest" }),
    }),
  });
  onTestFinished(() => front.close());
  const project = projectAt("https://github.com/acme/shop.git", {
    repos: ["*"],
    api: front.url,
    git: front.url,
    access: { kind: "github-token", token: "ghp_canary0123456789" },
  });
  const asked = await project.issue(1, 1, signal);
  return asked.kind === "trouble" ? asked.why : "found";
};

describe("40.C6 GitHub's reason for a 403 reaches the text", () => {
  const RIGHT = { "x-accepted-github-permissions": "issues=read" };

  it.each([
    "Resource protected by organization SAML enforcement. You must grant your OAuth token access to this organization.",
    "Although you appear to have the correct authorization credentials, the `acme` organization has an IP allow list enabled, and your IP address is not permitted to access this resource.",
    "This installation has been suspended",
  ])("%s", async (message) => {
    const why = await github(message, RIGHT);
    expect(why).toContain(message);
    expect(why).not.toContain("it lacks");
  });

  it("a secondary limit is a limit, with its time or without", async () => {
    const limit = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
    expect(await github(limit, RIGHT)).toBe("github.com limits how often Parley may ask; try again later.");
    expect(await github(limit, { ...RIGHT, "retry-after": "60" })).toContain("try again in 60 s");
  });

  it("and a right that is missing is named as the right", async () => {
    const why = await github("Resource not accessible by personal access token", RIGHT);
    expect(why).toContain("it lacks issues=read");
  });
});
