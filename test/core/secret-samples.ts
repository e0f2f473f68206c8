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

/** Each is masked whole. */
export const whole: Readonly<Record<string, string>> = {
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
  JWT: `${json({ alg: "HS256", typ: "JWT" })}.${json({ sub: "1234567890", name: "Jane" })}.${letters(43)}`,
};

/** What is masked of each, and what stays around it. */
export const parts: readonly { readonly text: string; readonly secret: string }[] = [
  ["postgres://", "app:s3cr3t-and-long", "@db.internal:5432/app"],
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
  "NaN Object.prototype.hasOwnProperty MMMMMMMMMMMMMMMMMMMMMMMM.bundle.min OtherNamespaceModule.exports.default",
];
