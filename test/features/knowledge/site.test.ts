/** Documentation sites: what is read of them, and what is not, whatever they do. */

import { expect, it } from "vitest";
import { siteWith } from "../../sandbox/egress/site.ts";
import { channel, conversation, found, worldOn } from "./world.ts";

const page = (title: string, body: string): string =>
  `<html><head><title>${title}</title><style>p{}</style></head><body><nav><a href="/guide/b">B</a> everywhere</nav><main><h1>${title}</h1>${body}</main><footer>Imprint</footer><script>evil()</script></body></html>`;

it("reads what pages link to and what the sitemap names, by headings, without what surrounds them", async () => {
  const site = await siteWith({
    "/sitemap.xml": "<urlset></urlset>",
    "/guide/": page(
      "Guide",
      '<p>Begin here.</p><h2 id="retry policy">Retries</h2><p>Uploads are retried <b>three</b> times.</p>',
    ),
    "/guide/b": page("Second", "<p>Quotas are per account.</p>"),
    "/elsewhere": page("Elsewhere", "<p>Not of the guide.</p>"),
  });
  const world = await worldOn(null, [`${site.root}guide/`]);
  await world.clock.quiet();
  expect(found(world, "uploads retried")).toEqual(["/guide/#retry%20policy"]);
  expect(found(world, "quotas account")).toEqual(["/guide/b"]);
  expect(found(world, "imprint evil everywhere")).toEqual([]);
  const answer = world.knowledge.find(conversation, "uploads retried");
  expect(answer.kind === "found" ? answer.hits[0] : null).toMatchObject({
    title: "Guide › Retries",
    excerpt: "Uploads are retried three times.",
  });
});

it("asks robots.txt first, and keeps to it", async () => {
  const site = await siteWith({
    "/robots.txt":
      "User-agent: *\nDisallow: /\n\nUser-agent: Parley\nDisallow: /private\nAllow: /private/open$\n",
    "/": page("Home", '<a href="/private/a">a</a><a href="/private/open">b</a><a href="/c">c</a>'),
    "/private/open": page("Open", "zebra"),
    "/private/a": page("Closed", "zebra"),
    "/c": page("C", "zebra"),
  });
  const world = await worldOn(null, [site.root]);
  await world.clock.quiet();
  expect(site.asked).not.toContain("/private/a");
  expect(site.asked[0]).toBe("/robots.txt");
  expect(found(world, "zebra").toSorted()).toEqual(["/c", "/private/open"]);
});

it("ends where a site never ends", async () => {
  const site = await siteWith((request, response) => {
    if (/robots|sitemap/.test(request.url ?? "")) return void response.writeHead(404).end();
    const n = Number(/\d+/.exec(request.url ?? "")?.[0] ?? 0);
    const links = Array.from(
      { length: 20 },
      (_, i) => `<a href="/p${n * 20 + i + 1}?session=${Math.random()}">x</a>`,
    );
    response.writeHead(200, { "content-type": "text/html" }).end(page(`Page ${n}`, links.join("")));
  });
  const world = await worldOn(null, [site.root], { pages: 40 });
  await world.clock.quiet();
  expect(site.asked.length).toBeLessThanOrEqual(42);
  const [standing] = world.knowledge.standings([site.root], null, channel);
  expect(standing).toMatchObject({
    reading: false,
    why: "Only its first 40 pages are read (PARLEY_KNOWLEDGE_PAGES).",
  });
});

it("takes no more of an endless page than its bound, and reads the others", async () => {
  let sent = 0;
  const site = await siteWith((request, response) => {
    if (request.url === "/huge") {
      response.writeHead(200, { "content-type": "text/html" });
      const chunk = Buffer.alloc(64 * 1024, "a ");
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
        sent += chunk.length;
      };
      response.on("drain", more);
      return more();
    }
    if (request.url === "/")
      return void response
        .writeHead(200, { "content-type": "text/html" })
        .end(page("Home", '<a href="/huge">h</a><p>giraffe</p>'));
    response.writeHead(404).end();
  });
  const world = await worldOn(null, [site.root]);
  await world.clock.quiet();
  expect(found(world, "giraffe")).toEqual(["/"]);
  expect(sent).toBeLessThan(32 * 2 ** 20);
  expect(world.knowledge.figures().texts).toBe(1);
});

