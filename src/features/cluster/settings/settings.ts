import { hostname } from "node:os";
import { z } from "zod";
import { wordSetting } from "../../../settings/kinds.ts";
import { secretAddress, databaseAddress, secret, secretFile } from "../../../settings/secrets.ts";

export const clusterSettings = z.object({
  PARLEY_DATABASE: databaseAddress.optional(),
  PARLEY_DATABASE_PASSWORD: secret.optional(),
  PARLEY_DATABASE_PASSWORD_FILE: secretFile.optional(),
  PARLEY_DATABASE_CA: z.string().optional(),
  PARLEY_HOST_NAME: z
    .string()
    .regex(/^[\w.-]{1,63}$/, "must be a name of letters, digits, dots, - and _")
    .default(
      hostname()
        .replaceAll(/[^\w.-]/g, "-")
        .slice(0, 63),
    ),
  PARLEY_SHARED_STORAGE: z
    .string()
    .regex(
      /^(none|\/.+|s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w-][\w.-]*)*\/?)$/,
      "must be an absolute path, s3://BUCKET/PREFIX, or none",
    )
    .optional(),
  PARLEY_SHARED_ENDPOINT: secretAddress.optional(),
  PARLEY_SHARED_REGION: wordSetting.optional(),
  PARLEY_SHARED_ACCESS_KEY: secret.optional(),
  PARLEY_SHARED_SECRET_KEY: secret.optional(),
  PARLEY_SHARED_SECRET_KEY_FILE: secretFile.optional(),
});

export type ClusterSettings = z.infer<typeof clusterSettings>;

export const clusterRules: readonly z.ZodType[] = [
  clusterSettings
    .pick({ PARLEY_DATABASE: true, PARLEY_SHARED_STORAGE: true })
    .superRefine((config, context) => {
      const { PARLEY_DATABASE: database, PARLEY_SHARED_STORAGE: shared } = config;
      if ((database === undefined) === (shared === undefined)) return;
      const message =
        shared === undefined
          ? "needs PARLEY_SHARED_STORAGE: a directory that all hosts see, or none (docs/scale.md lists what is then lost)"
          : "needs PARLEY_DATABASE: a single host keeps everything in PARLEY_DATA";
      context.addIssue({
        code: "custom",
        path: [shared === undefined ? "PARLEY_DATABASE" : "PARLEY_SHARED_STORAGE"],
        message,
      });
    }),
  clusterSettings
    .pick({ PARLEY_DATABASE_PASSWORD: true, PARLEY_DATABASE_PASSWORD_FILE: true })
    .superRefine((config, context) => {
      const { PARLEY_DATABASE_PASSWORD: written, PARLEY_DATABASE_PASSWORD_FILE: file } = config;
      if (written === undefined || file === undefined) return;
      const message = "conflicts with PARLEY_DATABASE_PASSWORD: remove one of the two";
      context.addIssue({ code: "custom", path: ["PARLEY_DATABASE_PASSWORD_FILE"], message });
    }),
];
