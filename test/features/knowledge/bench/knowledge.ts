/**
 * What it takes to read a large project's issues and a large site into the index, and to ask it: from a generated forge and site on
 * this machine, each in a process of its own. And what is found, beside plain keyword search (recall.ts).
 */

import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Bench } from "../../../bench/bench.ts";
import { atLeast, atMost, measured } from "../../../bench/figure.ts";
import { temporary } from "../../../bench/temporary.ts";
import type { Told } from "./child.ts";
import { recall } from "./recall.ts";

export const knowledgeBench: Bench = {
  name: "knowledge",
  what: "reading a project's issues and a site into the index, and asking it",
  run: async (scale) => {
    const [issues, pages, asked] = scale === "tiny" ? [200, 20, 10] : [20_000, 5_000, 1_000];
    const server = fork(join(import.meta.dirname, "server.ts"), [`${issues}`, `${pages}`]);
    const [port] = await once(server, "message");
    try {
      await using directory = await temporary();
      const child = fork(join(import.meta.dirname, "child.ts"), [
        directory.path,
        ...[port, issues, pages, asked].map(String),
      ]);
      const [told]: readonly Told[] = await once(child, "message");
      if (told === undefined) throw new Error("it has told nothing");
      const { plain, indexed } = recall(directory.path);
      return [
        measured(
          `${issues} issues with comments and ${pages} pages are read`,
          "s",
          [told.seconds],
          atMost(600),
        ),
        measured("memory of the whole process", "MB", [told.memory], atMost(300)),
        measured("texts that can be found", "", [told.texts]),
        measured("the file", "MB", [told.file]),
        measured("the event loop was late by", "ms", [told.late]),
        measured("a search", "ms", told.searches, atMost(30, "p95")),
        measured("recall at 5, plain keyword search", "%", [plain]),
        measured("recall at 5, search_knowledge", "%", [indexed], atLeast(plain)),
      ];
    } finally {
      server.disconnect();
    }
  },
};
