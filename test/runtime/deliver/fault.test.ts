/** A failure of pure code is final: the post goes out as plain text, the operator is told, and the thread goes on. */

import { describe, expect, it } from "vitest";
import { createBoard, createDesk, decided, post, question, thinking } from "./board.ts";

const ID = "c-1";
const FAULT = { kind: "refused", why: "RangeError", permanent: true, fault: true } as const;

const scene = () => {
  const desk = createDesk(createBoard());
  desk.thread(ID);
  return desk;
};

const shown = ({ board }: ReturnType<typeof scene>) =>
  board.messages.map(({ content: { text, plain = false } }) => ({ text, plain }));

describe("a post that the renderer fails at", () => {
  it("goes out once as plain text, in its place, and the next one after it", async () => {
    const desk = scene();
    desk.post(ID, post("a"), post("poison"), post("b"));
    await desk.still();
    expect(shown(desk)).toEqual([
      { text: "a", plain: false },
      {
        text: "Stopped by console:operator. 1 step was left out.",
        plain: true,
      },
      { text: "b", plain: false },
    ]);
    desk.post(ID, post("c"));
    await desk.still();
    expect(desk.board.calls).toHaveLength(4);
    expect(desk.faults).toEqual([ID]);
    expect(desk.ledger.behind("board")).toEqual([]);
  });

  it("keeps the buttons of a question, and is changed when it is decided", async () => {
    const desk = scene();
    desk.post(ID, question("poison"));
    await desk.still();
    const asks = "Write access for this thread?";
    expect(desk.board.messages[0]?.content).toMatchObject({ tone: "question", plain: true, text: asks });
    desk.post(ID, decided("poison"));
    await desk.still();
    expect(desk.ledger.behind("board")).toEqual([]);
  });

  it("keeps no other thread from anything at a start", async () => {
    const desk = scene();
    desk.thread("c-2", "C2");
    desk.store(ID, post("poison"));
    desk.store("c-2", post("a"));
    const later = desk.restart();
    later.deliverer.start();
    await later.still();
    expect(later.texts("C2")).toEqual(["a"]);
    expect(later.texts()).toHaveLength(1);
  });

  it("of progress shows that work goes on, with Stop", async () => {
    const desk = scene();
    desk.status(ID, thinking);
    desk.live(ID, "poison");
    await desk.still();
    desk.status(ID, null);
    desk.post(ID, post("a"));
    await desk.still();
    expect(desk.texts()).toEqual(["a"]);
  });
});

describe("content that the platform's form cannot be made of", () => {
  it("goes out as plain text after one try", async () => {
    const desk = scene();
    desk.board.spoil("send", FAULT);
    desk.post(ID, post("a"), post("b"));
    await desk.still();
    expect(desk.board.calls).toEqual(["send a", "send a", "send b"]);
    expect(shown(desk)).toEqual([
      { text: "a", plain: true },
      { text: "b", plain: false },
    ]);
    expect(desk.faults).toEqual([ID]);
  });

  it("nor of its plain text is told of, and no more is tried", async () => {
    const desk = scene();
    for (let count = 0; count < 9; count += 1) desk.board.spoil("send", FAULT);
    desk.post(ID, post("a"));
    await desk.still();
    expect(desk.board.calls).toEqual(["send a", "send a", "send not sent: its form fails: a"]);
    expect(desk.ledger.behind("board")).toEqual([]);
  });

  it("is told of where the platform refuses the plain text", async () => {
    const desk = scene();
    desk.board.spoil("send", FAULT);
    desk.board.spoil("send", { kind: "refused", why: "too_long", permanent: true });
    desk.post(ID, post("a"));
    await desk.still();
    expect(desk.texts()).toEqual(["refused: too_long: a"]);
  });
});

it("a start gives way between threads, and comes to all of them", async () => {
  const desk = scene();
  const ids = Array.from({ length: 40 }, (_, no) => `c-${no + 10}` as const);
  for (const id of ids) {
    desk.thread(id, id);
    desk.store(id, post(id));
  }
  let read = 0;
  const rows: typeof desk.ledger.rows = (...given) => {
    read += 1;
    return desk.ledger.rows(...given);
  };
  const later = desk.restart({ ...desk.ledger, rows });
  later.deliverer.start();
  await new Promise(setImmediate);
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(ids.length);
  await later.still();
  expect(later.board.calls).toHaveLength(ids.length);
});
