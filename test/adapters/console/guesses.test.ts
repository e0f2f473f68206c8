/** How many wrong tokens are compared: by address, in all, and never for good. */

import { expect, it } from "vitest";
import { createGuesses } from "../../../adapters/console/guesses.ts";

const open = () => {
  let now = 0;
  const guesses = createGuesses(() => now);
  /** How many of `count` wrong tokens from there are compared. */
  const flood = (address: string, count: number): number => {
    let compared = 0;
    for (let guess = 0; guess < count; guess += 1) {
      if (guesses.wait(address) > 0) continue;
      guesses.compared(address, false);
      compared += 1;
    }
    return compared;
  };
  return { guesses, flood, pass: (ms: number) => (now += ms) };
};

it("an address has ten at once and then one in six seconds", () => {
  const { guesses, flood, pass } = open();
  expect(flood("10.0.0.1", 50)).toBe(10);
  expect(guesses.wait("10.0.0.1")).toBe(6_000);
  pass(5_999);
  expect(guesses.wait("10.0.0.1")).toBeCloseTo(1);
  pass(1);
  expect(flood("10.0.0.1", 50)).toBe(1);
  pass(3_600_000);
  expect(flood("10.0.0.1", 50)).toBe(10);
});

it("another address is not concerned, but all together have a hundred", () => {
  const { guesses, flood, pass } = open();
  expect(flood("10.0.0.1", 50)).toBe(10);
  expect(guesses.wait("10.0.0.2")).toBe(0);
  const more = Array.from({ length: 200 }, (_, index) => flood(`10.0.1.${index}`, 10));
  expect(more.reduce((sum, one) => sum + one, 0)).toBe(90);
  expect(guesses.wait("10.0.9.9")).toBe(600);
  pass(600);
  expect(guesses.wait("10.0.9.9")).toBe(0);
});

it("whoever has sent a right token does not wait for what others guess", () => {
  const { guesses, flood } = open();
  guesses.compared("10.0.0.7", true);
  for (let index = 0; index < 200; index += 1) flood(`10.0.1.${index}`, 10);
  expect(guesses.wait("10.0.0.8")).toBeGreaterThan(0);
  expect(guesses.wait("10.0.0.7")).toBe(0);
  expect(flood("10.0.0.7", 50)).toBe(10);
});

it("right tokens cost nothing", () => {
  const { guesses } = open();
  for (let turn = 0; turn < 1_000; turn += 1) expect(guesses.compared("10.0.0.1", true)).toBe(false);
  expect(guesses.wait("10.0.0.1")).toBe(0);
});

it("the addresses of one IPv6 subscriber are one", () => {
  const { flood } = open();
  expect(flood("2001:db8:1:2::1", 50)).toBe(10);
  expect(flood("2001:db8:1:2:ffff::9", 50)).toBe(0);
  expect(flood("2001:db8:1:3::1", 50)).toBe(10);
  expect(flood("::ffff:10.0.0.1", 50)).toBe(10);
  expect(flood("::ffff:10.0.0.2", 50)).toBe(10);
  expect(flood("::1", 50)).toBe(10);
});
