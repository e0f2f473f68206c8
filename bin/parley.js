#!/usr/bin/env -S MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072 node --max-old-space-size=1024 --max-semi-space-size=16
// Plain JavaScript that any Node can read: finds a Node that can run the rest, before anything native is loaded
// (better-sqlite3 on an old Node is a bare segmentation fault).
import { spawn } from "node:child_process";
import * as modules from "node:module";

const NEEDED = 24;

if (Number(process.versions.node.split(".")[0]) >= NEEDED) {
  modules.enableCompileCache?.();
  const { main } = await import("../src/app/cli/parley.ts");
  process.exitCode = await main(process.argv.slice(2));
} else {
  const node = bundledNode();
  if (node === null) {
    console.error(
      `parley needs Node ${NEEDED} or newer; this is ${process.versions.node}, and the package node-linux-${process.arch}, ` +
        "which includes Node, is not installed. Run npm install on Linux (x64 or arm64), or install a newer Node.",
    );
    process.exitCode = 1;
  } else {
    const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: "inherit" });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
    child.on("exit", (code, signal) => {
      process.exitCode = code ?? 128 + (signal === "SIGINT" ? 2 : signal === "SIGTERM" ? 15 : 9);
    });
  }
}

function bundledNode() {
  try {
    return modules.createRequire(import.meta.url).resolve(`node-linux-${process.arch}/bin/node`);
  } catch {
    return null;
  }
}
