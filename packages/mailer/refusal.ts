/**
 * Reason why an email wasn't delivered:
 *
 * - `address`: the mailbox or its domain doesn't exist; the only reason to stop writing to an address
 * - `full`: the mailbox is full
 * - `content`: the recipient's server rejects this email (spam filter, size, attachment), or gives no reason
 * - `sender`: the server rejects us (relaying, authentication, reputation, DNS of our domain)
 * - `later`: a temporary problem, or one of the recipient's server that isn't about the address
 */
export type RefusalReason = 'address' | 'full' | 'content' | 'sender' | 'later';

/** Reply of a mail server, from an SMTP session or from a bounce report. */
export interface ServerAnswer {
  /** Text of the reply, with its codes. */
  readonly text: string;
  /** Enhanced status code (RFC 3463), 5.1.1; a specific one in the text takes precedence. */
  readonly status?: string;
  /** Reply code (RFC 5321), 550. */
  readonly code?: number | null;
  /** SMTP command the server replied to; if unknown, it is searched for in the text and then in `context`. */
  readonly command?: 'connection' | 'sender' | 'recipient' | 'data' | null;
  /** The rest of a report, which may quote the session. */
  readonly context?: string;
  /** Whether the server has given up, according to a report; a 450 reply in an SMTP session isn't final. */
  readonly isFinal?: boolean;
}

/** Reasons by subject and detail of an enhanced status code (RFC 3463, RFC 7293, RFC 7505); `x` is any other detail of the subject. */
const BY_STATUS: Readonly<Record<string, RefusalReason>> = {
  '1.1': 'address',
  '1.2': 'address',
  '1.3': 'address',
  '1.4': 'address',
  '1.6': 'address',
  '1.7': 'sender',
  '1.8': 'sender',
  '1.9': 'content',
  '1.10': 'address',
  '1.x': 'later',
  '2.2': 'full',
  '2.3': 'content',
  '2.x': 'later',
  '3.3': 'content',
  '3.4': 'content',
  '3.x': 'later',
  // No route: DNS has no server for the domain. Exchange Online numbers such codes further (5.4.310: the domain doesn't exist).
  '4.4': 'address',
  '4.310': 'address',
  '4.x': 'later',
  '5.3': 'later',
  '5.x': 'sender',
  '6.x': 'content',
  '7.2': 'later',
  '7.13': 'later',
  '7.15': 'content',
  '7.16': 'content',
  // The mailbox or its domain now belongs to someone else.
  '7.17': 'address',
  '7.18': 'address',
  '7.x': 'sender',
};

/** Unspecific status codes (RFC 3463: "other or undefined"), or those servers use for everything. */
const VAGUE = /^[245]\.(0\.\d+|[1-7]\.0|5\.[01])$/;

/** Nouns for a mailbox, and phrases servers use for one that doesn't exist. */
const MAILBOX =
  '(?:users?|recipients?|mailbox|mail box|accounts?|address(?:es)?|alias|local ?part|addressee|customer|person|e-?mail id|user ?id|rcpt)';
const MISSING =
  "(?:unknown|not known|invalid|not found|(?:does|do|did|dos)(?: ?n[o']t|nt) exist|not exists?|non-?existent|no longer (?:exists?|valid|in use|on (?:the )?server)|not (?:a )?(?:valid|listed|local|recognized|here)|unrouteable|undeliverable|(?:has been|was|is) (?:deleted|removed|closed|discontinued|terminated))";
const GAP = '(?:\\W+\\w+){0,5}?\\W+';

/** A mailbox permanently closed by its owner or server, in words that others use for a temporary state ("disabled", "expired"). */
const ENDED =
  /\b(?:account|mailbox)\b(?: \S+){0,4}? (?:discontinued|expired (?:due|because|for|after))|\bdeactivated (?:account|mailbox)\b|\b(?:casilla|cuenta|buzon|conta|caixa postal)\b(?: \S+){0,3}? (?:expirad[oa]|expirou|eliminad[oa]|cerrad[oa]|cancelad[oa]|encerrad[oa]|excluid[oa])/;

