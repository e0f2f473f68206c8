/** Files of a thread: written down before the call and after it, asked for before they are repeated, and never silent. */

import { describe, expect, it } from "vitest";
import type { SendFailure } from "../../../src/ports/surface.ts";
import { createBoard, createDesk, type Desk, file, generous, post, question } from "./board.ts";

const ID = "c-1";

const scene = (limits = generous) => {
  const board = createBoard(limits);
  board.blobs.bytes.set("h", Buffer.from("its bytes"));
  const desk = createDesk(board);
  desk.thread(ID);
  return desk;
};

const seconds = async (desk: Desk, count: number): Promise<void> => {
  await desk.still();
  for (let no = 0; no < count; no += 1) {
    desk.clock.advance(1_000);
    await desk.still();
  }
};

describe("a file", () => {
  it("is uploaded once, in its place, with its bytes", async () => {
    const desk = scene();
    desk.post(ID, post("a"), file("f"), post("b"));
    await desk.still();
    expect(desk.board.calls).toEqual(["send a", "upload f", "send b"]);
    expect(desk.board.held).toEqual([{ name: "a.txt", text: "its bytes" }]);
    expect(desk.ledger.behind("board")).toEqual([]);
    const later = desk.restart();
    later.deliverer.start();
    await later.still();
    expect(desk.board.held).toHaveLength(1);
  });

  it("whose acknowledgement was lost is asked for before it is repeated", async () => {
    const desk = scene();
    desk.board.spoil("upload", { kind: "lost" });
    desk.post(ID, file("f"), post("b"));
    await desk.still();
    desk.clock.advance(1_000);
    await desk.still();
    expect(desk.board.calls).toEqual(["upload f", "observe", "send b"]);
    expect(desk.texts()).toEqual(["f", "b"]);
  });

  it("that did not arrive is uploaded again", async () => {
    const desk = scene();
    desk.board.spoil("upload", { kind: "unknown", why: "reset" });
    desk.post(ID, file("f"));
    await desk.still();
    desk.clock.advance(1_000);
    await desk.still();
    expect(desk.texts()).toEqual(["f"]);
    expect(desk.board.held).toHaveLength(1);
  });

  it.each([true, false])(
    "of a process that ended in the call is asked for by the next (applied: %s)",
    async (applied) => {
      const desk = scene();
      desk.board.spoil("upload", { kind: "stuck", applied });
      desk.post(ID, file("f"));
      await desk.board.called();
      const later = desk.restart();
      later.deliverer.start();
      await later.still();
      expect(desk.board.calls.slice(0, 2)).toEqual(["upload f", "observe"]);
      expect(later.texts()).toEqual(["f"]);
      expect(desk.board.held).toHaveLength(1);
    },
  );

  it("that cannot be asked for says in the repeat that it may be one", async () => {
    const desk = scene({ ...generous, observes: false });
    desk.board.spoil("upload", { kind: "lost" });
    desk.post(ID, file("f"));
    await desk.still();
    desk.clock.advance(1_000);
    await desk.still();
    expect(desk.texts()).toEqual(["f", "again: f"]);
  });

  it("that the platform refuses for good becomes a message that says so, and nothing is tried for ever", async () => {
    const desk = scene();
    desk.board.spoil("upload", { kind: "refused", why: "file_uploads_disabled", permanent: true });
    desk.post(ID, file("f"), post("b"));
    await desk.still();
    expect(desk.texts()).toEqual(["refused: file_uploads_disabled: f", "b"]);
    expect(desk.ledger.behind("board")).toEqual([]);
  });

  it.each<SendFailure>([
    { kind: "refused", why: "the upload was answered by 403", permanent: false },
    { kind: "unknown", why: "internal_error" },
  ])("WS1 that fails at every try is dropped after five, and its words come ($kind)", async (trouble) => {
    const desk = scene();
    for (let no = 0; no < 20; no += 1) desk.board.spoil("upload", trouble);
    desk.post(ID, file("f"), post("b"));
    await seconds(desk, 20);
    expect(desk.board.calls.filter((call) => call.startsWith("upload"))).toHaveLength(5);
    expect(desk.texts()).toEqual([expect.stringMatching(/^refused: .*: f$/), "b"]);
    await seconds(desk, 60);
    expect(desk.ledger.behind("board")).toEqual([]);
  });

  it.each<readonly [SendFailure, readonly string[]]>([
    [{ kind: "throttled", retryAfter: 1_000 }, ["b", "f"]],
    [{ kind: "unknown", why: "no usable answer came" }, ["f", "b"]],
  ])("WS1 is kept while the platform takes nothing at all (%o)", async (trouble, texts) => {
    const desk = scene();
    for (let no = 0; no < 6; no += 1) desk.board.spoil("upload", trouble);
    for (let no = 0; no < 40; no += 1) desk.board.spoil("open", trouble);
    desk.post(ID, file("f"), post("b"));
    await seconds(desk, 120);
    expect(desk.texts()).toEqual(texts);
  });

  it("WS1 that fails twice is uploaded by the third try", async () => {
    const desk = scene();
    for (let no = 0; no < 2; no += 1)
      desk.board.spoil("upload", {
        kind: "refused",
        why: "the upload was answered by 502",
        permanent: false,
      });
    desk.post(ID, file("f"), post("b"));
    await seconds(desk, 12);
    expect(desk.texts()).toEqual(["f", "b"]);
    expect(desk.board.held).toHaveLength(1);
  });

  it("whose bytes are gone becomes a message that says so, without a call", async () => {
    const desk = scene();
    desk.board.blobs.bytes.clear();
    desk.post(ID, file("f"));
    await desk.still();
    expect(desk.board.calls).toEqual(["send not sent: the bytes of a.txt are no longer stored: f"]);
  });

  it("that was not looked through for secrets is not sent: the thread says why, and goes on", async () => {
    const desk = scene();
    desk.board.maskFile = () => Promise.resolve({ kind: "beyond", why: "up to 8 MB" });
    desk.post(ID, file("f"), post("b"));
    await desk.still();
    expect(desk.board.calls).toEqual(["send not sent: a.txt: up to 8 MB: f", "send b"]);
    expect(desk.board.held).toEqual([]);
    expect(desk.ledger.behind("board")).toEqual([]);
  });

  it.each<SendFailure>([
    { kind: "refused", why: "the upload was answered by 502", permanent: false },
    { kind: "unknown", why: "internal_error" },
  ])("40.B a queue of files that fail waits as long as one of them ($kind)", async (trouble) => {
    const files = Array.from({ length: 8 }, (_, no) => file(`f${no}`));
    /** Seconds until the thread shows its last message. */
    const wait = async (...posts: Parameters<Desk["post"]>[1][]): Promise<number> => {
      const desk = scene();
      for (let no = 0; no < 40; no += 1) desk.board.spoil("upload", trouble);
      desk.post(ID, ...posts, post("last"));
      await desk.still();
      for (let passed = 0; ; passed += 1) {
        if (desk.texts().at(-1) === "last") {
          expect(desk.texts()).toHaveLength(posts.length + 1);
          return passed;
        }
        await seconds(desk, 1);
      }
    };
    expect(await wait(...files)).toBe(await wait(file("f")));
  });

  it("40.B has all its tries again after the platform took one", async () => {
    const desk = scene();
    const trouble = { kind: "refused", why: "the upload was answered by 502", permanent: false } as const;
    for (let no = 0; no < 5; no += 1) desk.board.spoil("upload", trouble);
    desk.post(ID, file("f"), file("g"));
    await seconds(desk, 20);
    expect(desk.texts()).toEqual([expect.stringMatching(/^refused: .*: f$/), "g"]);
    for (let no = 0; no < 2; no += 1) desk.board.spoil("upload", trouble);
    desk.post(ID, file("h"));
    await seconds(desk, 20);
    expect(desk.texts().at(-1)).toBe("h");
  });

  it("waits for its own Retry-After, and holds up no question or message but those of its own post", async () => {
    const desk = scene();
    desk.thread("c-2", "C2");
    desk.board.spoil("upload", { kind: "throttled", retryAfter: 5_000 });
    desk.post(ID, file("f"));
    await desk.still();
    desk.post("c-2", file("g"), question("q"));
    desk.post("c-3", post("none of ours"));
    desk.thread("c-4", "C4");
    desk.post("c-4", question("r"));
    await desk.still();
    expect(desk.board.calls).toEqual(["upload f", "send q ?", "send r ?"]);
    desk.clock.advance(5_000);
    await desk.still();
    expect(desk.board.held).toHaveLength(1);
    desk.clock.advance(1_000);
    await desk.still();
    expect(desk.board.held).toHaveLength(2);
  });

  it("gives way to the questions of other threads", async () => {
    const desk = scene({ ...generous, parallel: 1 });
    desk.thread("c-2", "C2");
    desk.store(ID, file("f"));
    desk.store("c-2", question("q"));
    desk.deliverer.start();
    await desk.still();
    expect(desk.board.calls).toEqual(["send q ?", "upload f"]);
  });
});
