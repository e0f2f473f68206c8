/**
 * Values that have the forms of secrets and never were any. Put together here, so that nobody who searches this
 * repository for committed secrets finds one.
 */

import { Buffer } from "node:buffer";

/** Keeps the beginning of a form from standing beside the rest of it. */
const cut = (text: string): string => text;
const letters = (count: number, from = "aB3dE5gH7jK9mN1pQ"): string =>
  from.repeat(Math.ceil(count / from.length)).slice(0, count);
const hex = (count: number): string => letters(count, "0a1b2c3d4e5f6789");
const upper = (count: number): string => letters(count, "QW3RTY5UABCDEF2");
const json = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const lines = (count: number): string =>
  Array.from({ length: count }, (_, line) => letters(64, `M${line}Ewb/9+qZ`)).join("\n");

export const keyBlock = (kind: string, count = 4): string =>
  `-----BEGIN ${kind}PRIVATE ${cut("KEY")}-----\n${lines(count)}\nqA==\n-----END ${kind}PRIVATE ${cut("KEY")}-----`;

const uuid = `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`;

/** 40.A11: forms of 2026. */
const issued: Readonly<Record<string, string>> = {
  "Cloudflare global key": `cf${cut("k_")}${letters(48)}`,
  "Cloudflare user token": `cf${cut("ut_")}${letters(48)}`,
  "Cloudflare account token": `cf${cut("at_")}${letters(48)}`,
  ...Object.fromEntries(
    ["vcp_", "vci_", "vca_", "vcr_", "vck_"].map((kind) => [`Vercel ${kind}`, `${cut(kind)}${letters(56)}`]),
  ),
  "LangSmith personal token": `lsv2${cut("_pt_")}${hex(32)}_${hex(10)}`,
  "LangSmith service key": `lsv2${cut("_sk_")}${hex(32)}_${hex(10)}`,
  "Langfuse secret key": `sk${cut("-lf-")}${uuid}`,
  "Neon key": `na${cut("pi_")}${letters(64)}`,
  "Netlify token": `nf${cut("p_")}${letters(36)}`,
  "Buildkite user token": `bk${cut("ua_")}${hex(40)}`,
  "Grafana Cloud token": `gl${cut("c_")}${letters(120)}==`,
  "PostHog personal key": `ph${cut("x_")}${letters(43)}`,
  "Linear OAuth token": `lin${cut("_oauth_")}${hex(64)}`,
  "ElevenLabs key": `s${cut("k_")}${hex(48)}`,
  "Render key": `rn${cut("d_")}${letters(28)}`,
  "Datadog application key": `dd${cut("app_")}${letters(34)}`,
  "Snowflake session": `ver${cut(":1-hint:")}1234567890-${letters(120)}`,
  "Azure DevOps token": `${letters(76)}AZ${cut("DO")}${letters(4)}`,
  "Azure AI key": `${letters(52)}JQ${cut("QJ99")}${letters(26)}`,
  "Discord bot token of a newer app": `MTE${letters(23)}.${cut("Gx_a1b")}.${letters(38)}`,
  "Nvidia key": `nv${cut("api-")}${letters(64)}`,
  "Pinecone key": `pc${cut("sk_")}${letters(64)}`,
  "Resend key": `r${cut("e_")}${letters(8)}_${letters(24)}`,
  "Twilio key": `S${cut("K")}${hex(32)}`,
  "HubSpot token": `pa${cut("t-na1-")}${uuid}`,
  "Sourcegraph token": `sg${cut("p_")}${hex(40)}`,
  "Tavily key": `tv${cut("ly-")}dev-${letters(32)}`,
  "OpenShift token": `sha${cut("256~")}${letters(43)}`,
  "Square personal token": `EA${cut("AA")}${letters(60)}`,
  "Weights & Biases key": `wandb${cut("_v1_")}${letters(60)}`,
};

