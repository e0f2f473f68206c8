/**
 * Reads requests for a change in ordinary words, in five languages. A script knows only words: a verb where people put it in a
 * request, and nouns anywhere.
 */

export type DemoRequest =
  | {
      readonly kind: "edit" | "typo" | "create" | "comment";
      readonly file: string;
      readonly text: string | null;
    }
  | { readonly kind: "rename"; readonly from: string; readonly to: string | null }
  | { readonly kind: "pull" }
  /** `can`: one sentence in the person's language. */
  | { readonly kind: "unknown"; readonly can: string };

/** Null if the text is no request. */
export const requestIn = (said: string): DemoRequest | null => {
  for (const language of LANGUAGES) {
    const found = language.question?.test(said) === true ? null : readAs(said, language);
    if (found !== null) return found;
  }
  return null;
};

/** The order matters, because *create a pull request* must not count as a creation of a file. */
const VERBS = ["rename", "open", "comment", "create", "add", "fix", "edit", "other"] as const;
type Verb = (typeof VERBS)[number];

interface Language {
  /** Marks of a question or a negation. */
  readonly question?: RegExp;
  /** Returns the pattern of a verb at its position in a request. */
  readonly form: (words: string) => RegExp;
  readonly verbs: Readonly<Record<Verb, string>>;
  readonly nouns: Readonly<Record<"pull" | "typo" | "comment" | "line", RegExp>>;
  /** Words that may be between a verb and its file, and around the names in a rename; null if a file may be anywhere. */
  readonly filler: RegExp | null;
  /** Start of an object, which noun phrases such as *update policy* lack. */
  readonly object: RegExp;
  readonly can: string;
}

const readAs = (said: string, language: Language): DemoRequest | null => {
  const { nouns, filler, object, can } = language;
  const [verb, before, rest] = verbIn(said, language);
  if (verb === null) return null;
  if (verb === "open") return { kind: "pull" };
  const file = fileIn(said);
  const text = quotedIn(said).find((one) => one !== file && one.trim() !== "") ?? null;
  const isNear = filler === null || (file !== null && isOnly(rest.slice(0, rest.indexOf(file)), filler));
  if (verb === "rename") {
    const [from, to = null] = namesIn(filler === null ? said : `${before} ${rest}`, filler);
    if (from !== undefined) return { kind: "rename", from, to };
  } else if (nouns.typo.test(said)) return { kind: "typo", file: file ?? "README", text };
  else if (file !== null) {
    if (verb === "comment" || nouns.comment.test(said)) return { kind: "comment", file, text };
    if ((verb === "edit" && isNear) || (verb === "add" && nouns.line.test(said)))
      return { kind: "edit", file, text };
    if ((verb === "create" && isNear) || (verb === "add" && rest.trimStart().startsWith(file)))
      return { kind: "create", file, text };
    if (verb === "fix" && isNear) return { kind: "typo", file, text };
  }
  const isRequest = object.test(rest) || ((verb === "add" || verb === "other") && /\p{L}/u.test(rest));
  return isRequest ? { kind: "unknown", can } : null;
};

/** The verb, the text before it and the text after it. */
const verbIn = (
  said: string,
  { form, verbs, nouns }: Language,
): readonly [Verb | null, before: string, after: string] => {
  for (const verb of VERBS) {
    const at = verb === "open" && !nouns.pull.test(said) ? null : form(verbs[verb]).exec(said);
    if (at !== null) return [verb, said.slice(0, at.index), said.slice(at.index + at[0].length)];
  }
  return [null, "", ""];
};

/** A path, a name with an extension, or a well-known name. */
const fileIn = (said: string): string | null =>
  (said.match(/[\w@./-]{1,200}/g) ?? [])
    .map((word) => word.replace(/^-+|[./-]+$/g, ""))
    .map((word) => KNOWN.exec(word)?.[0] ?? word)
    .find(
      (word) => !word.startsWith("//") && (/[^/]\/[^/]|[\w-]\.[a-z]\w{0,9}$/i.test(word) || KNOWN.test(word)),
    ) ?? null;

const KNOWN = /^(?:readme|license|changelog|contributing|makefile|dockerfile|notice|authors)(?=-[^.]*$|$)/i;

