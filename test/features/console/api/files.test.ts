/** Files that the agent shares, as the console serves them: a download and nothing that a browser would open. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { phase, posts } from "../../../adapters/http/ask.ts";
import { createRig, field, type Rig, TOKEN } from "../../../adapters/http/rig.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

const get = (path: string, token = TOKEN) =>
  fetch(`${rig.origin}${path}`, { headers: { authorization: `Bearer ${token}` } });

/** A conversation whose agent has shared a page of HTML. */
const shared = async (name: string) => {
  const id = await rig.begin();
  const stored = await rig.blobs.put(Buffer.from("<script>alert(1)</script>"));
  if (stored.kind === "failed") throw new Error(stored.message);
  const file = { hash: stored.hash, name, title: "A page", mediaType: "text/html", size: 25 };
  rig.script.answer({ uses: [{ name: "bash", input: { command: "x" } }] }, { pieces: ["Here it is."] });
  rig.script.tool({ text: "shared", files: [file] });
  await rig.call("POST", `/api/conversations/${id}/messages`, { text: "The page, please" });
  const body = await phase(rig, id, "idle");
  const post = posts(body).find((one) => field(one, "kind") === "file");
  if (post === undefined) throw new Error("no file post");
  return { id, post, url: field(post, "url") };
};

describe("a file", () => {
  it("is a post that names it, and a download whatever it claims to be", async () => {
    const { id, post, url } = await shared('péage "1".html');
    expect(post).toMatchObject({
      kind: "file",
      markdown: "A page",
      name: 'péage "1".html',
      size: 25,
      final: true,
    });
    expect(url).toMatch(new RegExp(`^/api/conversations/${id}/files/m-[a-z0-9]+/0$`));
    const answer = await get(url);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe("<script>alert(1)</script>");
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename="peage_1_.html"; filename*=UTF-8''p%C3%A9age%20%221%22.html`,
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "private, no-store",
    });
  });

  it("is given to nobody without the token, and from no conversation but its own", async () => {
    const { url } = await shared("a.html");
    const other = await rig.begin();
    const [message, index] = url.split("/").slice(-2);
    const unknown = { error: { code: "unknown_file" } };
    expect((await get(url, "wrong")).status).toBe(401);
    for (const path of [
      `/api/conversations/${other}/files/${message}/${index}`,
      url.replace(/0$/, "1"),
      url.replace(/0$/, "..%2F0"),
    ]) {
      const answer = await get(path);
      expect([path, answer.status, await answer.json()]).toMatchObject([path, 404, unknown]);
    }
    expect((await get(url)).status).toBe(200);
  });
});

const data = (text: string): string => Buffer.from(text).toString("base64");

const send = async (files: readonly object[], text = "Look") => {
  const id = await rig.begin();
  rig.script.answer({ pieces: ["Read."] });
  const answer = await rig.call("POST", `/api/conversations/${id}/messages`, { text, files });
  return { id, answer };
};
describe("files that a person sends", () => {
  it("are kept, named with their path, and quoted, without a word of text too", async () => {
    const { id, answer } = await send(
      [
        { name: "../app.log", mediaType: "text/plain", data: data("ERROR boom") },
        { name: "empty", data: "" },
      ],
      "",
    );
    expect(answer.status).toBe(202);
    const said = posts(await phase(rig, id, "idle")).find((one) => field(one, "kind") === "user");
    expect(field(said, "markdown")).toMatch(
      /\/files\/\w{10}-\.\._app\.log \(text\/plain, 10 bytes\)\n\| ERROR boom/,
    );
    expect(field(said, "markdown")).toMatch(/\/files\/\w{10}-empty \(application\/octet-stream, 0 bytes\)/);
  });

  it("are refused whole with the reason if one is too large or no base64", async () => {
    const large = Buffer.alloc(25 * 2 ** 20 + 1).toString("base64");
    expect((await send([{ name: "a.bin", data: large }])).answer).toMatchObject({
      status: 400,
      body: { error: { message: 'The file "a.bin" could not be taken: it is larger than 25 MB.' } },
    });
    expect((await send([{ name: "a.bin", data: "***" }])).answer).toMatchObject({ status: 400 });
  });
});
