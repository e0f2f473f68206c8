/**
 * npm run dependencies: checks the packages that an installed Parley needs. The check lists their licenses,
 * refuses any license not known to be compatible with MIT, and reports the size. It requires checksums in the
 * lock file, and refuses deprecated packages and installation scripts. It also asks the registry for
 * vulnerabilities of high severity (`npm audit`); without a registry it reports that and continues. Exit
 * status 1 if a problem was found.
 */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { execa } from "execa";
import {
  installedBytes,
  licensesOf,
  lockProblems,
  productionPackages,
  unknownLicenses,
} from "./production.ts";

const root = resolve(import.meta.dirname, "..");
const PATIENCE = 60_000;
const MB = 1e6;

type Audit =
  | { readonly kind: "none" }
  | { readonly kind: "found"; readonly report: string }
  | { readonly kind: "unknown"; readonly why: string };

/** npm exits with 1 in two cases: with a report if it found something, without one if it could not ask. */
const weaknesses = async (): Promise<Audit> => {
  const npm = execa({ cwd: root, timeout: PATIENCE, reject: false });
  const { stdout, stderr, failed, shortMessage } = await npm`npm audit --omit=dev --audit-level=high --json`;
  if (!failed) return { kind: "none" };
  const refusal = /^npm (?:warn audit|error) (.+)$/m.exec(stderr)?.[1];
  return stdout.includes('"vulnerabilities"')
    ? { kind: "found", report: stdout }
    : { kind: "unknown", why: refusal ?? shortMessage ?? "no reason" };
};

const packages = productionPackages(root);
for (const [license, names] of licensesOf(packages)) {
  console.log(`${license} (${names.length}): ${names.join(", ")}`);
}
console.log(
  `${packages.length} packages, ${(installedBytes(packages) / MB).toFixed(0)} MB without the included Node runtime`,
);
const unknown = unknownLicenses(packages);
for (const { name, license } of unknown) console.error(`${name}: the license ${license} is not on the list`);
const problems = lockProblems(JSON.parse(readFileSync(resolve(root, "package-lock.json"), "utf8")));
for (const problem of problems) console.error(`package-lock.json: ${problem}`);
const audit = await weaknesses();
switch (audit.kind) {
  case "none":
    console.log("npm audit: no vulnerability of high severity");
    break;
  case "found":
    console.error(`npm audit found vulnerabilities:\n${audit.report}`);
    break;
  case "unknown":
    console.log(`npm audit: no registry answered, so vulnerabilities were not checked (${audit.why})`);
    break;
}
process.exitCode = unknown.length > 0 || problems.length > 0 || audit.kind === "found" ? 1 : 0;
