/** The forms that issuers give their keys and tokens, as data. Public knowledge: each is meant to be searched for. */

export interface Form {
  /** One of these is in every text that has the form. */
  readonly hints: readonly string[];
  /** All that is found is a secret, but for the group `kept`. Made of printable ASCII without spaces behind that group. */
  readonly pattern: RegExp;
}

/** `\\?` before a mark that Markdown would take: a model may have escaped it. */
export const ISSUED: readonly Form[] = [
  // Amazon: the identifier, and the secret where its usual name stands before it; keys of Bedrock.
  {
    hints: ["AKIA", "ASIA", "ABIA", "ACCA"],
    pattern: /(?<![A-Za-z0-9])A(?:[KSB]I|CC)A[A-Z2-7]{16}(?![A-Za-z0-9])/g,
  },
  {
    hints: ["ecret", "ECRET"],
    pattern:
      /(?<kept>aws\\?_?secret\\?_?(?:access\\?_?)?key["'`]?[ \t]{0,8}[=:]{1,2}[ \t]{0,8}["'`]?)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/gi,
  },
  { hints: ["ABSK"], pattern: /(?<![A-Za-z0-9])ABSK[A-Za-z0-9+/]{109,269}={0,2}/g },
  { hints: ["bedrock-api-key-"], pattern: /bedrock-api-key-[A-Za-z0-9+/=_-]{32,4096}/g },
  // GitHub, GitLab.
  {
    hints: ["ghp", "gho", "ghu", "ghs", "ghr"],
    pattern: /(?<![A-Za-z0-9])gh[pousr]\\?_[A-Za-z0-9]{36,255}/g,
  },
  // Of an app's installation since 2026: its number and a signed token.
  {
    hints: ["ghs"],
    pattern:
      /(?<![A-Za-z0-9])ghs\\?_[A-Za-z0-9]{1,24}\\?_eyJ[A-Za-z0-9_-]{8,2048}\.[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{16,2048}/g,
  },
  { hints: ["github"], pattern: /(?<![A-Za-z0-9])github\\?_pat\\?_[A-Za-z0-9]{22}\\?_[A-Za-z0-9]{50,90}/g },
  {
    hints: ["gl"],
    pattern:
      /(?<![A-Za-z0-9])gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|oas|ffct)-[A-Za-z0-9_-]{20,256}(?:\.[a-z0-9.]{1,64})?/g,
  },
  // Slack, Discord, Teams: tokens and the addresses of webhooks.
  { hints: ["xox"], pattern: /(?<![A-Za-z0-9])xox[abceoprs](?:\.xox[bp])?-\d[A-Za-z0-9-]{20,512}/g },
  { hints: ["xoxd-"], pattern: /(?<![A-Za-z0-9])xoxd-[A-Za-z0-9%+/=-]{40,512}/g },
  { hints: ["xapp-"], pattern: /(?<![A-Za-z0-9])xapp-\d-[A-Z0-9]{6,20}-\d{6,20}-[a-f0-9]{32,128}/g },
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
    hints: ["/webhooks/"],
    pattern: /(?<kept>discord(?:app)?\.com\/api(?:\/v\d{1,2})?\/webhooks\/\d{15,22}\/)[A-Za-z0-9_-]{60,128}/g,
  },
  {
    hints: [".webhook.office.com/"],
    pattern:
      /(?<kept>\.webhook\.office\.com\/webhookb2\/)[A-Za-z0-9@-]{36,80}\/IncomingWebhook\/[A-Za-z0-9/_-]{32,160}/g,
  },
  // Models: Anthropic, OpenAI, OpenRouter, Groq, xAI, Hugging Face, Perplexity, Replicate.
  { hints: ["sk-ant-"], pattern: /(?<![A-Za-z0-9])sk-ant-[A-Za-z0-9_-]{24,256}/g },
  {
    hints: ["sk-"],
    pattern:
      /(?<![A-Za-z0-9])sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{40,256}|or-v1-[a-f0-9]{64}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})(?![A-Za-z0-9])/g,
  },
  { hints: ["gsk"], pattern: /(?<![A-Za-z0-9])gsk\\?_[A-Za-z0-9]{52}(?![A-Za-z0-9])/g },
  { hints: ["xai-"], pattern: /(?<![A-Za-z0-9])xai-[A-Za-z0-9]{80}(?![A-Za-z0-9])/g },
  { hints: ["hf"], pattern: /(?<![A-Za-z0-9])hf\\?_[A-Za-z0-9]{34}(?![A-Za-z0-9])/g },
  { hints: ["pplx-"], pattern: /(?<![A-Za-z0-9])pplx-[A-Za-z0-9]{48}(?![A-Za-z0-9])/g },
  { hints: ["r8"], pattern: /(?<![A-Za-z0-9])r8\\?_[A-Za-z0-9]{37}(?![A-Za-z0-9])/g },
  // Google.
  { hints: ["AIza"], pattern: /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g },
  { hints: ["GOCSPX-"], pattern: /GOCSPX-[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])/g },
  { hints: ["ya29."], pattern: /(?<![A-Za-z0-9])ya29\.[A-Za-z0-9_-]{50,2048}/g },
  { hints: ["1//0"], pattern: /(?<![A-Za-z0-9/])1\/\/0[A-Za-z0-9_-]{60,256}/g },
  // Microsoft: secrets of applications, keys of storage and queues, addresses that are signed.
  {
    hints: ["Q~"],
    pattern: /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])/g,
  },
  { hints: ["AccountKey="], pattern: /(?<kept>AccountKey=)[A-Za-z0-9+/]{86}==/g },
  { hints: ["SharedAccessKey="], pattern: /(?<kept>SharedAccessKey=)[A-Za-z0-9+/]{42,88}={0,2}/g },
  { hints: ["sig="], pattern: /(?<kept>[?&;]sig=)(?:[A-Za-z0-9+/]|%[0-9A-Fa-f]{2}){40,160}={0,2}/g },
  // Stripe, Square.
  {
    hints: ["k_live", "k_test", "k\\_live", "k\\_test"],
    pattern: /(?<![A-Za-z0-9])[sr]k\\?_(?:live|test)\\?_[A-Za-z0-9]{16,255}/g,
  },
  { hints: ["whsec"], pattern: /(?<![A-Za-z0-9])whsec\\?_[A-Za-z0-9+/]{32,64}/g },
  { hints: ["sq0"], pattern: /(?<![A-Za-z0-9])sq0(?:atp|csp)-[A-Za-z0-9_-]{22,60}(?![A-Za-z0-9_-])/g },
  // Package registries.
  { hints: ["npm"], pattern: /(?<![A-Za-z0-9])npm\\?_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g },
  { hints: ["pypi-AgE"], pattern: /pypi-AgE[A-Za-z0-9_-]{50,1024}/g },
  { hints: ["dckr"], pattern: /(?<![A-Za-z0-9])dckr\\?_pat\\?_[A-Za-z0-9_-]{27,64}/g },
  { hints: ["dckr"], pattern: /(?<![A-Za-z0-9])dckr\\?_oat\\?_[A-Za-z0-9_-]{27,64}/g },
  { hints: ["_authToken="], pattern: /(?<kept>:_authToken=)[A-Za-z0-9_.+/=-]{16,512}/g },
  { hints: ["rubygems"], pattern: /(?<![A-Za-z0-9])rubygems\\?_[a-f0-9]{48}(?![A-Za-z0-9])/g },
  { hints: ["oy2"], pattern: /(?<![A-Za-z0-9])oy2[a-z0-9]{43}(?![A-Za-z0-9])/g },
  { hints: ["CLOJARS"], pattern: /CLOJARS\\?_[a-z0-9]{60}(?![A-Za-z0-9])/g },
  // What Docker and npm keep in their files: a name and a password, in base64.
  {
    hints: ["auth"],
    pattern:
      /(?<kept>"?_?auth"?[ \t]{0,8}[:=][ \t]{0,8}"?)(?=[A-Za-z0-9+/]{0,256}\d)(?:[A-Za-z0-9+/]{4}){5,128}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)/g,
  },
  // Hosts and services.
  { hints: ["_v1_", "\\_v1"], pattern: /(?<![A-Za-z0-9])do[opr]\\?_v1\\?_[a-f0-9]{64}/g },
  {
    hints: ["ATATT3", "ATCTT3", "ATBB"],
    pattern: /(?<![A-Za-z0-9])(?:AT[AC]TT3[A-Za-z0-9_=-]{60,250}|ATBB[A-Za-z0-9]{28,40})(?![A-Za-z0-9])/g,
  },
  { hints: ["hvs.", "hvb."], pattern: /(?<![A-Za-z0-9])hv[sb]\.[A-Za-z0-9_-]{24,300}/g },
  { hints: [".atlasv1."], pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,80}/g },
  { hints: ["pul-"], pattern: /(?<![A-Za-z0-9])pul-[a-f0-9]{40}(?![A-Za-z0-9])/g },
  { hints: ["dapi"], pattern: /(?<![A-Za-z0-9])dapi[a-f0-9]{32}(?:-\d)?(?![A-Za-z0-9])/g },
  {
    hints: ["dp."],
    pattern:
      /(?<![A-Za-z0-9])dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}(?![A-Za-z0-9])/g,
  },
  {
    hints: ["lin_api", "lin\\_api"],
    pattern: /(?<![A-Za-z0-9])lin\\?_api\\?_[A-Za-z0-9]{40}(?![A-Za-z0-9])/g,
  },
  { hints: ["ntn"], pattern: /(?<![A-Za-z0-9])ntn\\?_\d{11}[A-Za-z0-9]{35}(?![A-Za-z0-9])/g },
  { hints: ["figd"], pattern: /(?<![A-Za-z0-9])figd\\?_[A-Za-z0-9_-]{38,50}(?![A-Za-z0-9_-])/g },
  { hints: ["pat"], pattern: /(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\.[a-f0-9]{64}(?![A-Za-z0-9])/g },
  { hints: ["PMAK-"], pattern: /(?<![A-Za-z0-9])PMAK-[a-f0-9]{24}-[a-f0-9]{34}(?![A-Za-z0-9])/g },
  { hints: ["NRAK-"], pattern: /(?<![A-Za-z0-9])NRAK-[A-Z0-9]{27}(?![A-Za-z0-9])/g },
  {
    hints: ["sntry"],
    pattern:
      /(?<![A-Za-z0-9])sntry(?:u\\?_[a-f0-9]{64}|s\\?_eyJ[A-Za-z0-9+/=]{40,512}\\?_[A-Za-z0-9+/]{43})/g,
  },
  { hints: ["pscale"], pattern: /(?<![A-Za-z0-9])pscale\\?_(?:tkn|pw|oauth)\\?_[A-Za-z0-9_=.-]{32,64}/g },
  {
    hints: ["sbp", "sb_secret", "sb\\_secret"],
    pattern: /(?<![A-Za-z0-9])(?:sbp\\?_[a-f0-9]{40}|sb\\?_secret\\?_[A-Za-z0-9_-]{22,64})(?![A-Za-z0-9])/g,
  },
  { hints: ["HRKU-"], pattern: /(?<![A-Za-z0-9])HRKU-[A-Za-z0-9_-]{36,60}(?![A-Za-z0-9_-])/g },
  {
    hints: ["fo1", "fm1", "fm2"],
    pattern: /(?<![A-Za-z0-9])(?:fo1\\?_[A-Za-z0-9_-]{43}|fm(?:1[ar]|2)\\?_[A-Za-z0-9+/]{100,2048}={0,3})/g,
  },
  {
    hints: ["tskey-"],
    pattern: /(?<![A-Za-z0-9])tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9]{8,32}-[A-Za-z0-9]{20,64}/g,
  },
  {
    hints: ["CCIP"],
    pattern: /(?<![A-Za-z0-9])CCIP(?:AT|RJ)\\?_[A-Za-z0-9]{8,40}\\?_[a-f0-9]{40}(?![A-Za-z0-9])/g,
  },
  { hints: ["sq"], pattern: /(?<![A-Za-z0-9])sq[apu]\\?_[a-f0-9]{40}(?![A-Za-z0-9])/g },
  { hints: ["AKCp"], pattern: /(?<![A-Za-z0-9])AKCp[A-Za-z0-9]{69}(?![A-Za-z0-9])/g },
  { hints: ["dt0"], pattern: /(?<![A-Za-z0-9])dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}(?![A-Za-z0-9])/g },
  { hints: ["LTAI"], pattern: /(?<![A-Za-z0-9])LTAI[A-Za-z0-9]{20}(?![A-Za-z0-9])/g },
  { hints: ["xkeysib-"], pattern: /(?<![A-Za-z0-9])xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}(?![A-Za-z0-9])/g },
  { hints: ["key-"], pattern: /(?<![A-Za-z0-9-])key-[a-f0-9]{32}(?![A-Za-z0-9])/g },
  { hints: ["-us"], pattern: /(?<![A-Za-z0-9])[a-f0-9]{32}-us\d{1,2}(?![A-Za-z0-9])/g },
  { hints: ["ops"], pattern: /(?<![A-Za-z0-9])ops\\?_eyJ[A-Za-z0-9+/_-]{250,4096}={0,3}/g },
  { hints: ["SG."], pattern: /(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g },
  { hints: ["shp"], pattern: /(?<![A-Za-z0-9])shp(?:at|ca|pa|ss)\\?_[a-fA-F0-9]{32}(?![A-Za-z0-9])/g },
  { hints: ["glsa"], pattern: /(?<![A-Za-z0-9])glsa\\?_[A-Za-z0-9]{32}\\?_[a-fA-F0-9]{8}(?![A-Za-z0-9])/g },
  { hints: [":AA"], pattern: /(?<![A-Za-z0-9])\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/g },
  { hints: ["AGE-SECRET-KEY-1"], pattern: /AGE-SECRET-KEY-1[A-Z0-9]{58}/g },
  // Private keys as Kubernetes and CI keep them: the whole PEM block in base64.
  {
    hints: ["LS0tLS1CRUdJTi"],
    pattern:
      /LS0tLS1CRUdJTi(?:BQUklWQVRFIEtFWS|B(?:SU0|EU0)EgUFJJVkFURSBLRVk|BFQyBQUklWQVRFIEtFWS|BPUEVOU1NIIFBSSVZBVEUgS0VZ|BFTkNSWVBURUQgUFJJVkFURSBLRVk)[A-Za-z0-9+/]{40,32768}={0,2}/g,
  },
  // Signed tokens of whichever service, and those of Mapbox, which have two parts.
  { hints: ["sk.eyJ"], pattern: /(?<![A-Za-z0-9_-])sk\.eyJ[A-Za-z0-9_-]{20,512}\.[A-Za-z0-9_-]{20,64}/g },
  {
    hints: ["eyJ"],
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,2048}\.eyJ[A-Za-z0-9_-]{8,8192}\.[A-Za-z0-9_-]{16,2048}/g,
  },
];
