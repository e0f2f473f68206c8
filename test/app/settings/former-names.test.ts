import { describe, expect, it } from "vitest";
import { formerNameNotices, withPresentNames } from "../../../src/app/settings/former-names.ts";

describe("a setting with a former name", () => {
  it("counts under the present name", () => {
    expect(withPresentNames({ PARLEY_ASK_ABOVE: "2", PARLEY_PORT: "1" })).toEqual({
      PARLEY_CONFIRM_ABOVE_USD: "2",
      PARLEY_PORT: "1",
    });
  });

  it.each([
    [{ PARLEY_ASK_ABOVE: "2", PARLEY_CONFIRM_ABOVE_USD: "3" }, "3"],
    [{ PARLEY_ASK_ABOVE: "2", PARLEY_CONFIRM_ABOVE_USD: "" }, "2"],
    [{ PARLEY_ASK_ABOVE: "", PARLEY_CONFIRM_ABOVE_USD: "3" }, "3"],
    [{ PARLEY_CONFIRM_ABOVE_USD: "" }, ""],
  ])("yields to a value of the present name: %j", (values, expected) => {
    expect(withPresentNames(values)).toEqual({ PARLEY_CONFIRM_ABOVE_USD: expected });
  });

  it("is named to the operator, without the value", () => {
    const values = { PARLEY_ASK_ABOVE: "2", PARLEY_PORT: "1" };
    expect(formerNameNotices(values)).toEqual([
      "PARLEY_ASK_ABOVE is now called PARLEY_CONFIRM_ABOVE_USD. Rename the setting; the next version ignores PARLEY_ASK_ABOVE.",
    ]);
    expect(formerNameNotices({ PARLEY_ASK_ABOVE: "" })).toEqual([]);
  });
});
