/** 40.C4: the console behind proxies as people have them: one that changes Host, one below a path, nginx itself. */

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { createRig, type RigOptions, TOKEN } from "../../../adapters/http/rig.ts";
import { freePort } from "../../../free-port.ts";
import { scratch } from "../../../scratch.ts";
import {
  type Browser,
  chromiumPath,
  launchBrowser,
  noChromium,
  say,
  turnDone,
} from "../../../browser/browser.ts";

if (chromiumPath === null) console.log(`skipped: ${noChromium}`);

const find = (name: string): string => {
  const found = spawnSync("sh", ["-c", `command -v ${name}`], {
    encoding: "utf8",
    env: { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin` },
  }).stdout.trim();
  if (found === "")
    console.log(`skipped: no ${name} here (looked in PATH and /usr/sbin); install the package ${name}`);
  return found;
};
const NGINX = find("nginx");
const CADDY = find("caddy");

interface Proxy {
  readonly origin: string;
  to(port: number): void;
}

/** As nginx does without a word: Host is the upstream's. `strip`: as `proxy_pass` with a path. */
const naiveProxy = async ({ strip = "" } = {}): Promise<Proxy> => {
  let port = 0;
  const server = createServer((incoming, outgoing) => {
    const path = (incoming.url ?? "/").slice(strip.length) || "/";
    const headers = { ...incoming.headers, host: `127.0.0.1:${port}` };
    const options = { host: "127.0.0.1", port, path, method: incoming.method, headers };
    const upstream = request(options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    upstream.on("error", () => outgoing.destroy());
    outgoing.on("close", () => upstream.destroy());
    incoming.pipe(upstream);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const own = typeof address === "object" && address !== null ? address.port : 0;
  return {
    // Another name than the upstream's: a cookie does not know ports.
    origin: `http://localhost:${own}`,
    to: (given) => {
      port = given;
    },
  };
};

const openRig = async (options: RigOptions) => {
  const rig = await createRig(options);
  onTestFinished(() => rig.close());
  return rig;
};

let browser: Browser;
beforeAll(async () => {
  if (chromiumPath !== null) browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** Clears the browser. Each test has its own port, but cookies ignore ports. */
const freshBrowser = (): Browser => {
  onTestFinished(async () => {
    // The first one is the browser's own.
    for (const page of browser.context.pages().slice(1)) await page.close();
    await browser.context.clearCookies();
  });
  return browser;
};

/** Through the link, a whole turn with its stream, and a page that is loaded again. */
const works = async (rig: Awaited<ReturnType<typeof openRig>>, publicUrl: string): Promise<void> => {
  rig.script.answer({ pieces: ["In ", "retry.ts"] });
  const { page, faults } = await freshBrowser().open(`${publicUrl}/?token=${TOKEN}`);
  await page.getByLabel("Repository").waitFor();
  expect(page.url().replace(/#.*$/, "")).toBe(`${publicUrl}/`);
  await say(page, "Where is it?");
  await turnDone(page, 1);
  await page.reload();
  await page.getByText("In retry.ts").first().waitFor();
  expect(await page.locator("#unstarted").count()).toBe(0);
  expect(faults).toEqual([]);
};

const run = it.skipIf(chromiumPath === null);

run("40.C4 behind a proxy that changes Host the page and the log name the header", async () => {
  const warned: [string, object | undefined][] = [];
  const log = {
    info: () => undefined,
    warn: (text: string, fields?: object) => void warned.push([text, fields]),
    error: () => undefined,
  };
  const rig = await openRig({ log });
  const proxy = await naiveProxy();
  proxy.to(rig.port);
  const page = await freshBrowser().context.newPage();
  await page.goto(`${proxy.origin}/?token=${TOKEN}`);
  await page.getByText("proxy_set_header Host $http_host;").waitFor();
  const asked = proxy.origin.replace("http://", "");
  expect(warned).toEqual([
    ["console: header Host changed by a proxy", { asked, host: `127.0.0.1:${rig.port}` }],
  ]);
});

run("40.C4 and works there with PARLEY_PUBLIC_URL, on another port than the host's own, too", async () => {
  const proxy = await naiveProxy();
  const rig = await openRig({ publicUrl: proxy.origin });
  proxy.to(rig.port);
  await works(rig, proxy.origin);
});

run.each([
  ["that passes the path on", ""],
  ["that takes the path away", "/tools/parley"],
])("40.C4 works below a path, behind a proxy %s", async (_, strip) => {
  const proxy = await naiveProxy({ strip });
  const publicUrl = `${proxy.origin}/tools/parley`;
  const rig = await openRig({ publicUrl });
  proxy.to(rig.port);
  await works(rig, publicUrl);
});

/** The block of a language in the documentation. */
const blockOf = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(readFileSync("docs/install.md", "utf8"))?.[1] ?? "";

interface Server {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** An address that it answers, with an error as long as there is no host behind it. */
  readonly address: string;
}

const start = async ({ file, args, env, address }: Server): Promise<void> => {
  const child = spawn(file, args, { stdio: "ignore", env: { ...process.env, ...env } });
  const gone = new Promise<"gone">((resolve) => void child.once("exit", () => resolve("gone")));
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await gone;
  });
  const answers = (): Promise<boolean> =>
    fetch(address).then(
      () => true,
      () => false,
    );
  const isUp = expect.poll(answers).toBe(true);
  expect(await Promise.race([isUp, gone])).not.toBe("gone");
};

/** The block for nginx, with what the test has in the place of a certificate and of the ports. */
const startNginx = async (port: number, base: string): Promise<string> => {
  const own = await freePort();
  const root = scratch("nginx");
  mkdirSync(join(root, "logs"));
  const server = blockOf("nginx")
    .replace("listen 443 ssl;", `listen 127.0.0.1:${own};`)
    .replaceAll(/^\s*ssl_certificate.*\n/gm, "")
    .replace("parley.example.org", "localhost")
    .replace("127.0.0.1:8787", `127.0.0.1:${port}`)
    .replace("location /", `location ${base}/`);
  expect(server).toContain("proxy_set_header Host $http_host;");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (one) => `${one}_temp_path ${root}/${one};`,
  );
  const conf = join(root, "nginx.conf");
  writeFileSync(
    conf,
    `daemon off; pid ${root}/pid; error_log ${root}/logs/error.log; ${process.getuid?.() === 0 ? "user root;" : ""}\nevents {}\nhttp { access_log off; ${temporary.join(" ")}\n${server} }\n`,
  );
  const origin = `http://localhost:${own}`;
  const args = ["-p", root, "-c", conf, "-e", join(root, "logs/error.log")];
  await start({ file: NGINX, args, address: `${origin}${base}/` });
  return origin;
};

/** The block for Caddy, without the certificate that it would ask for. */
const startCaddy = async (port: number, base: string): Promise<string> => {
  const own = await freePort();
  const root = scratch("caddy");
  const origin = `http://localhost:${own}`;
  const site = blockOf("caddyfile")
    .replace("parley.example.org", origin)
    .replace("127.0.0.1:8787", `127.0.0.1:${port}`);
  expect(site).toContain(origin);
  const line = /reverse_proxy .*/.exec(site)?.[0] ?? "";
  const below = base === "" ? line : `handle ${base}/* {\n${line}\n}`;
  const conf = join(root, "Caddyfile");
  writeFileSync(conf, `{\nadmin off\n}\n${site.replace(line, below)}`);
  const args = ["run", "--adapter", "caddyfile", "--config", conf];
  await start({
    file: CADDY,
    args,
    env: { HOME: root, XDG_DATA_HOME: root, XDG_CONFIG_HOME: root },
    address: `${origin}${base}/`,
  });
  return origin;
};

const SERVERS = [
  { name: "nginx", file: NGINX, begin: startNginx },
  { name: "Caddy", file: CADDY, begin: startCaddy },
].flatMap((server) => ["", "/parley"].map((base) => ({ ...server, base })));

for (const { name, file, begin, base } of SERVERS)
  it.skipIf(file === "" || chromiumPath === null)(
    `40.C4 the block for ${name} in docs/install.md works at ${base}/`,
    async () => {
      const port = await freePort();
      const origin = await begin(port, base);
      const rig = await openRig({ publicUrl: `${origin}${base}`, port });
      await works(rig, `${origin}${base}`);
    },
  );