/** Each is masked whole. */
export const whole: Readonly<Record<string, string>> = {
  ...issued,
  "AWS access key": `AK${cut("IA")}${upper(16)}`,
  "AWS temporary key": `AS${cut("IA")}${upper(16)}`,
  "GitHub personal token": `gh${cut("p_")}${letters(36)}`,
  "GitHub server token": `gh${cut("s_")}${letters(36)}`,
  "GitHub fine-grained token": `github_${cut("pat_")}${letters(22)}_${letters(59)}`,
  "GitLab token": `gl${cut("pat-")}${letters(20)}`,
  "GitLab routable token": `gl${cut("pat-")}${letters(27)}.01.${hex(9)}`,
  "Slack bot token": `xo${cut("xb-")}123456789012-1234567890123-${letters(24)}`,
  "Slack app token": `xap${cut("p-1-")}A01BCDEFGHI-1234567890123-${hex(64)}`,
  "Discord bot token": `${Buffer.from("110373943822540800").toString("base64url")}.Gx_a1b.${letters(38)}`,
  "Anthropic key": `sk-${cut("ant-")}api03-${letters(93)}AA`,
  "OpenAI project key": `sk-${cut("proj-")}${letters(74)}T3Blbk${cut("FJ")}${letters(74)}`,
  "OpenAI key of old": `sk-${letters(20)}T3Blbk${cut("FJ")}${letters(20)}`,
  "OpenRouter key": `sk-${cut("or-v1-")}${hex(64)}`,
  "Google API key": `AI${cut("za")}${letters(35)}`,
  "Google client secret": `GOC${cut("SPX-")}${letters(28)}`,
  "Google access token": `ya${cut("29.")}${letters(120)}`,
  "Stripe secret key": `sk_${cut("live_")}${letters(24)}`,
  "Stripe restricted key": `rk_${cut("test_")}${letters(24)}`,
  "npm token": `npm${cut("_")}${letters(36)}`,
  "PyPI token": `pypi-${cut("AgEI")}cHlwaS5vcmc${letters(80)}`,
  "Docker token": `dckr_${cut("pat_")}${letters(27)}`,
  "Hugging Face token": `hf${cut("_")}${letters(34)}`,
  "DigitalOcean token": `dop_${cut("v1_")}${hex(64)}`,
  "SendGrid key": `SG${cut(".")}${letters(22)}.${letters(43)}`,
  "Telegram token": `123456789:${cut("AA")}${letters(33)}`,
  "age key": `AGE-SECRET-${cut("KEY-1")}${upper(58)}`,
  "AWS Bedrock key": `AB${cut("SK")}${letters(128)}`,
  "GitHub installation token of 2026": `gh${cut("s_")}1234567_${json({ alg: "RS256", typ: "JWT" })}.${json({ iss: "github", iat: 1 })}.${letters(86)}`,
  "Slack user token of a browser": `xo${cut("xc-")}123456789012-1234567890123-${letters(24)}`,
  "Slack cookie": `xo${cut("xd-")}${letters(60)}%2B${letters(20)}`,
  "Azure application secret": `${letters(3)}8${cut("Q~")}${letters(34)}`,
  "Square token": `sq0${cut("atp-")}${letters(22)}`,
  "RubyGems key": `rubygems${cut("_")}${hex(48)}`,
  "Atlassian token": `ATA${cut("TT3")}${letters(180)}`,
  "Vault token": `hv${cut("s.")}${letters(95)}`,
  "Terraform token": `${letters(14)}.atlas${cut("v1.")}${letters(67)}`,
  "Pulumi token": `pu${cut("l-")}${hex(40)}`,
  "Databricks token": `da${cut("pi")}${hex(32)}`,
  "Doppler token": `dp${cut(".pt.")}${letters(43)}`,
  "Linear key": `lin${cut("_api_")}${letters(40)}`,
  "Notion token": `nt${cut("n_")}12345678901${letters(35)}`,
  "Figma token": `fig${cut("d_")}${letters(40)}`,
  "Airtable token": `pa${cut("t")}${letters(14)}.${hex(64)}`,
  "Postman key": `PM${cut("AK-")}${hex(24)}-${hex(34)}`,
  "New Relic key": `NR${cut("AK-")}${upper(27)}`,
  "Sentry token": `sntry${cut("u_")}${hex(64)}`,
  "PlanetScale password": `pscale${cut("_pw_")}${letters(43)}`,
  "Supabase token": `sb${cut("p_")}${hex(40)}`,
  "Tailscale key": `ts${cut("key-auth-")}${letters(17)}-${letters(32)}`,
  "Sonar token": `sq${cut("p_")}${hex(40)}`,
  "Mailgun key": `ke${cut("y-")}${hex(32)}`,
  "Mailchimp key": `${hex(32)}${cut("-us")}12`,
  "Perplexity key": `pp${cut("lx-")}${letters(48)}`,
  "Mapbox secret": `sk${cut(".ey")}J1${letters(70)}.${letters(22)}`,
  "private key in base64": Buffer.from(keyBlock("RSA ")).toString("base64"),
  JWT: `${json({ alg: "HS256", typ: "JWT" })}.${json({ sub: "1234567890", name: "Jane" })}.${letters(43)}`,
};

