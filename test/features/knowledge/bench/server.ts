/** A forge's lists and a site's pages, generated as they are asked for; says its port and ends with its parent. */

import { createServer } from "node:http";
import { textOf } from "./corpus.ts";

const [issues = 0, pages = 0] = process.argv.slice(2).map(Number);
const COMMENTS = 2;
const BEGAN = Date.UTC(2020, 0, 1);
const WEB = "https://github.com/acme/shop/issues";

const iso = (second: number): string => new Date(BEGAN + second * 1_000).toISOString().replace(".000", "");

const issue = (n: number) => ({
  number: n + 1,
  title: textOf(n * 10, 8).replaceAll("\n", " "),
  body: textOf(n * 10 + 1, 120),
  state: n % 3 === 0 ? "open" : "closed",
  html_url: `${WEB}/${n + 1}`,
  updated_at: iso(n),
});

const comment = (n: number) => {
  const number = Math.floor(n / COMMENTS) + 1;
  return {
    id: n + 1,
    body: textOf(n * 10 + 3, 60),
    html_url: `${WEB}/${number}#issuecomment-${n + 1}`,
    issue_url: `https://api.github.com/repos/acme/shop/issues/${number}`,
    updated_at: iso(n),
    user: { type: "User" },
  };
};

const page = (n: number): string =>
  `<html><head><title>Page ${n}</title></head><body><nav><a href="/p/${n + 1}">next</a></nav><main>${[
    1, 2, 3, 4,
  ]
    .map(
      (part) =>
        `<h2 id="s${part}">${textOf(n * 10 + part, 4)}</h2><p>${textOf(n * 10 + part + 1_000_000, 150)}</p>`,
    )
    .join("")}</main></body></html>`;

const server = createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://bench");
  const json = (list: readonly unknown[]): void =>
    void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(list));
  const listed = (all: number, make: (n: number) => unknown): void => {
    const since = url.searchParams.get("since");
    const first = since === null ? 0 : Math.max(0, (Date.parse(since) - BEGAN) / 1_000);
    const from = first + (Number(url.searchParams.get("page")) - 1) * 100;
    json(Array.from({ length: Math.max(0, Math.min(100, all - from)) }, (_, index) => make(from + index)));
  };
  if (url.pathname.endsWith("/issues/comments")) return listed(issues * COMMENTS, comment);
  if (url.pathname.endsWith("/issues")) return listed(issues, issue);
  if (url.pathname === "/sitemap.xml") {
    const all = Array.from(
      { length: pages },
      (_, n) => `<url><loc>http://${request.headers.host}/p/${n}</loc></url>`,
    );
    return void response.writeHead(200).end(`<urlset>${all.join("")}</urlset>`);
  }
  const [, n] = /^\/p\/(\d+)$/.exec(url.pathname) ?? [];
  if (n === undefined || Number(n) >= pages) return void response.writeHead(404).end();
  response.writeHead(200, { "content-type": "text/html" }).end(page(Number(n)));
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(typeof address === "object" ? address?.port : null);
});
process.on("disconnect", () => process.exit());