const QUOTED =
  /["“”„«»「」『』`]([^"“”„«»「」『』`\n]{1,300})["“”«»「」『』`]|(?<!\p{L})['‘]([^'’\n]{1,300})['’]/gu;

const quotedIn = (said: string): readonly string[] =>
  [...said.matchAll(QUOTED)].map(([, double = "", single = ""]) => double || single);

/** Old and new name, from quotes or from the words that are not fillers. */
const namesIn = (text: string, filler: RegExp | null): readonly string[] => {
  const quoted = quotedIn(text).filter((one) => !/[\s']/.test(one));
  if (quoted.length > 0) return quoted;
  return (text.match(/[\p{Script=Latin}\p{N}_$@./-]{1,100}/gu) ?? [])
    .map((word) => word.replace(/^[./-]+|[./-]+$/g, ""))
    .filter((word) => word !== "" && filler?.test(word) !== true);
};

const isOnly = (between: string, filler: RegExp): boolean =>
  between.split(/[\s\p{P}]+/u).every((word) => word === "" || filler.test(word));

/** A verb at the start, after polite words. */
const begins = (polite: string, verbs: string): RegExp =>
  new RegExp(`^[\\s\\p{P}]*(?:(?:${polite})[\\s\\p{P}]+)*(?:${verbs})(?![\\p{L}\\p{N}_])`, "iu");

const DE =
  "bitte|kannst|könntest|kann|könnte|würdest|du|ihr|könnt|mir|uns|mal|ich|möchte|will|wir|wollen|hallo|hey|hi|parley|jetzt|doch|einfach|kurz|dann|und";

/** `IMPERATIVES / INFINITIVES`: an infinitive is at the end of the request. */
const german = (words: string): RegExp => {
  const [imperatives = "", infinitives = ""] = words.split(" / ");
  const end = "(?=(?:[\\s\\p{P}]+(?:bitte|danke|jetzt|mal|parley))*[\\s\\p{P}\\p{S}]*$)";
  return new RegExp(`${begins(DE, imperatives).source}|(?<!\\p{L})(?:${infinitives})${end}`, "iu");
};

/** `NOUNS / VERBS`: a noun needs a form of する. */
const japanese = (words: string): RegExp => {
  const [nouns = "", verbs = ""] = words.split(" / ");
  const does = "(?:を|の)?(?:し(?:て|たい|ろ|ましょう)|する|でき(?:ますか|る)|お願い|頼)";
  return new RegExp(`(?:${nouns})${does}|を(?:${nouns})[\\s\\p{P}]*$|(?:${verbs})`, "iu");
};

const ZH =
  "请|請|帮我|帮忙|帮|麻烦|您|你|能不能|可不可以|能否|可否|能|可以|我想|我要|我们|想要|想|要|现在|parley|[\\s\\p{P}]";

const chinese = (verbs: string): RegExp =>
  new RegExp(`^(?:${ZH})*(?:(?:把|将|給|给|在|为|對|对)[^。！？!?\\n]{1,200}?)?(?:${verbs})`, "iu");

const LANGUAGES: readonly Language[] = [
  {
    form: (words) =>
      begins(
        "please|can|could|would|will|you|i|we|want|need|like|to|just|now|let[’']?s|let|us|help|me|hey|hi|hello|parley|bot|quickly|kindly|should|ok|okay|[’']d|i[’']d|we[’']d|and|also|then",
        words,
      ),
    verbs: {
      rename: "rename|change the name of",
      open: "(?:open|make|send|submit|raise|create|prepare|file|start) (?:an?|the|one|new|draft|up)",
      comment: "comment",
      create: "create|make|generate|(?:add|write) an? (?:new |empty |text )*file",
      add: "add|append|insert|put|write",
      fix: "fix|correct|repair",
      edit: "change|edit|update|modify|improve|extend|adjust|alter",
      other:
        "remove|delete|refactor|implement|replace|convert|migrate|rewrite|(?:move|build|merge|split|upgrade|drop|bump)(?= (?:the|an?|my|our|this|it|all)\\b)",
    },
    nouns: {
      pull: /\b(?:pull|merge)[ -]request\b|\b[PM]R\b/iu,
      typo: /\b(?:typos?|typographical|misspell\w*|spelling)\b/iu,
      comment: /\bcomments?\b/iu,
      line: /\b(?:lines?|text(?! file)|sentence|section|paragraph|note|words?|something|heading|entry)\b/iu,
    },
    filler:
      /^(?:the|an?|my|our|this|that|new|empty|text|file|files|called|named|in|of|to|as|into|some|something|contents?|lines?|project|s|function|variable|class|method|constant|module|field|type|folder|with|name|from|and|please|it)$/iu,
    object: /^\s+(?:(?:the|an?|my|our|this|that|these|those|it|all|some|more|every|each|us|me)\b|[`"'“‘])/iu,
    can: "I am a script, so I can only edit a file, fix a common typo, create a file, add a comment, rename a word or prepare a pull request: say `change the README`, `create hello.txt` or `rename OLD to NEW`.",
  },
  {
    question:
      /(?<!\p{L})(?:wie|was|wo|warum|wieso|weshalb|wann|wer|wozu|welche\p{L}*|nicht|kein\p{L}*|ob)(?!\p{L})/iu,
    form: german,
    verbs: {
      rename: "benenne?|nenne? / umbenennen|umzubenennen",
      open: "(?:öffne?|eröffne?|erstelle?|mache?|stelle?|schicke?|lege?|bereite?) (?:mir |uns |bitte |mal )*(?:einen|den|nen) / öffnen|eröffnen|aufmachen|stellen|erstellen",
      comment: "kommentiere? / kommentieren",
      create: "erstelle?|erzeuge?|lege?|mache? / erstellen|erzeugen|anlegen|anzulegen",
      add: "füge?|ergänze?|hänge?|setze?|schreibe? / hinzufügen|hinzuzufügen|ergänzen|einfügen|anhängen|schreiben",
      fix: "korrigiere?|behebe?|verbessere?|verbessre|fixe?|repariere?|berichtige? / korrigieren|beheben|verbessern|fixen|reparieren|berichtigen",
      edit: "ändere?|ändre|bearbeite?|aktualisiere?|erweitere?|überarbeite?|passe? / ändern|bearbeiten|aktualisieren|erweitern|überarbeiten|anpassen",
      other:
        "entferne?|lösche?|refaktoriere?|implementiere?|verschiebe?|ersetze?|baue?|migriere? / entfernen|löschen|refaktorieren|implementieren|verschieben|ersetzen|einbauen|umbauen|migrieren|umschreiben",
    },
    nouns: {
      pull: /(?<!\p{L})(?:(?:pull|merge)[ -]?request|[PM]R)(?!\p{L})/iu,
      typo: /typo|tippfehler|schreibfehler|rechtschreib|vertipper/iu,
      comment: /kommentar|kommentier/iu,
      line: /(?<!\p{L})(?:zeilen?|text|satz|abschnitt|absatz|notiz|hinweis|etwas|eintrag|überschrift)(?!\p{L})/iu,
    },
    filler:
      /^(?:der|die|das|den|dem|des|eine?[nmrs]?|neue?[nmrs]?|leere?[nmrs]?|text|datei|namens|mit|namen|in|im|an|von|zu|nach|um|auf|als|etwas|inhalt|bitte|mal|mir|uns|funktion|variable|klasse|methode|konstante|modul|ordner|typ|und|doch|kurz|zeile|es|kannst|könntest|würdest|du|ich|möchte|will|umbenennen|umzubenennen)$/iu,
    object:
      /^\s*$|^\s+(?:(?:der|die|das|den|dem|eine?[nmrs]?|alle\p{L}*|mein\p{L}*|unser\p{L}*|diese\p{L}*|es|sie)(?!\p{L})|[`"'„])|^[\s\p{P}]+(?:bitte|danke|jetzt|mal|mir|uns)/iu,
    can: "Ich bin ein Skript und kann nur eine Datei ändern, einen häufigen Tippfehler korrigieren, eine Datei anlegen, einen Kommentar hinzufügen, ein Wort umbenennen oder einen Pull-Request vorbereiten: zum Beispiel `ändere die README`, `erstelle hello.txt` oder `benenne ALT in NEU um`.",
  },
  {
    question: /^\s*¿\s*(?!(?:me |nos )?(?:puedes?|podr[ií]as?|quieres|te importa))|(?<!\p{L})no(?!\p{L})/iu,
    form: (words) =>
      begins(
        "por|favor|puedes|podrías|puede|podría|podrias|podria|me|nos|quiero|quisiera|necesito|que|hola|parley|ahora|te|pido|hay|oye|quieres|y",
        words,
      ),
    verbs: {
      rename: "renombr(?:a|ar|es|e)|cambi(?:a|ar|es|e) el nombre del?",
      open: "(?:abr(?:e|ir|as)|haz|hacer|crea|crear|envía|enviar|prepara|preparar) (?:un|una|el|la)",
      comment: "coment(?:a|ar|es|e)",
      create: "cre(?:a|ar|es|e)|gener(?:a|ar|es|e)|haz|hacer",
      add: "añad(?:e|ir|as)|agreg(?:a|ar|ues)|pon|poner|inserta|insertar|incluye|incluir|escrib(?:e|ir|as)",
      fix: "corri(?:ge|jas)|corregir|arregl(?:a|ar|es|e)|repara|reparar",
      edit: "cambi(?:a|ar|es|e)|modifi(?:ca|car|ques)|edit(?:a|ar|es|e)|actuali(?:za|zar|ces)|mejor(?:a|ar|es|e)|ampl(?:ía|iar)",
      other:
        "elimin(?:a|ar|es)|borr(?:a|ar|es)|quit(?:a|ar|es)|refactori(?:za|zar)|implement(?:a|ar|es)|muev(?:e|as)|mover|reemplaz(?:a|ar)|sustitu(?:ye|ir)|migr(?:a|ar)",
    },
    nouns: {
      pull: /(?<!\p{L})(?:(?:pull|merge)[ -]request|[PM]R|solicitud de (?:extracción|incorporación|cambios|fusión))(?!\p{L})/iu,
      typo: /(?<!\p{L})(?:typos?|erratas?|error(?:es)? (?:tipográfic|ortográfic|de (?:tecleo|escritura|ortografía))\p{L}*|faltas? de ortografía|ortografía|gazapos?)(?!\p{L})/iu,
      comment: /(?<!\p{L})comentarios?(?!\p{L})/iu,
      line: /(?<!\p{L})(?:l[ií]neas?|texto|frase|sección|párrafo|nota|algo|entrada|título)(?!\p{L})/iu,
    },
    filler:
      /^(?:el|la|los|las|un|una|nuevo|nueva|vacío|vacía|archivo|fichero|documento|llamado|llamada|de|del|en|al?|por|como|texto|contenido|algo|línea|función|variable|clase|método|constante|módulo|carpeta|tipo|con|nombre|y|favor)$/iu,
    object:
      /^\s+(?:(?:el|la|los|las|un|una|este|esta|estos|estas|mi|mis|nuestr\p{L}*|todo|todos|todas|lo|al|algo)(?!\p{L})|[`"'“«])/iu,
    can: "Soy un script y solo puedo editar un archivo, corregir una errata común, crear un archivo, añadir un comentario, renombrar una palabra o preparar un pull request: di, por ejemplo, `cambia el README`, `crea hello.txt` o `renombra VIEJO a NUEVO`.",
  },
  {
    question: /どこ|どう|なぜ|何|なに|どの|どれ|どんな|いつ|誰|だれ|ないで|教えて|説明/u,
    form: japanese,
    verbs: {
      rename: "名前変更|名前を変更|名前の変更|リネーム|改名 / (?:名前|名称)を[^。？！]{0,200}?変え",
      open: "作成|提出|オープン / 開い|出して|作っ|立て|送って",
      comment: "コメント / コメントして",
      create: "作成|生成 / 作って|作りたい|つくって",
      add: "追加|追記|挿入|記入 / 加えて|足して|付けて|つけて|入れて|書いて",
      fix: "修正|訂正 / 直して|直したい|なおして",
      edit: "変更|編集|更新|改善|改訂 / 変えて|書き換え",
      other: "削除|実装|移動|置換|移行|リファクタリング|リファクタ / 消して|移して|置き換えて|取り除いて",
    },
    nouns: {
      pull: /プルリクエスト|プルリク|pull request|マージリクエスト|PR/iu,
      typo: /タイプミス|誤字|脱字|誤植|誤記|スペルミス|綴り|typo/iu,
      comment: /コメント/u,
      line: /行|文|テキスト|段落|見出し|何か|メモ|一言/u,
    },
    filler: null,
    object: /^/u,
    can: "私はスクリプトなので、ファイルの変更、よくあるタイプミスの修正、ファイルの作成、コメントの追加、単語の名前変更、プルリクエストの準備だけができます。例えば「READMEを変更して」「hello.txtを作成して」「OLDをNEWに名前変更して」と書いてください。",
  },
  {
    question: /什么|什麼|哪|怎么|怎样|如何|为什么|为何|谁|几|多少|不要|别(?!字)/u,
    form: chinese,
    verbs: {
      rename: "重命名|改名|更名|(?:的)?名(?:字|称)(?:改|换)",
      open: "(?:打开|开|创建|新建|提交|提|发起|发|准备)(?:一个|个|一份|新的)?\\s*(?:拉取请求|合并请求|pull request|PR|MR)",
      comment: "注释一下",
      create: "创建|新建|建立|生成|建(?:一)?个|写一个",
      add: "添加|增加|加上|加入|加(?:一|个|条|行|段|注|点)|插入|追加|写(?:一|上|点)",
      fix: "修正|修复|改正|纠正|修好|更正|修一下",
      edit: "修改|更改|更新|编辑|改(?:一)?(?:下|改)|改动|变更|完善|改进",
      other: "删除|删掉|移除|去掉|重构|实现|移动|替换|迁移|升级|改写",
    },
    nouns: {
      pull: /拉取请求|合并请求|pull request|PR|MR/iu,
      typo: /拼写|错别字|错字|笔误|打字错误|typo/iu,
      comment: /注释|批注/u,
      line: /行|文字|文本|句|段|内容|标题|东西/u,
    },
    filler: null,
    object: /^(?:一|这|那|所有|全部|我|它|下)/u,
    can: "我是一个脚本，只能修改文件、改正常见的拼写错误、创建文件、添加注释、重命名一个词或准备拉取请求：例如“修改README”、“创建hello.txt”或“把OLD重命名为NEW”。",
  },
];
