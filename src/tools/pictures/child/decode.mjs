/**
 * Runs in the sandbox: reads a picture from standard input and writes it made small to standard output. Plain
 * JavaScript, because the types of a TypeScript file are taken out by WebAssembly, which this process has not
 * (decoder.ts). Exit status 0: a picture was written; 3: the picture is damaged;
 * 4: there is not enough memory for it. Others are Node's own.
 */
import { readFileSync, writeFileSync } from "node:fs";
import sharp from "sharp";

/** The limits of ../limits.ts. */
const [maxPixels, maxSide, maxBytes] = process.argv.slice(2).map(Number);

// Code for the many other types that the library knows is never reached, whatever the bytes claim to be.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Png", "Jpeg", "Webp", "Nsgif"].map((type) => `VipsForeignLoad${type}`),
});
sharp.cache(false);
sharp.concurrency(1);

/** JPEG stays JPEG; what may be drawn or transparent becomes PNG, or JPEG where a PNG would be too large. */
const decode = async (bytes) => {
  const fitted = sharp(bytes, { limitInputPixels: maxPixels, failOn: "error", pages: 1 })
    .autoOrient()
    .resize({ width: maxSide, height: maxSide, fit: "inside", withoutEnlargement: true });
  if (!bytes.subarray(0, 3).equals(Buffer.from("ffd8ff", "hex"))) {
    const png = await fitted.clone().png().toBuffer();
    if (png.length <= maxBytes) return png;
  }
  return fitted.flatten({ background: "#ffffff" }).jpeg({ quality: 85 }).toBuffer();
};

try {
  writeFileSync(1, await decode(readFileSync(0)));
} catch (error) {
  // The library throws for every kind of damage, with words of its C libraries that help nobody.
  process.exitCode = /memory/i.test(String(error)) ? 4 : 3;
}