it("takes nothing for a text that is none, whatever it is called", async () => {
  const site = await siteWith((request, response) => {
    const send = (type: string, body: string | Buffer): void =>
      void response.writeHead(200, { "content-type": type }).end(body);
    if (request.url === "/")
      return send("text/html", page("Home", '<a href="/a">a</a><a href="/b">b</a><a href="/c">c</a>'));
    if (request.url === "/a") return send("text/html", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]));
    if (request.url === "/b") return send("application/octet-stream", "walrus");
    if (request.url === "/c") return send("text/plain", "# A plain walrus\n\nin words");
    response.writeHead(404).end();
  });
  const world = await worldOn(null, [site.root]);
  await world.clock.quiet();
  expect(found(world, "walrus")).toEqual(["/c"]);
});

it("reaches nothing inside: not by its address, not by its name, not by a redirect", async () => {
  const inner = await siteWith({ "/": page("Inner", "secret walrus") });
  const closed = await worldOn(null, [inner.root], { isClosed: true });
  await closed.clock.quiet();
  expect(inner.asked).toEqual([]);
  expect(closed.knowledge.standings([inner.root], null, channel)[0]?.why).toMatch(/port \d+ is closed/);
  const usual = await worldOn(null, ["http://127.0.0.1/"], { isClosed: true });
  await usual.clock.quiet();
  expect(usual.knowledge.standings(["http://127.0.0.1/"], null, channel)[0]?.why).toMatch(/loopback/);

  const rebound = `http://docs.example.com:80/`;
  const named = await worldOn(null, [rebound], {
    isClosed: true,
    lookup: () => Promise.resolve(["169.254.169.254"]),
  });
  await named.clock.quiet();
  expect(named.knowledge.standings(["http://docs.example.com/"], null, channel)[0]?.why).toMatch(/metadata/);

  // 127.0.0.1 stands for what may be reached here, and the redirect leads to what may not.
  const outer = await siteWith((request, response) => {
    if (request.url === "/")
      return void response
        .writeHead(200, { "content-type": "text/html" })
        .end(page("Home", '<a href="/in">i</a><a href="/meta">m</a><p>elephant</p>'));
    if (request.url === "/in") return void response.writeHead(302, { location: "http://10.0.0.7/" }).end();
    if (request.url === "/meta")
      return void response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data/" }).end();
    response.writeHead(404).end();
  });
  const world = await worldOn(null, [outer.root]);
  await world.clock.quiet();
  expect(found(world, "elephant")).toEqual(["/"]);
  expect(world.knowledge.figures().texts).toBe(1);
});

it("does not index what redirects to another site", async () => {
  const other = await siteWith({ "/": page("Other", "an elephant elsewhere") });
  const site = await siteWith((request, response) => {
    if (request.url === "/")
      return void response
        .writeHead(200, { "content-type": "text/html" })
        .end(page("Home", '<a href="/away">i</a>'));
    if (request.url === "/away") return void response.writeHead(302, { location: other.root }).end();
    response.writeHead(404).end();
  });
  const world = await worldOn(null, [site.root]);
  await world.clock.quiet();
  // 40.A8: robots.txt of this site says nothing of the other, so it is not asked.
  expect(other.asked).toEqual([]);
  expect(found(world, "elephant")).toEqual([]);
});

it("asks again only for what changed, and drops pages that are gone", async () => {
  let isSecond = false;
  const statuses: number[] = [];
  const site = await siteWith((request, response) => {
    const answer = (status: number, body = ""): void => {
      statuses.push(status);
      response.writeHead(status, { "content-type": "text/html", etag: '"1"' }).end(body);
    };
    if (request.url === "/")
      return request.headers["if-none-match"] === '"1"'
        ? answer(304)
        : answer(200, page("Home", '<a href="/a">a</a><a href="/b">b</a> giraffe'));
    if (request.url === "/a")
      return request.headers["if-none-match"] === '"1"' ? answer(304) : answer(200, page("A", "zebra"));
    if (request.url === "/b" && !isSecond) return answer(200, page("B", "walrus"));
    answer(404);
  });
  const world = await worldOn(null, [site.root]);
  await world.clock.quiet();
  expect(found(world, "walrus")).toEqual(["/b"]);
  isSecond = true;
  statuses.length = 0;
  await world.clock.pass(24 * 60 * 60_000 + 60_000);
  expect(statuses.filter((status) => status === 304)).toHaveLength(2);
  expect(found(world, "zebra")).toEqual(["/a"]);
  expect(found(world, "giraffe")).toEqual(["/"]);
  expect(found(world, "walrus")).toEqual([]);
});
