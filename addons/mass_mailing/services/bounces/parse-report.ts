import { clearReason, type RefusalReason, refusalReason, type ServerAnswer } from 'pergola/mail';
import PostalMime, { type Attachment, type Email } from 'postal-mime';

/** Report about a mail of ours. */
export interface Bounce {
  /** Row of the recipient, and the signature that shows the mail was ours. */
  readonly id: number;
  readonly signature: string;
  /** `delayed`: the server still tries; `complaint`: the recipient marked the mail as spam. */
  readonly kind: 'failed' | 'delayed' | 'delivered' | 'complaint';
  /** Why it failed; for `failed` alone. */
  readonly reason: RefusalReason | null;
  /** Words of the server. */
  readonly text: string;
}

/** A line with a reply code or an enhanced status code of a refusal, and one whose refusal is final. */
const CODED = /(?<![\d.])(?:[45]\d\d[ -]|[45]\.\d{1,3}\.\d{1,3}(?![\d.]*\d))/;
const FINAL = /(?<![\d.])(?:5\d\d[ -]|5\.\d{1,3}\.\d{1,3}(?![\d.]*\d))/;
/** Words of a server that still tries. */
const DELAYED =
  /\b(?:will (?:be )?(?:retr|try|keep trying|continue)|delayed|not yet been delivered|no action is required)/i;
