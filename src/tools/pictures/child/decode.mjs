/** Plain JavaScript, because Node strips types with WebAssembly, which is off here. Exit status 3: damaged; 4: lacks memory. */
import { readFileSync, writeFileSync } from "node:fs";
import sharp from "sharp";

/** The limits of ../limits.ts. */
const [maxPixels, maxSide, maxBytes] = process.argv.slice(2).map(Number);

// Code for the many other types of the library stays unreachable, whatever type the bytes claim.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Png", "Jpeg", "Webp", "Nsgif"].map((type) => `VipsForeignLoad${type}`),
});
sharp.cache(false);
sharp.concurrency(1);

/** JPEG stays JPEG. Other types may be drawings or transparent and become PNG, or JPEG if the PNG would be too large. */
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
  // The library throws for every kind of damage, and messages of its C libraries help no reader.
  process.exitCode = /memory/i.test(String(error)) ? 4 : 3;
}
