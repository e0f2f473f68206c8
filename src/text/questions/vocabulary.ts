/**
 * Words of questions, as they are told apart: general words of software projects, none of one project. What is in none of these lists
 * names what is asked about.
 */

/** Ways of asking. */
const FILLERS = `
  a able about actual actually advice after afterward afterwards again ago already also although always am amount an and any anybody anyhow anyone anything
  anyway approach appreciated are around as ask at available avoid aware be because become been before being believe best better between both but by came can
  cannot case come could couple current currently did do does doing done during each easy either else enough especially etc even ever every everyone everybody
  everything exactly example expect explain far feature first for from fully functionality further get gets getting give gives given giving go goes going
  gone good got guide had happen happens has have having he hello help her here hey hi him his hope how however i i'd i'm i've idea if in info
  information inside instead into is it it's its itself just kind know known let lets like little long look looking lot made make makes making many matter
  maybe me mean mechanism method might mine much must my myself necessary need needed needs never now of off ok okay on once one ones onto
  option options or other others ought our out over own people per perhaps please point possible possibility prefer preferred problem procedure proper properly put question
  quite rather really recommend recommended required right same say script seem seems set sets setting settings setup shall she should
  simple simply since single so some somebody somehow someone something somewhere soon specific standard step steps still stuff such sure
  take taken takes tell than thank thanks that that's the their them themselves then there there's these they thing things think this those
  though through thus to together too towards tried try trying tutorial understand unfortunately until up upon us use used uses using usual usually various
  very via want wanted wants was way ways we well were what whatever what's when where whether which while who whole whom whose will wish with
  within wonder wondering work worked working works would yet you your yours adjust change changed changes changing config configuration configure configured control controls
  customize define parameter parameters specify`;

/** What is done to most things: a question may have such a word or not. */
const LIGHT = `
  accept access achieve add all another apply appropriate arrange automatic basic big build built call card certain check clean code collect come command complain
  complete correct create custom days deal demand deploy desired different dynamic enable entire execute existing expose extra fetch field fine follow friendly full
  general global handle hit host huge implement install instance invoke item job latest launch lead library link listen live live local main
  maintain manage manual map massive member minimum mobile mode model module native new nice normal obtain official old open operate order original
  output particular perform pick place plain plus possible post present press previous produce proper property provide purpose reach read ready receive
  register related relevant remain require retrieve return run safe save second see selected self send serve show side situation small solution sort start
  state straightforward string structure support sync system task tool top total treat turn two type unit usage valid value variable various
  version via view wait want whole work world write`;

/** Things that every project has: one more or less is no other question, one for another is. */
const COMMON = `
  answer app background base body client container data directory docs drive element endpoint error file function image input line list message object page path project query request
  repository result row screen script server site text user window`;

/** What is done, and on what condition: two questions have the same of these, or are not the same question. */
const STRICT = `
  android average block cancel clear close compare convert decode decrease default delete dev difference disable
  downgrade download duration edit empty encode encrypt exclude export fail fast find import include increase insensitive interval
  ios join leave limit linux lock macos manually multi only parallel pause prevent production public rename repeat reset restart
  restore resume reverse rollback several share shutdown skip slow split startup stop swap twice unlock update upload
  whereabouts wildcard windows`;

/** Each line is one meaning; its first word stands for it. */
const MEANINGS = `
  accept allow permit grant
  access reach
  add attach insert append
  address ip
  admin administrator
  answer reply respond response acknowledge output
  app application game software
  argument flag switch
  auth authentication login signin
  authorization permission
  automatic auto automatically
  browser chrome firefox safari
  build compile compilation
  call invoke
  cancel abort
  certificate cert
  choose pick select chosen
  collision collide
  compare difference differ distinction
  convert transform conversion migrate migration move
  create generate generation produce issue
  database db
  decrease reduce lower shrink smaller decreasing
  default standard
  delete remove drop erase uninstall deletion
  detect recognize recognition detection
  dev development develop developer developing
  directory folder subdirectory subfolder dir
  disable deactivate
  docs doc documentation
  device machine computer hardware
  domain hostname
  duration timeout
  drive disk
  empty blank
  enable activate enabled
  endpoint route
  ensure force guarantee constrain enforce
  env environment
  exclude ignore omit hide skip
  fail failure broken trouble wrong fix solve solution reason why cause missing complain refuse
  fast speed quick faster
  fetch retrieve obtain load
  find discover source
  function method
  gpu graphic
  handle care process
  image picture photo
  increase raise extend bigger larger longer higher enlarge
  big large huge
  include contain
  interval frequency often
  ios iphone ipad
  join connect enter
  key shortcut keybinding hotkey keymap
  kubernetes k8s
  leave disconnect
  limit maximum max restrict
  log print
  macos mac osx
  memory ram
  minify minification
  minimum min least
  parallel concurrent simultaneous concurrently
  plugin extension addon
  prevent block forbid
  production prod
  pending ongoing
  close quit exit dismiss
  query statement
  row entry
  repeat retry redo
  repository repo
  reset wipe
  resume continue reopen
  restart reboot
  result hit
  root top
  run execute launch
  save store persist location locate storage
  preserve keep retain
  secure protect
  send pass post
  several multiple
  show display appear visible
  site website
  size length
  slow lag stutter choppy
  startup start begin boot
  test spec
  type typing
  update upgrade
  url link
  user account person player
  version release`;

