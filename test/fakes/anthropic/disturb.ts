/** What a fault does to the steps of an answer. Pure; faults that replace the whole answer are not dealt with here. */

import type { Fault } from "./fault.ts";
import { type Step, sseBytes } from "./plan.ts";
import { problemBody } from "./problem.ts";

export const disturb = (steps: readonly Step[], fault: Fault | undefined): readonly Step[] => {
  switch (fault?.kind) {
    case "errorEvent": {
      const type = fault.type ?? "overloaded_error";
      const error = problemBody({ status: 529, type, message: fault.message ?? "Overloaded" }, "req_stream");
      return [...afterDeltas(steps, fault.afterDeltas), bytes(sseBytes("error", error)), { kind: "end" }];
    }
    case "cut":
      return [...afterDeltas(steps, fault.afterDeltas), { kind: "cut" }];
    case "cutBytes":
      return [...firstBytes(steps, fault.bytes), { kind: "cut" }];
    case "noStop":
      return fault.afterDeltas === undefined ? steps.slice(0, -1) : afterDeltas(steps, fault.afterDeltas);
    case "stall":
      return [...afterDeltas(steps, fault.afterDeltas), { kind: "stall" }];
    case "silence":
      return [...afterDeltas(steps, 0), { kind: "pulse", bytes: PING, everyMs: fault.everyMs }];
    case "framing":
      return reframe(steps, fault.framing);
    case "unknownEvent":
      return [
        ...afterDeltas(steps, 0),
        bytes(sseBytes("content_block_glow", { type: "content_block_glow", index: 0, glow: "faint" })),
        ...steps.slice(afterDeltas(steps, 0).length),
      ];
    case "pings":
      return steps.flatMap((step) => (step.kind === "bytes" ? [bytes(PING), step] : [step]));
    case "status":
    case "html":
    case "empty":
    case "reset":
    case "turn":
    case undefined:
      return steps;
  }
};

const PING = sseBytes("ping", { type: "ping" });

const bytes = (some: Uint8Array): Step => ({ kind: "bytes", bytes: some, isDelta: false });

/** The steps up to and with the delta of that number; 0: all that stands before the first delta. */
const afterDeltas = (steps: readonly Step[], count: number): readonly Step[] => {
  const deltas = steps.flatMap((step, at) => (step.kind === "bytes" && step.isDelta ? [at] : []));
  if (count === 0) {
    return steps.slice(0, deltas[0] ?? steps.length - 1);
  }
  return steps.slice(0, (deltas[count - 1] ?? steps.length - 2) + 1);
};

const firstBytes = (steps: readonly Step[], count: number): readonly Step[] => {
  let left = count;
  return steps.flatMap((step) => {
    if (left <= 0 || step.kind !== "bytes") {
      return left <= 0 ? [] : [step];
    }
    const part = step.bytes.subarray(0, left);
    left -= step.bytes.length;
    return [{ ...step, bytes: part }];
  });
};

const reframe = (steps: readonly Step[], framing: "bytes" | "merged" | "splitUtf8"): readonly Step[] => {
  switch (framing) {
    case "bytes":
      return steps.flatMap((step) => (step.kind === "bytes" ? pieces(step.bytes, () => true) : [step]));
    case "splitUtf8":
      return steps.flatMap((step) =>
        step.kind === "bytes" ? pieces(step.bytes, continuesCharacter) : [step],
      );
    case "merged":
      return [
        ...steps.filter((step) => step.kind === "gate"),
        bytes(Buffer.concat(steps.flatMap((step) => (step.kind === "bytes" ? [step.bytes] : [])))),
      ];
  }
};

/** The bytes cut before every byte for which `isCut` holds. */
const pieces = (all: Uint8Array, isCut: (byte: number) => boolean): readonly Step[] => {
  const starts = [0, ...[...all.keys()].filter((at) => at > 0 && isCut(all[at] ?? 0))];
  return starts.map((start, index) => bytes(all.subarray(start, starts[index + 1] ?? all.length)));
};

const continuesCharacter = (byte: number): boolean => (byte & 0xc0) === 0x80;