/** What is masked of each, and what stays around it. */
export const parts: readonly { readonly text: string; readonly secret: string }[] = [
  ["postgres://", "app:s3cr3t-and-long", "@db.internal:5432/app"],
  ["https://", letters(40), "@git.example/acme/shop.git"],
  ["extraheader = AUTHORIZATION: basic ", letters(60), ""],
  ["redis://", ":9sd8f7s9d8f7", "@cache:6379"],
  ["https://", `x-access-token:gh${cut("p_")}${letters(36)}`, "@github.com/acme/shop.git"],
  ["amqp://", "svc:p@ss:w0rd", "@mq/vhost"],
  ["aws_secret_access_key = ", letters(40), "\n"],
  ['"AWS_SECRET_ACCESS_KEY": "', letters(40), '",'],
  ["https://hooks.slack.com/services/T01ABCDEF/B01ABCDEF/", letters(24), ""],
  ["https://discord.com/api/webhooks/110373943822540800/", letters(68), ""],
  ["DefaultEndpointsProtocol=https;AccountKey=", `${letters(86)}==`, ";EndpointSuffix=x"],
  [
    `-----BEGIN RSA PRIVATE ${cut("KEY")}-----`,
    `\n${lines(5)}\nqA==\n`,
    `-----END RSA PRIVATE ${cut("KEY")}-----`,
  ],
  [
    `"key": "-----BEGIN PRIVATE ${cut("KEY")}-----`,
    `\\n${lines(3).replaceAll("\n", "\\n")}\\n`,
    `-----END PRIVATE ${cut("KEY")}-----\\n"`,
  ],
  [`+-----BEGIN OPENSSH PRIVATE ${cut("KEY")}-----`, `\n${lines(3).replaceAll(/^/gm, "+")}`, "\n and no end"],
  ["DB_PASSWORD=", cut("s3cret!pw"), "\n"],
  ["      - POSTGRES_PASSWORD: '", cut("correct7horse,battery"), "'"],
  ['  "password": "', cut("Tr0ub4dor&3"), '",'],
  ["spring.datasource.password=", cut("hunter2hunter2"), "\n"],
  ["SECRET_KEY_BASE=", hex(128), "\n"],
  ["JWT_SECRET = `", cut("keyboard-cat-4711-42"), "`;"],
  ["export API\\_TOKEN=", letters(32), "\n"],
  ['const apiKey = "', letters(32), '";'],
  ["client_secret: ", letters(40), "\n"],
  ["//registry.npmjs.org/:_authToken=", cut("0f8fad5b-d9cb-469f-a165-70867728950e"), "\n"],
  ['"auth": "', Buffer.from(`robot:${letters(20)}`).toString("base64"), '"'],
  ["Endpoint=sb://x.servicebus.windows.net/;SharedAccessKey=", `${letters(43)}=`, ";EntityPath=q"],
  ["https://x.blob.core.windows.net/c?sv=2024&sig=", `${letters(42)}%3D`, "&se=1"],
  [
    "https://acme.webhook.office.com/webhookb2/",
    `${letters(36)}@${letters(36)}/IncomingWebhook/${hex(32)}/${letters(36)}`,
    "",
  ],
].map(([before = "", secret = "", after = ""]) => ({ text: `${before}${secret}${after}`, secret }));

