/** Apps by configuration token: apps.manifest.* and tooling.tokens.rotate. */

import { z } from "zod";
import { method, type Method } from "../method.ts";
import { ok, type Outcome, refuseWith, refuse } from "../outcome.ts";
import { complaintsAbout, type ManifestComplaint, manifestIn, type ManifestWire } from "../rules/manifest.ts";
import type { Slack } from "../slack.ts";
import { team } from "../world.ts";

const args = { manifest: z.string() };

const refused = (errors: readonly ManifestComplaint[]): Outcome => refuseWith("invalid_manifest", { errors });

/** `app`: null for a new one. */
const withManifest = (
  slack: Slack,
  text: string,
  app: string | null,
  then: (manifest: ManifestWire) => Outcome,
): Outcome => {
  const former = app === null ? null : slack.apps.manifestOf(app);
  if (former === undefined) return refuse("invalid_app_id");
  const read = manifestIn(text);
  const errors = read.kind === "manifest" ? complaintsAbout(read.manifest, former) : read.errors;
  return read.kind === "manifest" && errors.length === 0 ? then(read.manifest) : refused(errors);
};

const validate = method({
  token: "config",
  tier: 3,
  args: { ...args, app_id: z.string().optional() },
  run: (slack, { manifest, app_id: app = null }): Outcome =>
    withManifest(slack, manifest, app, () => ok({ errors: [] })),
});

const create = method({
  token: "config",
  tier: 1,
  args,
  run: (slack, { manifest }): Outcome =>
    withManifest(slack, manifest, null, (made) => {
      const { app } = slack.apps.put(made, null);
      return ok({
        app_id: app,
        credentials: {
          client_id: `1.${app}`,
          client_secret: "f".repeat(32),
          verification_token: "f".repeat(24),
          signing_secret: "f".repeat(32),
        },
        oauth_authorize_url: `https://slack.com/oauth/v2/authorize?client_id=1.${app}&scope=${(made.oauth_config?.scopes?.bot ?? []).join(",")}`,
      });
    }),
});

const update = method({
  token: "config",
  tier: 1,
  args: { ...args, app_id: z.string() },
  run: (slack, { manifest, app_id: app }): Outcome =>
    withManifest(slack, manifest, app, (changed) => {
      const { isChanged } = slack.apps.put(changed, app);
      return ok({ app_id: app, permissions_updated: isChanged });
    }),
});

const exported = method({
  token: "config",
  tier: 3,
  args: { app_id: z.string() },
  run: (slack, { app_id: app }): Outcome => {
    const manifest = slack.apps.manifestOf(app);
    return manifest === undefined ? refuse("invalid_app_id") : ok({ manifest });
  },
});

const rotate = method({
  token: "none",
  tier: "none",
  args: { refresh_token: z.string() },
  run: ({ apps, clock }, { refresh_token: refresh }): Outcome => {
    const next = apps.rotate(refresh);
    if (next === null) return refuse("invalid_refresh_token");
    return ok({
      token: next.token,
      refresh_token: next.refresh,
      team_id: team.id,
      user_id: "UALICE",
      iat: Math.floor(clock.now() / 1_000),
      exp: Math.floor(next.exp / 1_000),
    });
  },
});

export const manifestMethods: Readonly<Record<string, Method>> = {
  "apps.manifest.validate": validate,
  "apps.manifest.create": create,
  "apps.manifest.update": update,
  "apps.manifest.export": exported,
  "tooling.tokens.rotate": rotate,
};
