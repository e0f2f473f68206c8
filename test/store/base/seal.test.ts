/** Sealed texts: only the key and the context with which a text was sealed open it. */

import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SealKey } from "../../../src/ports/sealing.ts";
import { findSealKey, openSealedText, openSealKey, sealText } from "../../../src/store/base/seal.ts";
import { sealKeyOf } from "../../../src/app/settings/seal-key.ts";
import { scratch } from "../../scratch.ts";

const keyOf = (given = randomBytes(32).toString("base64")): SealKey => {
  const found = findSealKey("/nonexistent", given);
  if (found.kind !== "key") throw new Error(found.kind);
  return found;
};
const key = keyOf();
const contexts = fc.array(fc.string(), { maxLength: 4 });

describe("a sealed text", () => {
  it("opens with its key and its context alone", () => {
    fc.assert(
      fc.property(fc.string(), contexts, contexts, (text, context, other) => {
        const sealed = sealText(key, text, context);
        expect(openSealedText(key, sealed, context)).toEqual({ kind: "opened", text });
        if (JSON.stringify(context) !== JSON.stringify(other))
          expect(openSealedText(key, sealed, other)).toEqual({ kind: "broken" });
        expect(openSealedText(keyOf(), sealed, context)).toEqual({ kind: "other key" });
      }),
    );
  });

  it("opens no longer after a change of any character", () => {
    const sealed = sealText(key, "ghu_secret", ["person", "forge"]);
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.constantFrom("A", "b", ".", "0"), (at, put) => {
        const changed = sealed.slice(0, at) + put + sealed.slice(at + 1);
        const opened = openSealedText(key, changed, ["person", "forge"]);
        // The last character of base64 has bits that no byte contains.
        const isSame = changed === sealed || at === sealed.length - 1;
        expect(opened.kind === "opened" && !isSame).toBe(false);
      }),
    );
    for (const cut of ["", "v1", "v1.x", `${sealed}.x`, sealed.slice(0, 30)])
      expect(openSealedText(key, cut, ["person", "forge"]).kind).not.toBe("opened");
  });

  it("contains neither the text nor the key, and differs each time", () => {
    const sealed = sealText(key, "ghu_secret", []);
    const shown = sealed + Buffer.from(sealed.split(".")[2] ?? "", "base64url").toString("latin1");
    expect(shown).not.toContain("ghu_secret");
    expect(shown).not.toContain(Buffer.from(key.bytes).toString("base64"));
    expect(sealText(key, "ghu_secret", [])).not.toBe(sealed);
  });
});

describe("the key", () => {
  it("is the setting's, in each form of base64", () => {
    const bytes = randomBytes(32);
    const forms = [bytes.toString("base64"), bytes.toString("base64url")];
    expect(forms.map((form) => Buffer.from(keyOf(form).bytes))).toEqual([bytes, bytes]);
    expect(findSealKey("/nonexistent", "short").kind).toBe("unusable");
  });

  it("is otherwise a file that only its owner may read, created when it is first needed", () => {
    const data = scratch("seal");
    expect(findSealKey(data, undefined)).toEqual({ kind: "absent" });
    const made = openSealKey(data, undefined);
    expect(made).toMatchObject({ kind: "key", from: "file" });
    expect(statSync(join(data, "seal-key")).mode & 0o777).toBe(0o600);
    expect(openSealKey(data, undefined)).toEqual(made);
    expect(findSealKey(data, undefined)).toEqual(made);
    expect(readdirSync(data)).toEqual(["seal-key"]);
  });

  it("is never replaced: an unusable file is reported", () => {
    const data = scratch("seal-bad");
    writeFileSync(join(data, "seal-key"), "not a key");
    expect(openSealKey(data, undefined)).toMatchObject({
      kind: "unusable",
      why: expect.stringMatching(/contains no key/),
    });
    expect(readFileSync(join(data, "seal-key"), "utf8")).toBe("not a key");
    expect(openSealKey(join(data, "missing"), undefined)).toMatchObject({ kind: "unusable" });
  });

  it("of one host seals nothing for several hosts", () => {
    const data = scratch("seal-fleet");
    const given = randomBytes(32).toString("base64");
    expect(sealKeyOf({ PARLEY_DATA: data }, true)()).toMatchObject({ kind: "unusable" });
    expect(findSealKey(data, undefined)).toEqual({ kind: "absent" });
    expect(sealKeyOf({ PARLEY_DATA: data, PARLEY_SEAL_KEY: given }, true)()).toMatchObject({ kind: "key" });
    expect(sealKeyOf({ PARLEY_DATA: data }, false)()).toMatchObject({ kind: "key", from: "file" });
  });
});