/** Nothing of these is a secret. */
export const harmless: readonly string[] = [
  "d41d8cd98f00b204e9800998ecf8427e da39a3ee5e6b4b0d3255bfef95601890afd80709",
  `sha256-${letters(43)}= sha512-${letters(86)}==`,
  "550e8400-e29b-41d4-a716-446655440000 01ARZ3NDEKTSV4RRFFQ69G5FAV",
  "c-3f9a1b toolu_01A09q90qw90lq917835lq9 msg_01XFDUDYJgAACzvnptvVoYEL call_abc123",
  `data:image/png;base64,iVBORw0KGgo${letters(400)}=`,
  `"integrity": "sha512-${letters(86)}==",`,
  "git@github.com:acme/shop.git ssh://git@github.com:22/acme/shop.git https://github.com/acme/shop",
  "https://user:password@example.com https://USER:$TOKEN@example.com http://u:${PASS}@h http://admin:admin@h",
  "http://localhost:3000/@scope/name https://registry.npmjs.org/@types/node docker://alpine:3.19@sha256:abc",
  "https://example.com/a?x=1:2@3 mailto:someone@example.com postgres://localhost:5432/app",
  "sk-your-key-here sk-ant-... xoxb-your-token ghp_xxx AKIA... AIza... npm_token glpat-token",
  "task-force-of-twenty-people-that-is-very-long risk-or-v1 desk-proj-something-that-goes-on-and-on-and-on-and-on",
  "ghp_short npm_config_registry npm_lifecycle_event hf_hub_download gsk_function_name sk_test_function SG.a.b",
  "process.env.AWS_SECRET_ACCESS_KEY aws_secret_access_key = get_secret_from_vault(name)",
  "The line `-----BEGIN RSA PRIVATE KEY-----` begins a key, and `-----END RSA PRIVATE KEY-----` ends it.",
  "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----",
  "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo\n-----END PUBLIC KEY-----",
  `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${letters(43)} someone@example.com`,
  "eyJhbGciOiJIUzI1NiJ9 eyJ.eyJ.eyJ Montag.Dienstag.Mittwoch MainWindow.Config.applicationSettings",
  "password: process.env.DB_PASSWORD_2 secret: config.s3.clientSecret API_KEY=$API_KEY_V2 PASSWORD=${PASSWORD_1}",
  "password = await hashPassword2(input); const accessToken = tokens[0]; apiKey: apiKeyFromHeader1(request)",
  "pbkdf2(password: Uint8Array, salt: Uint8Array) X509_SUBJECT_TOKEN = 'urn:openai:params:oauth:token-type:x509'",
  "PASSWORD=changeme123 API_KEY=your-api-key-1234567890 SECRET=example-secret-123456 TOKEN=<token-of-16-digits-1>",
  "password: string; token: sha256; if (password.length < 12) throw new Error(`password1`); passwords: 12345678",
  "PASSWORD=/run/secrets/db TOKEN=none apiKey: https://vault.example/v1/secret/1 password=********** x-us1 key-1",
  "keyboard: qwertz2024layout1 monkey=banana12345678901 tokenizer: cl100k_base_encoding_v2 author: aGVsbG8gd29ybGQgZm9v",
  "NaN Object.prototype.hasOwnProperty MMMMMMMMMMMMMMMMMMMMMMMM.bundle.min OtherNamespaceModule.exports.default",
];
