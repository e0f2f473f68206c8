/** hazard K5, 16 to 18: what a command may do to the bot's processes without looking at them. */

import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { describeArena, PROFILES, said } from "./arena/arena.ts";
import { noCompiler } from "./arena/attack.ts";
import { standing } from "./arena/traces.ts";

describeArena((arena) => {
  for (const profile of PROFILES) {
    it(`16 ${profile}: no signal reaches the bot, by any call, and none its supervisor`, async ({ skip }) => {
      if (noCompiler !== null) return skip(noCompiler);
      const { attack, victim } = arena();
      const target = await victim();
      const before = standing(target.pid);
      for (const signal of ["9", "19", "15"]) {
        const attempts = await attack(profile, "signals", String(target.pid), signal);
        expect(attempts).toMatchObject({ through: [], whole: true });
      }
      expect(standing(target.pid)).toBe(before);
      expect([target.exitCode, target.signalCode]).toEqual([null, null]);
    });

    it(`16 ${profile}: kill -1 and the numbers that a command can see are its own tree only`, async () => {
      const { shell, victim, world } = arena();
      const target = await victim();
      const ended = await shell(
        profile,
        `trap '' TERM; kill -STOP -1; kill -CONT -1; kill -9 ${target.pid} ${process.pid} $PPID 1 2>/dev/null; killall -9 sleep 2>/dev/null; pkill -9 node; for p in $(seq 1 400); do [ $p -ne $$ ] && kill -9 $p; done 2>/dev/null; kill -9 -1; echo still here`,
        { timeoutMs: 5000 },
      );
      expect(["exited", "signalled", "timedOut"]).toContain(ended.kind);
      expect([target.exitCode, target.signalCode]).toEqual([null, null]);
      expect(world.victim.signalCode).toBeNull();
      expect(said(await shell(profile, "echo next"))).toBe("next\n");
    });

    it(`17, 18 ${profile}: limits, priority, processors and i/o class of the bot stay as they are`, async ({
      skip,
    }) => {
      if (noCompiler !== null) return skip(noCompiler);
      const { attack, shell, victim } = arena();
      const { pid } = await victim();
      const before = standing(pid);
      const attempts = await attack(profile, "limits", String(pid));
      expect(attempts).toMatchObject({ through: [], whole: true });
      await attack(profile, "around");
      await shell(
        profile,
        `prlimit --pid ${pid} --cpu=1:1 --nofile=9:9; renice 19 ${pid}; renice 19 -u $(id -u); chrt -i -p 0 ${pid}; taskset -p 1 ${pid}; ionice -c3 -p ${pid}`,
      );
      expect(standing(pid)).toBe(before);
    });
  }

  it("16 to 18 twin: outside the sandbox the same calls change the process, and end it", async ({ skip }) => {
    if (noCompiler !== null) return skip(noCompiler);
    const { unconfined, victim } = arena();
    const target = await victim();
    const before = standing(target.pid);
    const limits = await unconfined("limits", String(target.pid));
    expect(limits.through.length).toBeGreaterThanOrEqual(8);
    expect(standing(target.pid)).not.toBe(before);
    const harmless = await unconfined("signals", String(target.pid), "18");
    expect(harmless.refused).toEqual([]);
    expect(harmless.through.length).toBe(9);
    await unconfined("signals", String(target.pid), "9");
    for (let wait = 0; wait < 100 && target.signalCode === null; wait++) await pause(10);
    expect(target.signalCode).toBe("SIGKILL");
  });

  it("16 to 18 twin: a command signals, limits and renices its own children", async () => {
    const script =
      "sleep 50 & kill -STOP $! && kill -CONT $! && kill $!; wait $!; echo $?; nice -n 3 true && (ulimit -n 100 && ulimit -n); timeout 0.1 sleep 5; echo $?";
    expect(said(await arena().shell("restricted", script))).toBe("143\n100\n124\n");
  });
});