/**
 * Unambiguous phrases for a reason; the first match wins. Servers reply "550 5.1.1" or "mailbox unavailable" to many problems, so phrases
 * that contradict a missing mailbox come first. Texts are in lower case and without accents, addresses and links.
 */
const BY_WORDS: readonly (readonly [RefusalReason, RegExp])[] = [
  ['address', ENDED],
  [
    'later',
    /gr[ea]y ?-?list|insufficient system|\b(?:mailbox|account|user)\b(?:\W+\w+){0,4}?\W+(?:blocked|suspended|disabled|locked|inactive)|try (?:again )?later|try again in|temporar(?:y|ily) (?:deferred|failure|locked|unavailable|rejected|reject|suspended|problem|error|system)|rate (?:limit|that)|receiving mail (?:at|too)|too (?:many|much) (?:connections|messages|mails?|mail)|(?:resources|service) (?:temporarily|is temporarily)|try again(?: (?:a bit )?later)?$/,
  ],
  [
    'full',
    /(?:mailbox|inbox|mail ?box|quota|account|user|recipient|storage)\b[^.]{0,40}\b(?:is |was |are )?(?:full|over ?quota|over (?:the )?(?:limit|quota)|out of (?:storage|space)|exceed(?:s|ed|ing)?\b(?! (?:fixed|maximum) (?:message|mail|size)))|over ?(?:(?:the|its|his|her|their|disk|mail|mailbox) ){0,3}(?:quota|storage)|reached (?:\w+ ){0,2}quota|(?:quota|disk space|disk quota|storage) (?:is )?(?:exceed|full|limit|exhaust)|(?:exceed\w*|not (?:have )?enough|insufficient) (?:\w+ )?(?:disk |mail |system )?(?:storage|quota|disk|space)|mailbox (?:size|too large)|mailfolder is full|boite (?:aux lettres |de reception )?(?:est )?pleine|postfach (?:ist )?voll|buzon lleno|casella piena|переполнен|容量/,
  ],
  [
    'content',
    /\bvirus|malware|infected|phish|attachments? (?:(?:is|are|was|were|type|not) ){0,2}(?:not |block|reject|ban|prohibit|forbid|allow|remov|strip|too)|(?:illegal|prohibited|forbidden|unsafe|dangerous|executable|banned|blocked) (?:\w+ )?attachment|its content|message content|security issue/,
  ],
  [
    'sender',
    /relay(?:ing)? (?:access )?(?:is )?(?:denied|not|prohibited|disallowed|attempt|restricted)|(?:not (?:permitted|allowed|authori[sz]ed) to|unable to|cannot|can't|no|open) relay|relaying|\bspf\b|\bdkim\b|\bdmarc\b|domainkeys|sender ?id\b|purported responsible|black ?-?list|blocklist|block list|deny ?list|\b(?:dns)?rbl\b|dnsbl|spamhaus|spamcop|barracuda|reputation|forger|due to abuse|blocked|banned|blacklisted|\bptr\b|reverse (?:dns|host|lookup)|unverifiable|valid (?:sender|from|helo)|invalid (?:sender|from|helo|dns)|mismatch|helo|ehlo|sender'?s? (?:address|domain|host|verif|rejected|denied|not|is|ip|was|unknown|server)|domain of sender|from: domain|\b(?:bad|unknown) sender|(?:sending|client) (?:ip|host|domain|server|mta|address)|for sending mail|invalid ip\b|unauthenticated|authentication|not authenticated|not (?:allowed|authori[sz]ed) to (?:send|use)|not verified|denied sending|complain|smtp server of your isp|your (?:ip|server|host|network|domain)\b|from your|messages? from \S*\d|bulk mail|unsolicited|access denied\.{3}|too many invalid recipients/,
  ],
  [
    'content',
    /\bspam\b|\bjunk\b|\bube\b|\buce\b|content (?:re?jected|filter|not|denied)|(?:message|mail|media|header) (?:error|content)|too (?:large|big)|(?:message|mail) (?:size|was (?:blocked|filtered)|filtered|not accepted|is not accepted)|size (?:limit|exceeds)|exceeds? (?:fixed |the )?(?:maximum |max )?(?:message |mail )?size|policy|header (?:error|invalid|missing|too)|(?:bad|invalid|missing|duplicate|multiple) header|rfc ?2822|rfc ?5322|line (?:too long|length)|non-?compliant/,
  ],
  [
    'later',
    /timed? ?out|expired|(?:connection|network) (?:refused|reset|lost|dropped|problem|unreachable)|could not connect|unable to connect|no route|too many hops|hop count|\bloop|(?:system|configuration|internal|server|ldap|database|i\/o) (?:error|problem|failure|config)|service not available|temporary|deferred|closing transmission|busy|not accepting|frozen|suspended|disabled|inactive|locked|over ?load|maintenance|name server (?:reply|error|failure)|on hold|could(?: ?n[o']t|n't) (?:create|open|write)|permission denied|too many recipients/,
  ],
  [
    'address',
    new RegExp(
      [
        `\\b(?:no such|unknown|invalid|illegal|non-?existent|bad|wrong|incorrect|unrouteable|undeliverable|unrecognized|mauvaise?)(?: (?:local|or|illegal|destination|mailbox|e?-?mail|virtual|recipient|remote|final|delivery)){0,2} ${MAILBOX}\\b`,
        `\\b${MAILBOX}\\b${GAP}${MISSING}\\b`,
        `\\b${MAILBOX} ${MISSING}\\b`,
        `\\bno (?:\\w+ )?${MAILBOX} (?:here|by that name|with that|of that|found|available for)|(?:not|n't) (?:have|our|one of our) (?:an? )?(?:\\S+ )?(?:user|customer|account|mailbox)`,
        'not a (?:valid|member of)\\b(?: \\S+){0,2}? ?(?:user|recipient|mailbox|address|account|domain)\\b|rcpt (?:to )?user not ok|recipient (?:address )?(?:cannot|can ?not|could not) be verified',
        'did not (?:exactly )?match an? (?:\\S+ ){0,2}(?:address|user|account|mailbox)|no match(?:es)? (?:to|for|in) (?:\\w+ ){0,2}(?:query|user|address|directory|name)',
        'validrcptto|user not local|not our user|unknown local|mailbox (?:is )?unavailable|mailbox not available|recip(?:ient)?not ?found|recipient address rejected: access denied|no longer (?:with|employed|works)|unknown in|no valid recipient|not a (?:known|registered) user',
        '(?:host|domain)(?: name)?(?: \\S+)? (?:is )?(?:not found|unknown|does(?:n.t| not) exist|could ?n.t be found|non-?existent)|(?:no such|unknown|illegal|unrouteable) (?:mail )?(?:host|domain)|(?:any|no) host named|host not found|domain is not reachable|no mx record|indicated no smtp service|bad destination (?:mailbox|system|host)|nxdomain|name or service not known|null ?mx|(?:not|n.t) accept (?:any )?(?:e?-?mail)(?! (?:in|from|with|that|to|for|larger|containing))|no mail (?:server|exchanger|host)|(?:find|have) an? (?:mail exchanger|mx|valid mx)|has moved|mailbox has been moved',
        "(?:utilisateur|destinataire|adresse|boite)(?:\\W+[\\w']+){0,6}?\\W+(?:inconnue?|introuvable|invalide|n'existe pas|n'existe plus)",
        '(?:conta|endereco|caixa postal|gebruiker|geadresseerde|ontvanger|uzytkownik|konto|skrzynka|odbiorca|adres)(?:\\W+\\w+){0,4}?\\W+(?:nao existe|desconhecid[oa]|nao encontrad[oa]|invalid[oa]|onbekend|bestaat niet|niet gevonden|nie istnieje|nieznan[ya])',
        '(?:benutzer|empfanger|postfach|adresse|adressat)(?:\\W+\\w+){0,4}?\\W+(?:unbekannt|nicht gefunden|existiert nicht|nicht bekannt|ungultig)|unbekannter (?:benutzer|empfanger)',
        '(?:usuario|destinatario|buzon|cuenta|direccion|utente|casella|indirizzo)(?:\\W+\\w+){0,4}?\\W+(?:desconocid[oa]|no existe|inexistente|no encontrad[oa]|sconosciut[oa]|non esiste|non trovat[oa])',
        '(?:пользовател|получател|адрес|ящик)\\S*(?:\\s+\\S+){0,4}?\\s+(?:не (?:наиден|существует|зарегистрирован)|неизвест)|(?:宛先|ユーザ|アドレス|受信者|メールボックス)[^。]{0,60}(?:存在し|見つかり|ありません|不明)',
      ].join('|'),
    ),
  ],
];

/** Block lists of senders, which servers link to. */
const BLOCK_LISTS = /spamhaus|spamcop|sorbs\.net|barracudacentral|uceprotect|abuseat|senderscore/i;

/** Reply codes of a host that never accepts mail (RFC 7504). */
const NO_MAIL_HOST = /(?<![\d.])5(?:21|56)[ -]/;

/** Words for a mailbox that may be used again, or not. */
const UNUSED = /inactive|disabled|(?<!currently |temporarily )suspended|not accepting/;

/** Phrases that mean a missing mailbox even after the message text was sent, when "user unknown" may stand for a filter. */
const SURE = new RegExp(
  `no (?:such )?(?:user|mailbox|recipient|address) (?:here|found)|invalid mailbox|(?:mailbox|user) not found|n't have an? \\S+ account|host does(?: not|n't) accept (?:e?-?mail)|\\b${MAILBOX}\\b(?:\\W+\\w+){0,8}?\\W+(?:do(?:es)? not|doesn't|don't|no longer) exist|\\baccount has been (?:disabled or )?discontinued`,
);

/** Phrases for a rejected address: with the status code for addresses they mean the mailbox, otherwise they may stand for a filter. */
const REJECTED = /(?:recipient|address) (?:was |is )?rejected/;

/** Command named in a report together with the reply, in the wording of Postfix, Exim, Exchange and others. */
const COMMANDS: readonly (readonly [NonNullable<ServerAnswer['command']>, RegExp])[] = [
  // Pipelining: the message text was announced, but refused because there was no recipient.
  ['recipient', /<<< 5\d\d [^\n]*(?:no valid recipient|need rcpt)/i],
  ['data', /(?:reply to (?:the )?(?:end of )?data|after (?:end of )?data|for text command|end-?of-?data)/i],
  ['recipient', /(?:(?:reply to|after|in|for) "?rcpt[ _]to|smtp:rcpt|\[rcpt_to\])/i],
  ['sender', /(?:reply to|after|rejected|in|for) "?mail[ _]from/i],
  ['connection', /(?:after (?:initial connection|helo|ehlo)|reply to (?:helo|ehlo))/i],
];

/** First refusal in a session transcript, as quoted by Sendmail: `>>> RCPT TO:<…>` and `<<< 550 …`. */
const SESSION = /^>>> ?(rcpt|mail|data|\.)[^\n]*\s*^(?:<<< ?[23][^\n]*\s*^)*<<< ?[45]\d\d/im;
const SESSION_COMMANDS: Readonly<Record<string, ServerAnswer['command']>> = { rcpt: 'recipient', mail: 'sender' };

function commandOf({ command, text, context = '' }: ServerAnswer): ServerAnswer['command'] {
  if (command) return command;
  for (const words of [text, context]) {
    const command = COMMANDS.find(([, expression]) => expression.test(words))?.[0];
    if (command) return command;
    const [, quoted] = SESSION.exec(words) ?? [];
    if (quoted) return SESSION_COMMANDS[quoted.toLowerCase()] ?? 'data';
  }
  return null;
}

/** An enhanced status code; numbers of more than three parts are network addresses. */
const STATUS = /(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.]*\d)/g;

/** Returns the reason of a refusal. Unambiguous phrases take precedence over codes, a specific status code over a reply code. */
export function refusalReason(answer: ServerAnswer): RefusalReason {
  return clearReason(answer) ?? vagueReason(answer);
}

/** Returns the reason if phrases or a specific code give one, otherwise null: another text of the same report may say more. */
export function clearReason(answer: ServerAnswer): RefusalReason | null {
  const { text, status = '', isFinal = false } = answer;
  const exact = [...text.matchAll(STATUS)]
    .map(([code]) => code)
    .concat(status)
    .find((code) => code !== '' && !VAGUE.test(code));
  const stage = commandOf(answer);
  const words = plainWords(text);
  const byStatus = exact === undefined ? null : statusReason(exact);
  const byWords = BLOCK_LISTS.test(text)
    ? 'sender'
    : (BY_WORDS.find(([, expression]) => expression.test(words))?.[0] ??
      (/(?<![\d.])5\.(?:1\.0|0\.1)(?![\d.]*\d)/.test(`${text} ${status}`) && REJECTED.test(words) ? 'address' : null));
  if ((byWords ?? 'later') === 'later' && (exact === undefined || exact === '5.3.2') && NO_MAIL_HOST.test(text))
    return 'address';
  // "5.1.1 inactive address": the code is more specific than the phrase.
  if (byWords === 'later' && byStatus === 'address' && UNUSED.test(words)) return 'address';
  if (byWords !== null && byWords !== 'address') return byWords;
  // The code of a disabled or paused mailbox (RFC 3463) contradicts the vague phrase.
  if (exact === '5.2.1' && /mailbox (?:is )?(?:un|not )available/.test(words)) return 'later';
  // Rejected after the message text: the server may hide a filter behind "user unknown", unless it adds a specific code.
  if (
    byWords === 'address' &&
    byStatus !== 'address' &&
    ((stage === 'data' && !SURE.test(words)) ||
      (/^\d\.[67]\./.test(exact ?? '') && !SURE.test(words) && (stage !== 'recipient' || /access denied/.test(words))))
  )
    return 'content';
  if ((byWords ?? byStatus) !== 'address') return byStatus;
  if (stage === 'sender' || stage === 'connection') return 'sender';
  return isFinal || !isTemporary(answer) ? 'address' : 'later';
}

/** Whether the server asks to retry: by its reply code, or else by its enhanced status code. */
export function isTemporary({ text, code, status = '' }: ServerAnswer): boolean {
  const reply = code ?? /(?<![\d.])([45]\d\d)(?=[ :-]|$)/.exec(text)?.[1];
  return String(reply ?? (status || text.match(STATUS)?.[0] || '')).startsWith('4');
}

function statusReason(status: string): RefusalReason {
  const [kind, subject, detail] = status.split('.');
  const reason = BY_STATUS[`${subject}.${detail}`] ?? BY_STATUS[`${subject}.x`] ?? 'later';
  // A temporary problem with a route or a check doesn't concern the address or the sender.
  return kind === '4' && (reason === 'sender' ? subject === '7' || subject === '5' : subject === '4')
    ? 'later'
    : reason;
}

/** Reason of a reply with only a reply code (RFC 5321, RFC 7504), or with unspecific codes. */
function vagueReason(answer: ServerAnswer): RefusalReason {
  if (isTemporary(answer)) return 'later';
  const code = answer.code ?? Number(/(?<![\d.])(5\d\d)(?=[ :-]|$)/.exec(answer.text)?.[1] ?? 0);
  const stage = commandOf(answer);
  if (stage === 'sender' || stage === 'connection') return 'sender';
  if (code === 552) return stage === 'data' ? 'content' : 'full';
  return code >= 500 && code < 550 ? 'sender' : 'content';
}

/** Normalises a text for the phrase lists: lower case on one line, without accents, addresses and links. */
function plainWords(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replaceAll('\u2019', "'")
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(/https?:\/\/\S+|<[^<>\s]*@[^<>\s]*>|[^\s<>,;:()"']+@[^\s<>,;:()"']+/g, ' ')
    .replace(/(?<![\d.])[245]\d\d[ -](?:\d\.\d+\.\d+)?/g, ' ')
    .replace(/\s+/g, ' ');
}
