/**
 * What the host adds to the forge's own time when an issue is read: a call of `read_issue` beside the same two requests
 * made plainly, in turn, to the wire-level forge on this machine. The issue has a full page of long comments. The first
 * call of a process loads the client's library and is told by itself.
 */

import type { ToolCall } from "../../src/tools/tool.ts";
import { createFakeForge } from "../fakes/forge/fake.ts";
import { conversationOf } from "../store/plain.ts";
import { nothingChanged } from "../tools/nothing-changed.ts";
import { withForges } from "../with-forges.ts";
import type { Bench } from "./bench.ts";
import { atMost, measured } from "./figure.ts";

const TOKEN = "github_pat_0123456789";
const COMMENTS = 30;
const LONG = "What I saw, in a line of about eighty letters and digits, as people write it.\n".repeat(30);

export const forgeBench: Bench = {
  name: "forge",
  what: "reading an issue, beside the forge's own time",
  run: async (scale) => {
    const rounds = scale === "tiny" ? 3 : 400;
    const forge = await createFakeForge();
    try {
      forge.world.allowance = { token: Number.POSITIVE_INFINITY, stranger: 0 };
      forge.world.addRepo("acme/shop", { isPrivate: true });
      forge.world.tokens.set(TOKEN, { repos: ["acme/shop"], permissions: ["issues=read"] });
      forge.world.addIssue("acme/shop", {
        title: "Uploads are lost",
        text: LONG,
        comments: Array.from({ length: COMMENTS }, () => ({ author: "ana", at: 1, text: LONG })),
      });
      const own = async (): Promise<number> => {
        const root = `${forge.url}/repos/acme/shop/issues/1`;
        const init = { headers: { authorization: `token ${TOKEN}`, "user-agent": "bench" } };
        const start = performance.now();
        await Promise.all(
          [root, `${root}/comments?per_page=${COMMENTS}`].map(async (url) =>
            (await fetch(url, init)).bytes(),
          ),
        );
        return performance.now() - start;
      };
      const read = await readerOf(forge.url);
      await own();
      const first = await read();
      const plain: number[] = [];
      const whole: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        plain.push(await own());
        whole.push(await read());
      }
      return [
        measured("the first of a process", "ms", [first]),
        measured("the forge's own time", "ms", plain),
        measured("read_issue", "ms", whole),
        measured(
          "beyond the forge's own time",
          "ms",
          whole.map((millis, round) => millis - (plain[round] ?? 0)),
          atMost(50, "p95"),
        ),
      ];
    } finally {
      await forge.close();
    }
  },
};

/** Milliseconds of one call. */
const readerOf = async (url: string): Promise<() => Promise<number>> => {
  const entry = { kind: "github-token", repos: ["acme/shop"], api: url, git: url, token: TOKEN };
  const { tools } = await withForges(entry);
  const kit = { redact: (text: string) => text, outgoing: nothingChanged.outgoing };
  const tool = tools(kit).find(({ spec }) => spec.name === "read_issue");
  if (tool === undefined) throw new Error("there is no read_issue");
  const call: ToolCall = {
    conversation: conversationOf("c-bench", {
      repo: { kind: "url", location: "https://github.com/acme/shop.git" },
    }),
    base: { commit: "abc123", ref: "main", cwd: "/work" },
    permission: "restricted",
    grants: [],
    safeMode: true,
    signal: new AbortController().signal,
  };
  return async () => {
    const start = performance.now();
    const { isError, text } = await tool.run({ number: 1 }, call);
    const took = performance.now() - start;
    if (isError) throw new Error(text);
    return took;
  };
};
