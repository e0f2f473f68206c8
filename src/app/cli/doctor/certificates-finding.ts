/** Node only warns, or reports nothing, if the file that NODE_EXTRA_CA_CERTS names is unusable. */

import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { getCACertificates } from "node:tls";
import { error, type Finding, ok, warning } from "../../../ports/finding.ts";

const BLOCK =
  /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[^]*?-----END (?:X509 |TRUSTED )?CERTIFICATE-----/g;

/** A file with this many certificates is a distribution's bundle, whose expired entries need no action. */
const BUNDLE = 50;

/** Yields nothing if `named` is unset. `taken`: authorities that Node loaded from the file at start. `now`: in milliseconds. */
export function* certificatesFindings(
  named: string | undefined,
  { taken = getCACertificates("extra").length, now = Date.now() } = {},
): Generator<Finding> {
  if (named !== undefined && named !== "") yield finding(resolve(named), taken, now);
}

const finding = (path: string, taken: number, now: number): Finding => {
  let text: string;
  try {
    text = readFileSync(path, "latin1");
  } catch (failure) {
    const code = failure instanceof Error && "code" in failure ? String(failure.code) : "not known";
    return wrong(`${path} cannot be read (${code})`, "Name a file that Parley's user can read.");
  }
  const blocks = text.match(BLOCK) ?? [];
  if (blocks.length === 0) return wrong(`${path} contains no PEM certificate`, DER);
  const certificates = blocks.flatMap((block) => parsed(block) ?? []);
  if (certificates.length < blocks.length) {
    const bad = `${blocks.length - certificates.length} of the ${blocks.length} certificates in ${path} cannot be read`;
    return wrong(
      bad,
      "Export the certificates again; Node ignores the first unreadable certificate and all certificates after it.",
    );
  }
  if (taken === 0) return wrong(`${path} is valid, but Node did not read it`, LATE);
  const isOver = ({ validToDate }: X509Certificate): boolean => validToDate.getTime() < now;
  const over = certificates.length < BUNDLE ? certificates.find(isOver) : undefined;
  const authorities = certificates.length === 1 ? "one authority" : `${certificates.length} authorities`;
  return over === undefined
    ? ok(WHAT, `${path}: ${authorities} in addition to the usual ones`)
    : warning(
        WHAT,
        `${path}: ${over.subject.replaceAll("\n", ", ")} was valid until ${over.validToDate.toISOString().slice(0, 10)}`,
        "Add the new certificate to the file; connections that need the expired one fail.",
      );
};

const WHAT = "certificates";
const DER =
  "Convert the file to PEM, which begins with -----BEGIN CERTIFICATE-----. From DER: openssl x509 -inform der -in FILE -out FILE.pem";
const LATE =
  "Set NODE_EXTRA_CA_CERTS in the environment that starts Parley (Environment= of the unit, -e of the container); Node reads the variable before .env.";

const wrong = (found: string, remedy: string): Finding =>
  error(WHAT, `NODE_EXTRA_CA_CERTS: ${found}`, remedy);

const parsed = (block: string): X509Certificate | null => {
  try {
    return new X509Certificate(block);
  } catch {
    return null;
  }
};
