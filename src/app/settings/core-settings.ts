import type { CoreSettings } from "../../feature.ts";
import type { Config } from "./config.ts";
import { version } from "./version.ts";

export const coreSettings = (config: Config): CoreSettings => ({
  version,
  data: config.PARLEY_DATA,
  amazon: {
    region: config.AWS_REGION,
    accessKeyId: config.AWS_ACCESS_KEY_ID,
    secretAccessKey: config.AWS_SECRET_ACCESS_KEY,
    sessionToken: config.AWS_SESSION_TOKEN,
  },
});