/** Words of a server that gave up without saying why. */
const FAILED =
  /\b(?:failed permanently|could ?n[o']t be delivered|(?:un|not (?:be )?)deliver(?:able|ed)|did not reach|deliver\w* (?:\w+ ){0,4}failed|unable to deliver|fail(?:ed|ure) (?:to deliver|notice))/i;
/** Longest text kept of a report. */
const MAX_NOTE = 500;

type Report = Omit<Bounce, 'id' | 'signature'>;

/** The rest of a mail isn't read: reports are short, and the mail they quote comes last. */
export const MOST_BYTES = 256 * 1024;
/** Longest explanation that words are looked for in. */
const MOST_TEXT = 20_000;

/**
 * Reads a report about a mail of ours: of a mail server (RFC 3464, or in words alone), about a complaint (RFC 5965), or a notification of Amazon SES.
 * The mail is found by the address that the report came to, or by the Message-ID that it quotes. Returns null for anything else, such as answers and
 * vacation notes.
 */
export async function parseBounce(raw: string): Promise<Bounce | null> {
  const email = await parseMail(raw);
  const report = email && (await readReport(email));
  const mark = report && markOf(email, raw);
  return mark ? { ...mark, ...report } : null;
}

/** Message-IDs of the outbox: random, unlike those of mailings. */
const OUTBOX_ID = /<[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}@[\w.-]{1,253}>/g;
/** Message-IDs that a report quotes are few: of the mail, and of those it answers. */
const MAX_IDS = 20;

/** Report about a mail of the outbox. */
export interface OutboxReport extends Pick<Report, 'text'> {
  readonly kind: 'failed' | 'delivered';
  readonly messageIds: readonly string[];
}

/** Reads a report that a mail of the outbox was delivered or could not be; null for anything else. */
export async function parseOutboxReport(raw: string): Promise<OutboxReport | null> {
  const messageIds = [...new Set(raw.slice(0, MOST_BYTES).match(OUTBOX_ID))].slice(0, MAX_IDS);
  const email = messageIds.length === 0 ? null : await parseMail(raw);
  const report = email && (await readReport(email));
  if (report?.kind !== 'failed' && report?.kind !== 'delivered') return null;
  return { kind: report.kind, messageIds, text: report.text.slice(0, MAX_NOTE) };
}

/** A mail taken apart; null if it can't be. `raw` has a character for each byte. */
async function parseMail(raw: string): Promise<Email | null> {
  const source = raw.slice(0, MOST_BYTES).replace(/^[\r\n]+/, '');
  const email = await PostalMime.parse(Buffer.from(source, 'latin1'), {
    forceRfc822Attachments: true,
    attachmentEncoding: 'utf8',
    maxNestingDepth: 20,
  }).catch(() => null);
  // A mail whose parts don't begin with the boundary that it names is read as it is.
  if (!email || email.text || email.html || email.attachments.length > 0) return email;
  return { ...email, text: source.slice(Math.max(source.search(/\r?\n\r?\n/), 0)) };
}

/** Reads a report about any mail; null if it isn't one. */
async function readReport(email: Email): Promise<Report | null> {
  if (isFeedback(email)) return fromFeedback(email);
  return fromNotification(explanation(email)) ?? fromStatusPart(email) ?? (await fromWords(email));
}

/** Texts of the parts with one of these types. */
function partsOf({ attachments }: Email, ...types: readonly string[]): string[] {
  return attachments.filter(({ mimeType }) => types.includes(mimeType)).map(contentOf);
}

/** Text of a part. Its parts are read as UTF-8, which Japanese servers don't write. */
function contentOf({ content }: Attachment): string {
  if (typeof content !== 'string') return '';
  return content.includes('\u001b$') ? new TextDecoder('iso-2022-jp').decode(Buffer.from(content, 'latin1')) : content;
}

/** Where the mail that a report quotes begins. */
const QUOTE =
  /^.*(?:-{2,}.*original message|original message follows|copy of (?:the|your) message|-{2,} *returned message|unsent message follows|message headers follow|below this line).*$|^(?:>?\s*)(?:received|return-path|message-id|dkim-signature):/im;

/** Words of the report, before the mail that it quotes. */
function explanation({ text, html }: Email): string {
  const plain = (html ?? '')
    .replace(/<(?:style|script)\b.*?<\/(?:style|script)>/gis, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
  const words = text?.trim() || plain;
  return words.slice(0, MOST_TEXT).split(QUOTE)[0] ?? '';
}

const complaint = { kind: 'complaint', reason: null, text: 'The recipient marked this email as spam.' } as const;
/** Types of feedback about a mail that the recipient didn't want; the others are about its authentication, a virus, or mail that wasn't spam (RFC 5965, RFC 6591). */
const COMPLAINTS = ['abuse', 'fraud', 'opt-out', 'opt-out-list', 'complaint', 'miscategorized'];

/** Whether a mail is feedback of a reader: in the standard format, or with the header by which Outlook.com names the reader in the mail it attaches. */
function isFeedback(email: Email): boolean {
  const isStandard = email.headers.some(
    ({ key, value }) => key === 'content-type' && /report-type="?feedback-report/i.test(value),
  );
  return isStandard || feedbackOf(email) !== undefined || isOutlookFeedback(email);
}

const feedbackOf = (email: Email): string | undefined => partsOf(email, 'message/feedback-report')[0];

function isOutlookFeedback(email: Email): boolean {
  return partsOf(email, 'message/rfc822').some((mail) => /^x-hmxmroriginalrecipient:/im.test(mail));
}

function fromFeedback(email: Email): Report | null {
  const feedback = feedbackOf(email) ?? email.text ?? '';
  const type = fieldOf(feedback, 'Feedback-Type').toLowerCase();
  return COMPLAINTS.includes(type) || isOutlookFeedback(email) ? complaint : null;
}

/** Notification of Amazon SES, as Amazon SNS sends it by email: JSON, possibly inside the JSON of SNS, whose lines mail servers may have broken. */
function fromNotification(text: string): Report | null {
  const json = text.replaceAll('\\"', '"');
  const value = (name: string): string => new RegExp(`"${name}"\\s*:\\s*"([^"]*)"`).exec(json)?.[1] ?? '';
  const type = value('notificationType') || value('eventType');
  if (!text.trimStart().startsWith('{') || type === '') return null;
  if (type === 'Delivery') return { kind: 'delivered', reason: null, text: value('smtpResponse') };
  if (type === 'Complaint') {
    return value('complaintFeedbackType') === 'not-spam' ? null : complaint;
  }
  if (type !== 'Bounce') return null;
  const [kind, detail] = [value('bounceType'), value('bounceSubType')];
  const answer = { text: value('diagnosticCode'), status: value('status'), isFinal: true };
  const reason = clearReason(answer) ?? notificationReason(kind, detail);
  return { kind: 'failed', reason, text: answer.text || `${kind}: ${detail}` };
}

/** Reason by the types of bounces that SES documents. */
function notificationReason(kind: string, detail: string): RefusalReason {
  if (detail === 'MailboxFull') return 'full';
  if (['MessageTooLarge', 'ContentRejected', 'AttachmentRejected'].includes(detail)) return 'content';
  return kind === 'Permanent' ? 'address' : 'later';
}

/** The part that programs read (RFC 3464), one block for each recipient after that for the mail; some servers put it into the text. */
function fromStatusPart(email: Email): Report | null {
  const text = explanation(email);
  const parts = partsOf(email, 'message/delivery-status', 'message/global-delivery-status');
  const fields = (parts.length > 0 ? parts.join('\n\n') : text).replace(/\r?\n[ \t]+/g, ' ');
  const blocks = fields
    .split(/(?:\r?\n[ \t]*){2,}/)
    .filter(
      (block) =>
        fieldOf(block, 'Action') || fieldOf(block, 'Diagnostic-Code') || (parts.length > 0 && fieldOf(block, 'Status')),
    );
  const reports = blocks.flatMap((block) => statusReport(block, text) ?? []);
  // A mail that was forwarded to several: as long as one of them exists, the address does.
  return reports.find(({ kind, reason }) => kind === 'failed' && reason !== 'address') ?? reports[0] ?? null;
}

function statusReport(block: string, words: string): Report | null {
  const action = fieldOf(block, 'Action').toLowerCase();
  const status = /[245]\.\d{1,3}\.\d{1,3}/.exec(fieldOf(block, 'Status'))?.[0] ?? '';
  const diagnosis = fieldOf(block, 'Diagnostic-Code').replace(/^[\w-]+;\s*/, '');
  if (action.startsWith('deliver') || status.startsWith('2'))
    return { kind: 'delivered', reason: null, text: diagnosis || status };
  if (['relayed', 'expanded'].includes(action)) return null;
  const answer: ServerAnswer = { text: diagnosis, status, context: words, isFinal: true };
  const text = diagnosis || saidIn(words) || status;
  if (action === 'delayed') return { kind: 'delayed', reason: null, text };
  // A code alone, or words that say little: the text for people quotes the server as well.
  const reason = clearReason(answer) ?? clearReason({ ...answer, text: words }) ?? refusalReason(answer);
  return { kind: 'failed', reason, text };
}

/** A report in words alone, as older servers write it. */
async function fromWords(email: Email): Promise<Report | null> {
  if (!isFromServer(email)) return null;
  // Servers wrap answers; the rest of one is indented.
  const text = explanation(email).replace(/(?<=\S)[ \t]*\r?\n[ \t]+(?=\S)/g, ' ');
  // Lines with codes quote the server, the final ones say more; the rest explains.
  const quoted = text.split(/\r?\n/).filter((line) => CODED.test(line));
  const final = quoted.filter((line) => FINAL.test(line)).join('\n');
  const about = { context: text, isFinal: true };
  const reason = [final, quoted.join('\n'), text].reduce<RefusalReason | null>(
    (clear, words) => clear ?? clearReason({ ...about, text: words }),
    null,
  );
  if (reason === null && quoted.length === 0) {
    const forwarded = await fromForwarded(email);
    if (forwarded || !FAILED.test(`${email.subject ?? ''} ${text}`)) return forwarded;
  }
  const said = saidIn(text) || text.trim().slice(0, MAX_NOTE);
  if (reason !== 'address' && DELAYED.test(`${email.subject ?? ''} ${text}`))
    return { kind: 'delayed', reason: null, text: said };
  return { kind: 'failed', reason: reason ?? refusalReason({ ...about, text: quoted.join('\n') }), text: said };
}

/** A server that passes on another server's report as an attachment. */
async function fromForwarded(email: Email): Promise<Report | null> {
  const [inner] = partsOf(email, 'message/rfc822');
  const forwarded = inner ? await parseMail(Buffer.from(inner).toString('latin1')) : null;
  return forwarded && isFromServer(forwarded) ? fromStatusPart(forwarded) : null;
}

/** Whether a mail was written by a mail server: a person's answer or vacation note may quote our mail as well. */
function isFromServer({ headers, subject = '' }: Email): boolean {
  const values = (name: string): string[] => headers.filter(({ key }) => key === name).map(({ value }) => value);
  const from = [...values('from'), ...values('sender')].join(' ');
  if (
    /mailer[-_ ]?daemon|post[-_]?master|mail[-_ ]?(?:delivery|service)|mail ?administrator|system ?administrator|mdaemon|delivery ?subsystem|<>/i.test(
      from,
    ) ||
    values('content-type').some((value) => /report-type="?delivery-status/i.test(value))
  )
    return true;
  if (values('auto-submitted').some((value) => /auto-replied/i.test(value))) return false;
  return (
    values('return-path').some((path) => path.trim() === '<>') &&
    /undeliver|deliver\w* (?:status|fail|notif|problem)|(?:failure|returned|bounced?|non-?delivery)/i.test(subject)
  );
}

/** Line of a text in which a server is quoted. */
function saidIn(text: string): string {
  return (
    text
      .split(/\r?\n/)
      .find((line) => CODED.test(line))
      ?.trim()
      .slice(0, MAX_NOTE) ?? ''
  );
}

/** `bounces+<row>-<signature>@…`, the address it came to, or `<mm.<row>.<signature>@…>`, which it quotes. */
function markOf(email: Email, raw: string): { id: number; signature: string } | null {
  const recipients = email.headers.filter(({ key }) =>
    /^(?:x-)?(?:to|delivered-to|original-to|envelope-to|apparently-to|forwarded-to)$/.test(key),
  );
  const parts = email.attachments.map(contentOf);
  const texts = [
    ...recipients.map(({ value }) => value),
    ...parts,
    email.text ?? '',
    email.html ?? '',
    raw.slice(0, MOST_BYTES).replace(/=\r?\n/g, ''),
  ];
  for (const text of texts) {
    const [, id, signature] =
      /\+(\d{1,15})-([\w-]{22})@/.exec(text) ?? /\bmm\.(\d{1,15})\.([\w-]{22})@/.exec(text) ?? [];
    if (id && signature) return { id: Number(id), signature };
  }
  return null;
}

function fieldOf(block: string, name: string): string {
  return new RegExp(`^[ \\t]*${name}:[ \\t]*([^\\r\\n]{0,2000})`, 'im').exec(block)?.[1]?.trim() ?? '';
}