/** Several words with one meaning, put in its place before words are told apart. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:turn|switch|shut)(?:s|ed|ing)?\s+((?:\S{1,30}\s){0,3}?)off\b/g, "disable $1"],
  [/\b(?:turn|switch)(?:s|ed|ing)?\s+((?:\S{1,30}\s){0,3}?)on\b/g, "enable $1"],
  [/\bget(?:ting)? rid of\b/g, "remove"],
  [/\bleav(?:e|ing)\s+((?:\S{1,30}\s){0,3}?)out\b/g, "exclude $1"],
  [/\bleft out\b/g, "excluded"],
  [/\b(?:without losing|not lose)\b/g, "preserve"],
  [/\btrack(?:ing)? down\b|\bfind(?:ing)? out\b/g, "find"],
  [/\bback(?:ing|ed)? up\b/g, "backup"],
  [/\bmore than one\b|\bmore than 1\b/g, "several"],
  [/\b(?:speed(?:ing)? up|speed up)\b/g, "faster"],
  [
    /\b(?:case[- ]insensitive(?:ly)?|(?:ignoring|without regard to|regardless of) (?:the )?(?:upper|lower)?(?: and (?:lower|upper))?[- ]?case)\b/g,
    "insensitive",
  ],
  [/\b(?:start(?:s|ing)? over|from scratch)\b/g, "reset"],
  [/\bin the (?:background|foreground)\b/g, "background"],
  [
    /\b(?:only|just) (?:visible|shown|seen) (?:to|for|by)\b|\bvisible only (?:to|for)\b|\bso that only\b/g,
    "private",
  ],
  [/\b(?:at|in) (?:once|one go)\b/g, "parallel"],
  [/\b(?:hundreds of|a lot of|lots of|plenty of)\b/g, "many"],
  [
    /\b(?:on|at) (?:application )?(?:startup|start)\b|\bwhen (?:the |my )?(?:\S{1,30} )?(?:starts|boots)\b/g,
    "startup",
  ],
  [
    /\b(?:on|at) (?:application )?shutdown\b|\bwhen (?:the |my )?(?:\S{1,30} )?(?:stops|exits|shuts down)\b/g,
    "shutdown",
  ],
  [/\bshould (?:i|we)\b.{1,60}\bor\b|\bwhich (?:one )?is better\b/g, "$& difference"],
  [/\b(?:how long|how many seconds|how much time|time limit|time span)\b/g, "duration"],
  [/\b(?:takes? too long|tim(?:es?|ed|ing) out|how many (?:milli)?seconds)\b/g, "timeout"],
  [/\bby default\b|\be\.g\.?|\bi\.e\.?/g, " "],
  [/\bwhat (?:can|could|should) (?:i|we|one) do\b(?! (?:with|to))/g, "why"],
  [/\bhow often\b/g, "interval"],
  [/\bwhere (?:is|are|can i find|do i find) the (?:option|setting|parameter|switch|flag)s?\b/g, "how"],
  [
    /\b(?:in )?(?:which|what) (?:folder|directory|file|place|location|path)\b|\bwhat(?:'s| is) the (?:storage )?location\b|\bwhere (?:is|are|does|do|did)(?! (?:i|we|one)\b)/g,
    "whereabouts",
  ],
  [/\bauto-?(?=[a-z]{4})(?!matic|mat)/g, "automatic "],
  [/\b(?:stops?|stopped|no longer) work(?:s|ing)?\b/g, "fail"],
  [/\b(?:vs|versus)\b\.?/g, "difference"],
];

const wordsIn = (text: string): readonly string[] => text.trim().split(/\s+/);

export const VOCABULARY = {
  fillers: wordsIn(FILLERS),
  light: wordsIn(LIGHT),
  common: wordsIn(COMMON),
  strict: wordsIn(STRICT),
  meanings: MEANINGS.trim().split("\n").map(wordsIn),
} as const;

export const withoutPhrases = (text: string): string =>
  PHRASES.reduce((told, [phrase, meaning]) => told.replaceAll(phrase, meaning), text);
