/**
 * Page for browsers without the cookie or with an expired key: how to sign in, and nothing about the
 * console's content.
 */

import { createHash } from "node:crypto";
import { contentPolicy, SECURITY_HEADERS } from "../../../adapters/http/headers.ts";

/**
 * `crossSite`: the browser followed a link from another site and therefore did not send the SameSite=Strict
 * cookie. The page reloads itself, so that the cookie is sent.
 */
export const linkPage = (crossSite: boolean, base: string): Response => {
  const again = crossSite ? `<meta http-equiv="refresh" content="0; url=${base}/">` : "";
  const body = `<p>This console opens with the link that <code>npm start</code> prints:</p>
<p><code>console: http://127.0.0.1:…/?token=…</code></p>
<p>It is good in this browser until the token changes or the browser's data is cleared; then open it again. The token
in it is <code>PARLEY_CONSOLE_TOKEN</code>, else what the file <code>console-token</code> in the data directory
holds.</p>
<p><a href="${base}/">Try again</a>, where another tab has opened the link since. Scripts send the token as
<code>Authorization: Bearer …</code>.</p>`;
  return page(401, again, body, { "www-authenticate": 'Bearer realm="parley"' });
};

/** Page that says why nothing is shown. `message` must not contain characters that HTML interprets. */
export const noticePage = (message: string): Response => page(403, "", `<p>${message}</p>`, {});

const page = (
  status: number,
  head: string,
  body: string,
  extra: Readonly<Record<string, string>>,
): Response => {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Parley</title>
<meta name="viewport" content="width=device-width">${head}<style>${STYLE}</style></head><body><main>
<h1>Parley</h1>
${body}
</main></body></html>`;
  const headers = {
    ...SECURITY_HEADERS,
    ...extra,
    "content-security-policy": contentPolicy(`'sha256-${STYLE_HASH}'`),
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
  };
  return new Response(html, { status, headers });
};

const STYLE = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:light-dark(#faf9f7,#171716);color:light-dark(#22211f,#e8e5df);font:16px/1.6 "Segoe UI","Helvetica Neue","Liberation Sans",Arial,sans-serif}
main{max-width:32rem;padding:2rem}
h1{font-size:1.25rem;margin:0 0 1rem}
code{font:0.875em ui-monospace,"Liberation Mono",monospace;background:light-dark(#efece6,#262523);padding:.15em .4em;border-radius:4px}`;

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");
