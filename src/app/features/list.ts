/** The features of this product, in the order in which they run: one line each (D48). */

import type { Feature } from "../../feature.ts";
import { alerts } from "../../features/alerts/feature.ts";
import { answers } from "../../features/answers/feature.ts";
import { cluster } from "../../features/cluster/feature.ts";
import { webConsole } from "../../features/console/feature.ts";
import { demo } from "../../features/demo/feature.ts";
import { digest } from "../../features/digest/feature.ts";
import { forge } from "../../features/forge/feature.ts";
import { gateway } from "../../features/gateway/feature.ts";
import { knowledge } from "../../features/knowledge/feature.ts";
import { links } from "../../features/links/feature.ts";
import { mcp } from "../../features/mcp/feature.ts";
import { memory } from "../../features/memory/feature.ts";
import { money } from "../../features/money/feature.ts";
import { observability } from "../../features/observability/feature.ts";
import { providers } from "../../features/providers/feature.ts";
import { testEnvironment } from "../../features/test-environment/feature.ts";
import { watches } from "../../features/watches/feature.ts";

export const FEATURES: readonly Feature[] = [
  observability,
  forge,
  providers,
  demo,
  money,
  alerts,
  mcp,
  knowledge,
  links,
  watches,
  digest,
  answers,
  memory,
  testEnvironment,
  webConsole,
  gateway,
  cluster,
];
