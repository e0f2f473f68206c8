/** How many wrong tokens are answered: by address, in all, and never for good. */

import { expect, it } from "vitest";
import { createGuesses } from "../../../adapters/http/guesses.ts";

const open = () => {
  let now = 0;
  const guessed = createGuesses(() => now);
  /** How many of `count` wrong tokens from there are answered without a wait. */
  const flood = (address: string, count: number): number => {
    let answered = 0;
    for (let guess = 0; guess < count; guess += 1) if (guessed(address).wait === 0) answered += 1;
    return answered;
  };
  return { guessed, flood, pass: (ms: number) => (now += ms) };
};

it("an address has ten at once and then one in six seconds", () => {
  const { guessed, flood, pass } = open();
  expect(flood("10.0.0.1", 50)).toBe(10);
  expect(guessed("10.0.0.1").wait).toBe(6_000);
  pass(5_999);
  expect(guessed("10.0.0.1").wait).toBeCloseTo(1);
  pass(1);
  expect(flood("10.0.0.1", 50)).toBe(1);
  pass(3_600_000);
  expect(flood("10.0.0.1", 50)).toBe(10);
});

it("another address is not concerned, but all together have a hundred", () => {
  const { guessed, flood, pass } = open();
  expect(flood("10.0.0.1", 50)).toBe(10);
  const more = Array.from({ length: 200 }, (_, index) => flood(`10.0.1.${index}`, 10));
  expect(more.reduce((sum, one) => sum + one, 0)).toBe(90);
  expect(guessed("10.0.9.9").wait).toBe(600);
  pass(600);
  expect(guessed("10.0.9.9").wait).toBe(0);
});

it("the last one before a wait is told, once", () => {
  const { guessed } = open();
  const told = Array.from({ length: 30 }, () => guessed("10.0.0.1").isLast);
  expect(told.flatMap((isLast, index) => (isLast ? [index] : []))).toEqual([9]);
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
