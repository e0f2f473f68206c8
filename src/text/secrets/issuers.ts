/** State of 2026-11-28, incomplete. A length alone is no form, because hashes and ids in code may have the same length. */

/** Issuer, hints, form. Classes: `A` (letters, digits), `W` (also `_`, `-`), `X` (lower-case hexadecimal), `B` (base64). */
const TABLE = `
1Password A3- A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}
Adobe p8e- p8e-A{32}
AppSync da2- da2-[a-z0-9]{26}
Artifactory cmVmd cmVmdA{59}
Azure JQQJ99 A{52}JQQJ99A{26}
Azure ACDb A{76}ACDb[A-Za-z0-9+/]{4,6}={0,2}
Azure AzF A{44}AzF[A-Za-z0-9+/]{5,9}={0,2}
Azure AzSe A{42}AzSe[A-D]A{5}
Azure AzCa A{33}AzCa[A-P]A{5}={0,1}
Azure +ASb,+AEh,+ACR,+AMC,+API,+ARM,+ASt,+AzC B{32,42}\\+A(?:Sb|Eh|CR|MC|PI|RM|St|zC)[A-Za-z0-9+/]{5,8}={0,2}
AzureDevOps AZDO A{76}AZDOA{4}
Beamer b_ b_[A-Za-z0-9=_/-]{44}
Buildkite bkua_,bkaj_,bkct_,bkpt_,bkat_,bkcl_,bkst_,bkca_ bk(?:ua|aj|ct|pt|at|cl|st|ca)_[A-Za-z0-9]{32,64}
Cerebras csk- csk-A{40,64}
Clerk ak_live_,ak_test_ ak_(?:live|test)_A{24,64}
Cloudflare cfk_,cfut_,cfat_ cf(?:k|ut|at)_A{40,64}
Cloudflare v1.0- v1\\.0-X{24}-X{146}
Contentful CFPAT- CFPAT-W{43}
CratesIo cio cioA{32}
Datadog ddapp_,ddapi_,ddpat_,ddsat_,ddk_ dd(?:app|api|pat|sat|k)_A{32,64}
Depot depot_ depot_(?:org|project|user)_X{32,64}
Duffel duffel_ duffel_(?:test|live)_[A-Za-z0-9_=-]{43}
EasyPost EZAK,EZTK EZ[AT]KA{54}
ElevenLabs sk_ sk_X{48}
Fastly fastly_ fastly_(?:pat|api)_W{32,64}
Firecrawl fc- fc-X{32}
Fireworks fw_ fw_A{22,40}
Flutterwave FLWSECK FLWSECK(?:_TEST)?-[a-zA-Z0-9]{12,40}(?:-X)?
FrameIo fio-u- fio-u-[A-Za-z0-9_=-]{64}
GitLab GR1348941 GR1348941W{20,30}
GitLab glrtr- glrtr-W{20,64}
GoCardless live_ live_[A-Za-z0-9_=-]{40}
Grafana glc_ glc_B{32,400}={0,3}
Grafana eyJrIjoi eyJrIjoiB{70,400}={0,3}
HarnessPat pat. pat\\.W{22}\\.X{24}\\.A{20}
HarnessSat sat. sat\\.W{22}\\.X{24}\\.A{20}
HubSpot pat-na,pat-eu,pat-ap pat-(?:na|eu|ap)\\d-X{8}-X{4}-X{4}-X{4}-X{12}
Infracost ico- ico-A{32}
Inngest signkey- signkey-(?:prod|test|branch)-X{32,64}
Intra42 s-s4t2 s-s4t2(?:ud|af)-X{64}
Jina jina_ jina_A{32}W{20,40}
Langfuse sk-lf-,pk-lf- (?:sk|pk)-lf-X{8}-X{4}-X{4}-X{4}-X{12}
LangSmith lsv2_ lsv2_(?:pt|sk)_X{32}_X{10}
LangSmith ls__ ls__X{32}
LaunchDarkly sdk- sdk-X{8}-X{4}-X{4}-X{4}-X{12}
LaunchDarkly api- api-X{8}-X{4}-X{4}-X{4}-X{12}
Linear lin_oauth lin_oauth_A{40,64}
Linear lin_wh lin_wh_A{40,64}
Lob live_,test_ (?:live|test)_X{35}
MaxMind _mmk A{6}_A{29}_mmk
Neon napi_ napi_A{40,80}
Netlify nfp_,nfc_,nfo_,nfu_,nfb_ nf(?:p|c|o|u|b)_A{36,64}
NewRelic NRJS-,NRII-,NRRA-,NRAA- NR(?:JS|II|RA|AA)-A{19,40}
Notion secret_ secret_A{43}
Nvidia nvapi- nvapi-W{60,72}
OctopusDeploy API- API-[A-Z0-9]{25,26}
OpenAI sk- sk-X{32}
OpenShift sha256~ sha256~W{43}
PayPal access_token$ access_token\\$production\\$A{16}\\$X{32}
Pinecone pcsk_ pcsk_[A-Za-z0-9_]{50,80}
Plaid access- access-(?:sandbox|development|production)-X{8}-X{4}-X{4}-X{4}-X{12}
PostHog phx_,phs_,pha_ ph[xsa]_A{32,64}
Prefect pnu_,pnb_ pn[ub]_[a-z0-9]{36}
Railway rw_ rw_(?:Fe26\\.2|A{32,64})W{0,200}
ReadMe rdme_ rdme_[a-z0-9]{70}
Render rnd_ rnd_A{24,64}
Resend re_ re_A{8}_A{20,32}
Scaleway SCW SCW[A-Z0-9]{17}
Scalingo tk-us- tk-us-W{48}
Sentry sntryu_ sntryu_X{64}
Settlemint sm_pat_,sm_aat_,sm_sat_ sm_(?:pat|aat|sat)_A{16}
Shippo shippo_ shippo_(?:live|test)_X{40}
Snowflake ver: ver:\\d{1,2}-hint:\\d{1,20}-[A-Za-z0-9+/=_-]{40,1024}
Sourcegraph sgp_ sgp_(?:(?:X{16}|local)_)?X{40}
Sourcegraph slk_ slk_X{64}
Square EAAA EAAAW{60,64}
Stripe k_prod [sr]k_prod_A{16,255}
Stripe ek_ ek_(?:live|test)_A{16,255}
Tavily tvly- tvly-(?:dev-|prod-)?A{32,48}
Together tgp_v1_ tgp_v1_W{43}
TriggerDev tr_dev_,tr_prod_,tr_stg_,tr_preview_,tr_pat_ tr_(?:dev|prod|stg|preview|pat)_A{20,64}
Twilio SK SKX{32}
Typeform tfp_ tfp_[A-Za-z0-9_.=-]{55,64}
Upstash upstash_ upstash_A{32,80}
Vercel vcp_,vci_,vca_,vcr_,vck_ vc[piark]_A{24,100}
Voyage pa- pa-W{43}
WandB wandb_v1_ wandb_v1_W{40,120}
Yandex AQVN AQVNW{35,38}
Yandex t1. t1\\.[A-Z0-9a-z_-]{1,300}={0,2}\\.[A-Za-z0-9_-]{86}={0,2}
Yandex y0_ y0_W{50,64}
Zapier zpka_ zpka_X{32}_X{8}
`;

const CLASSES: Readonly<Record<string, string>> = {
  A: "[A-Za-z0-9]",
  W: "[A-Za-z0-9_-]",
  X: "[a-f0-9]",
  B: "[A-Za-z0-9+/]",
};

interface Issuer {
  readonly name: string;
  readonly hints: readonly string[];
  readonly source: string;
}

/** A model may have escaped an underscore for Markdown. */
export const ISSUERS: readonly Issuer[] = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [name = "", hint = "", form = ""] = line.split(" ");
    const source = form
      .replaceAll(/([AWXB])(?=\{\d)/g, (_, each: string) => CLASSES[each] ?? each)
      .replaceAll(/(?<=^|[a-z0-9)\]}])_(?=[A-Za-z0-9([]|$)(?![^[]*\])/g, String.raw`\\?_`);
    const hints = hint.split(",").flatMap((one) => [one, one.replaceAll("_", "\\_")]);
    return { name, hints: [...new Set(hints)], source };
  });
