/**
 * What Slack says of a manifest: https://docs.slack.dev/reference/app-manifest has the fields and lengths, and
 * https://docs.slack.dev/ai/migrating-to-agent-messaging says that new apps have `agent_view` only.
 */

import { z } from "zod";

export interface ManifestComplaint {
  readonly message: string;
  readonly pointer: string;
}

const prompts = z.array(z.strictObject({ title: z.string(), message: z.string() })).max(4);
const url = z.url({ protocol: /^https$/ });
const scopes = z.array(z.string()).max(255);
const events = z.array(z.string()).max(100);

/** Closed where Slack's page lists every field; `z.looseObject` where it adds some to an export. */
const manifestSchema = z.looseObject({
  display_information: z.strictObject({
    name: z.string().min(1).max(35),
    description: z.string().max(140).optional(),
    long_description: z.string().max(4000).optional(),
    background_color: z
      .string()
      .regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i)
      .optional(),
  }),
  features: z
    .strictObject({
      agent_view: z
        .strictObject({
          agent_description: z.string().max(300).optional(),
          suggested_prompts: prompts.optional(),
          actions: z.array(z.strictObject({ name: z.string(), description: z.string() })).optional(),
        })
        .optional(),
      assistant_view: z
        .strictObject({ assistant_description: z.string(), suggested_prompts: prompts.optional() })
        .optional(),
      app_home: z
        .strictObject({
          home_tab_enabled: z.boolean().optional(),
          messages_tab_enabled: z.boolean().optional(),
          messages_tab_read_only_enabled: z.boolean().optional(),
        })
        .optional(),
      bot_user: z
        .strictObject({ display_name: z.string().max(80), always_online: z.boolean().optional() })
        .optional(),
      shortcuts: z
        .array(
          z.strictObject({
            type: z.enum(["global", "message"]),
            name: z.string().max(24),
            callback_id: z.string().max(255),
            description: z.string().max(150),
          }),
        )
        .max(10)
        .optional(),
      slash_commands: z
        .array(
          z.strictObject({
            command: z.string().startsWith("/").max(32),
            description: z.string().max(2000),
            should_escape: z.boolean().optional(),
            url: url.optional(),
            usage_hint: z.string().max(1000).optional(),
          }),
        )
        .max(50)
        .optional(),
      unfurl_domains: z.array(z.string()).max(5).optional(),
    })
    .optional(),
  oauth_config: z
    .looseObject({
      redirect_urls: z.array(url).max(1000).optional(),
      scopes: z
        .strictObject({
          bot: scopes.optional(),
          user: scopes.optional(),
          bot_optional: scopes.optional(),
          user_optional: scopes.optional(),
        })
        .optional(),
    })
    .optional(),
  settings: z
    .looseObject({
      event_subscriptions: z
        .looseObject({ request_url: url.optional(), bot_events: events.optional() })
        .optional(),
      interactivity: z.looseObject({ is_enabled: z.boolean(), request_url: url.optional() }).optional(),
      org_deploy_enabled: z.boolean().optional(),
      socket_mode_enabled: z.boolean().optional(),
      token_rotation_enabled: z.boolean().optional(),
    })
    .optional(),
});

export type ManifestWire = z.output<typeof manifestSchema>;

export type ReadManifest =
  | { readonly kind: "manifest"; readonly manifest: ManifestWire }
  | { readonly kind: "refused"; readonly errors: readonly ManifestComplaint[] };

/** The manifest in a text of JSON. */
export const manifestIn = (text: string): ReadManifest => {
  const read = manifestSchema.safeParse(jsonIn(text));
  if (read.success) return { kind: "manifest", manifest: read.data };
  const errors = read.error.issues.map(({ path, message }) => ({ message, pointer: pointerTo(path) }));
  return { kind: "refused", errors };
};

/** `former`: what the app had so far; null for a new app. */
export const complaintsAbout = (
  { features, settings }: ManifestWire,
  former: ManifestWire | null,
): readonly ManifestComplaint[] => {
  const isSocket = settings?.socket_mode_enabled === true;
  const hasEvents = (settings?.event_subscriptions?.bot_events ?? []).length > 0;
  const complaints: (ManifestComplaint | false)[] = [
    hasEvents &&
      !isSocket &&
      settings?.event_subscriptions?.request_url === undefined && {
        message: "Event Subscription requires either Request URL or Socket Mode Enabled",
        pointer: "/settings/event_subscriptions",
      },
    settings?.interactivity?.is_enabled === true &&
      !isSocket &&
      settings.interactivity.request_url === undefined && {
        message: "Interactivity requires a Request URL",
        pointer: "/settings/interactivity",
      },
    features?.assistant_view !== undefined &&
      former?.features?.assistant_view === undefined && {
        message: "assistant_view is not available to new apps: use agent_view",
        pointer: "/features/assistant_view",
      },
    features?.assistant_view !== undefined &&
      features.agent_view !== undefined && {
        message: "An app has either agent_view or assistant_view",
        pointer: "/features",
      },
    features?.agent_view === undefined &&
      former?.features?.agent_view !== undefined && {
        message: "agent_view cannot be removed",
        pointer: "/features/agent_view",
      },
  ];
  return complaints.filter((one) => one !== false);
};

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const pointerTo = (path: readonly PropertyKey[]): string => path.map((part) => `/${String(part)}`).join("");
