/** The forms are public, so that scanners can search for them. */

import { ISSUERS } from "./issuers.ts";

export interface Form {
  /** Every text with the form contains one of these. */
  readonly hints: readonly string[];
  /** Matches the secret, except for the group `kept`. The part after that group is printable ASCII without spaces. */
  readonly pattern: RegExp;
}

/** A separate word: no letter or digit before the form and, in `whole`, none after it. */
const word = (hints: readonly string[], { source }: RegExp, end = ""): Form => ({
  hints,
  pattern: new RegExp(`(?<![A-Za-z0-9])${source}${end}`, "g"),
});
const whole = (hints: readonly string[], pattern: RegExp): Form => word(hints, pattern, "(?![A-Za-z0-9])");

/** `\\?` before a character that Markdown would interpret, because a model may have escaped it. */
export const ISSUED: readonly Form[] = [
  // Amazon: the identifier, and the secret after its usual name; keys of Bedrock.
  whole(["AKIA", "ASIA", "ABIA", "ACCA"], /A(?:[KSB]I|CC)A[A-Z2-7]{16}/),
  {
    hints: ["ecret", "ECRET"],
    pattern:
      /(?<kept>aws\\?_?secret\\?_?(?:access\\?_?)?key["'`]?[ \t]{0,8}[=:]{1,2}[ \t]{0,8}["'`]?)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/gi,
  },
  word(["ABSK"], /ABSK[A-Za-z0-9+/]{109,269}={0,2}/),
  { hints: ["bedrock-api-key-"], pattern: /bedrock-api-key-[A-Za-z0-9+/=_-]{32,4096}/g },
  // GitHub, GitLab.
  word(["ghp", "gho", "ghu", "ghs", "ghr"], /gh[pousr]\\?_[A-Za-z0-9]{36,255}/),
  // Installation tokens of an app since 2026: its number and a signed token. No character of its parts may precede the token,
  // so that each position is read once (40.A6).
  {
    hints: ["ghs"],
    pattern:
      /(?<![A-Za-z0-9_-])ghs\\?_[A-Za-z0-9]{1,24}\\?_eyJ[A-Za-z0-9_-]{8,2048}\.[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{16,2048}/g,
  },
  word(["github"], /github\\?_pat\\?_[A-Za-z0-9]{22}\\?_[A-Za-z0-9]{50,90}/),
  word(
    ["gl"],
    /gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|oas|ffct)-[A-Za-z0-9_-]{20,256}(?:\.[a-z0-9.]{1,64})?/,
  ),
  // Slack, Discord, Teams: tokens and the addresses of webhooks.
  word(["xox"], /xox[abceoprs](?:\.xox[bp])?-\d[A-Za-z0-9-]{20,512}/),
  word(["xoxd-"], /xoxd-[A-Za-z0-9%+/=-]{40,512}/),
  word(["xapp-"], /xapp-\d-[A-Z0-9]{6,20}-\d{6,20}-[a-f0-9]{32,128}/),
  {
    hints: ["hooks.slack"],
    pattern:
      /(?<kept>hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/[A-Z0-9]{6,20}\/[A-Z0-9]{6,20}\/)[A-Za-z0-9/]{16,128}/g,
  },
  {
    hints: ["."],
    pattern:
      /(?<![A-Za-z0-9_-])(?:[MNO][A-Za-z0-9]{3}){5,7}[A-Za-z0-9_-]{0,4}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,64}(?![A-Za-z0-9_-])/g,
  },
  {
    hints: ["."],
    pattern:
      /(?<![A-Za-z0-9_-])(?=[A-Za-z_-]{0,27}\d)[MNO][A-Za-z0-9_-]{23,27}\.(?=[A-Za-z0-9_-]*[A-Z])[A-Za-z0-9_-]{6}\.(?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])/g,
  },
  // Tokens of a person who is signed in.
  { hints: ["mfa."], pattern: /(?<![A-Za-z0-9_.-])mfa\.[A-Za-z0-9_-]{80,90}(?![A-Za-z0-9_-])/g },
  {
    hints: ["/webhooks/"],
    pattern: /(?<kept>discord(?:app)?\.com\/api(?:\/v\d{1,2})?\/webhooks\/\d{15,22}\/)[A-Za-z0-9_-]{60,128}/g,
  },
  {
    hints: [".webhook.office.com/"],
    pattern:
      /(?<kept>\.webhook\.office\.com\/webhookb2\/)[A-Za-z0-9@-]{36,80}\/IncomingWebhook\/[A-Za-z0-9/_-]{32,160}/g,
  },
  // Models: Anthropic, OpenAI, OpenRouter, Groq, xAI, Hugging Face, Perplexity, Replicate.
  word(["sk-ant-"], /sk-ant-[A-Za-z0-9_-]{24,256}/),
  whole(
    ["sk-"],
    /sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{40,256}|or-v1-[a-f0-9]{64}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})/,
  ),
  whole(["gsk"], /gsk\\?_[A-Za-z0-9]{52}/),
  whole(["xai-"], /xai-[A-Za-z0-9]{80}/),
  whole(["hf"], /hf\\?_[A-Za-z0-9]{34}/),
  whole(["pplx-"], /pplx-[A-Za-z0-9]{48}/),
  whole(["r8"], /r8\\?_[A-Za-z0-9]{37}/),
  // Google.
  word(["AIza"], /AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/),
  { hints: ["GOCSPX-"], pattern: /GOCSPX-[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])/g },
  word(["ya29."], /ya29\.[A-Za-z0-9_-]{50,2048}/),
  { hints: ["1//0"], pattern: /(?<![A-Za-z0-9/])1\/\/0[A-Za-z0-9_-]{60,256}/g },
  // Microsoft: secrets of applications, keys of storage and queues, signed addresses.
  {
    hints: ["Q~"],
    pattern: /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])/g,
  },
  { hints: ["AccountKey="], pattern: /(?<kept>AccountKey=)[A-Za-z0-9+/]{86}==/g },
  { hints: ["SharedAccessKey="], pattern: /(?<kept>SharedAccessKey=)[A-Za-z0-9+/]{42,88}={0,2}/g },
  { hints: ["sig="], pattern: /(?<kept>[?&;]sig=)(?:[A-Za-z0-9+/]|%[0-9A-Fa-f]{2}){40,160}={0,2}/g },
  // Stripe, Square.
  word(["k_live", "k_test", "k\\_live", "k\\_test"], /[sr]k\\?_(?:live|test)\\?_[A-Za-z0-9]{16,255}/),
  word(["whsec"], /whsec\\?_[A-Za-z0-9+/]{32,64}/),
  word(["sq0"], /sq0(?:atp|csp)-[A-Za-z0-9_-]{22,60}(?![A-Za-z0-9_-])/),
  // Package registries.
  whole(["npm"], /npm\\?_[A-Za-z0-9]{36}/),
  { hints: ["pypi-AgE"], pattern: /pypi-AgE[A-Za-z0-9_-]{50,1024}/g },
  word(["dckr"], /dckr\\?_pat\\?_[A-Za-z0-9_-]{27,64}/),
  word(["dckr"], /dckr\\?_oat\\?_[A-Za-z0-9_-]{27,64}/),
  { hints: ["_authToken="], pattern: /(?<kept>:_authToken=)[A-Za-z0-9_.+/=-]{16,512}/g },
  whole(["rubygems"], /rubygems\\?_[a-f0-9]{48}/),
  whole(["oy2"], /oy2[a-z0-9]{43}/),
  { hints: ["CLOJARS"], pattern: /CLOJARS\\?_[a-z0-9]{60}(?![A-Za-z0-9])/g },
  // Credentials in files of Docker and npm: a name and a password, in base64.
  {
    hints: ["auth"],
    pattern:
      /(?<kept>"?_?auth"?[ \t]{0,8}[:=][ \t]{0,8}"?)(?=[A-Za-z0-9+/]{0,256}\d)(?:[A-Za-z0-9+/]{4}){5,128}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)/g,
  },
  // Hosts and services.
  word(["_v1_", "\\_v1"], /do[opr]\\?_v1\\?_[a-f0-9]{64}/),
  whole(["ATATT3", "ATCTT3", "ATBB"], /(?:AT[AC]TT3[A-Za-z0-9_=-]{60,250}|ATBB[A-Za-z0-9]{28,40})/),
  word(["hvs.", "hvb."], /hv[sb]\.[A-Za-z0-9_-]{24,300}/),
  word([".atlasv1."], /[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,80}/),
  whole(["pul-"], /pul-[a-f0-9]{40}/),
  whole(["dapi"], /dapi[a-f0-9]{32}(?:-\d)?/),
  whole(["dp."], /dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}/),
  whole(["lin_api", "lin\\_api"], /lin\\?_api\\?_[A-Za-z0-9]{40}/),
  whole(["ntn"], /ntn\\?_\d{11}[A-Za-z0-9]{35}/),
  word(["figd"], /figd\\?_[A-Za-z0-9_-]{38,50}(?![A-Za-z0-9_-])/),
  whole(["pat"], /pat[A-Za-z0-9]{14}\.[a-f0-9]{64}/),
  whole(["PMAK-"], /PMAK-[a-f0-9]{24}-[a-f0-9]{34}/),
  whole(["NRAK-"], /NRAK-[A-Z0-9]{27}/),
  word(["sntry"], /sntry(?:u\\?_[a-f0-9]{64}|s\\?_eyJ[A-Za-z0-9+/=]{40,512}\\?_[A-Za-z0-9+/]{43})/),
  word(["pscale"], /pscale\\?_(?:tkn|pw|oauth)\\?_[A-Za-z0-9_=.-]{32,64}/),
  whole(["sbp", "sb_secret", "sb\\_secret"], /(?:sbp\\?_[a-f0-9]{40}|sb\\?_secret\\?_[A-Za-z0-9_-]{22,64})/),
  word(["HRKU-"], /HRKU-[A-Za-z0-9_-]{36,60}(?![A-Za-z0-9_-])/),
  word(["fo1", "fm1", "fm2"], /(?:fo1\\?_[A-Za-z0-9_-]{43}|fm(?:1[ar]|2)\\?_[A-Za-z0-9+/]{100,2048}={0,3})/),
  word(["tskey-"], /tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9]{8,32}-[A-Za-z0-9]{20,64}/),
  whole(["CCIP"], /CCIP(?:AT|RJ)\\?_[A-Za-z0-9]{8,40}\\?_[a-f0-9]{40}/),
  whole(["sq"], /sq[apu]\\?_[a-f0-9]{40}/),
  whole(["AKCp"], /AKCp[A-Za-z0-9]{69}/),
  whole(["dt0"], /dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}/),
  whole(["LTAI"], /LTAI[A-Za-z0-9]{20}/),
  whole(["xkeysib-"], /xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}/),
  { hints: ["key-"], pattern: /(?<![A-Za-z0-9-])key-[a-f0-9]{32}(?![A-Za-z0-9])/g },
  whole(["-us"], /[a-f0-9]{32}-us\d{1,2}/),
  word(["ops"], /ops\\?_eyJ[A-Za-z0-9+/_-]{250,4096}={0,3}/),
  word(["SG."], /SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/),
  whole(["shp"], /shp(?:at|ca|pa|ss)\\?_[a-fA-F0-9]{32}/),
  whole(["glsa"], /glsa\\?_[A-Za-z0-9]{32}\\?_[a-fA-F0-9]{8}/),
  word([":AA"], /\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/),
  { hints: ["AGE-SECRET-KEY-1"], pattern: /AGE-SECRET-KEY-1[A-Z0-9]{58}/g },
  // Private keys in Kubernetes and CI: the complete PEM block in base64.
  {
    hints: ["LS0tLS1CRUdJTi"],
    pattern:
      /LS0tLS1CRUdJTi(?:BQUklWQVRFIEtFWS|B(?:SU0|EU0)EgUFJJVkFURSBLRVk|BFQyBQUklWQVRFIEtFWS|BPUEVOU1NIIFBSSVZBVEUgS0VZ|BFTkNSWVBURUQgUFJJVkFURSBLRVk)[A-Za-z0-9+/]{40,32768}={0,2}/g,
  },
  // Signed tokens of any service, and those of Mapbox, which have two parts.
  { hints: ["sk.eyJ"], pattern: /(?<![A-Za-z0-9_-])sk\.eyJ[A-Za-z0-9_-]{20,512}\.[A-Za-z0-9_-]{20,64}/g },
  {
    hints: ["eyJ"],
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,2048}\.eyJ[A-Za-z0-9_-]{8,8192}\.[A-Za-z0-9_-]{16,2048}/g,
  },
  // Credentials in a repository's git configuration: a token instead of a user's name, and a header.
  {
    hints: ["://"],
    pattern:
      /(?<kept>https?:\/\/)(?=[A-Za-z_.~-]{0,256}\d)(?=[0-9_.~-]{0,256}[A-Za-z])[A-Za-z0-9_.~-]{20,256}(?=@[A-Za-z0-9])/g,
  },
  {
    hints: ["extraheader"],
    pattern:
      /(?<kept>extraheader[ \t]{0,8}=[ \t]{0,8}["']?authorization:[ \t]{0,8}(?:basic|bearer)[ \t]{1,8})[A-Za-z0-9+/=_.~-]{20,4096}/gi,
  },
  ...ISSUERS.map(
    ({ hints, source }): Form => ({
      hints,
      pattern: new RegExp(`(?<![A-Za-z0-9])${source}(?![A-Za-z0-9])`, "g"),
    }),
  ),
];
