/** Before the tests of each file: where random ones begin. */

import fc from "fast-check";
import { testSeed } from "./seed.ts";

fc.configureGlobal({ seed: testSeed() });
