import { clearReason, type RefusalReason, refusalReason, type ServerAnswer } from 'pergola/mail';
import PostalMime, { type Attachment, type Email } from 'postal-mime';

/** Delivery report for an email sent by this site. */
export interface Bounce {
  /** ID of the recipient row, and the signature that proves the email was sent by this site. */
  readonly id: number;
  readonly signature: string;
  /** `delayed`: the server is still trying; `complaint`: the recipient marked the email as spam. */
  readonly kind: 'failed' | 'delayed' | 'delivered' | 'complaint';
  /** Failure reason; only for `failed`. */
  readonly reason: RefusalReason | null;
  /** Message of the server. */
  readonly text: string;
}

/** Match lines with a reply code or enhanced status code of a refusal, and of a permanent refusal. */
const CODED = /(?<![\d.])(?:[45]\d\d[ -]|[45]\.\d{1,3}\.\d{1,3}(?![\d.]*\d))/;
const FINAL = /(?<![\d.])(?:5\d\d[ -]|5\.\d{1,3}\.\d{1,3}(?![\d.]*\d))/;
/** Phrases of servers that are still trying. */
const DELAYED =
  /\b(?:will (?:be )?(?:retr|try|keep trying|continue)|delayed|not yet been delivered|no action is required)/i;
/** Phrases of servers that gave up without a reason. */
const FAILED =
  /\b(?:failed permanently|could ?n[o']t be delivered|(?:un|not (?:be )?)deliver(?:able|ed)|did not reach|deliver\w* (?:\w+ ){0,4}failed|unable to deliver|fail(?:ed|ure) (?:to deliver|notice))/i;
/** Maximum length of the stored text. */
const MAX_NOTE = 500;

type Report = Omit<Bounce, 'id' | 'signature'>;

/** Maximum bytes read of an email: reports are short, and the quoted email comes last. */
export const MOST_BYTES = 256 * 1024;
/** Maximum length of the explanation that is searched for phrases. */
const MOST_TEXT = 20_000;

/**
 * Parses a report about an email sent by this site: a delivery report (RFC 3464 or plain text), a complaint (RFC 5965), or an Amazon SES
 * notification. Identifies the email by the address the report was sent to, or by the quoted Message-ID. Returns null for anything else,
 * such as replies and out-of-office messages.
 */
export async function parseBounce(raw: string): Promise<Bounce | null> {
  const email = await parseMail(raw);
  const report = email && (await readReport(email));
  const mark = report && markOf(email, raw);
  return mark ? { ...mark, ...report } : null;
}

/** Message-IDs of the outbox. They are random, unlike Message-IDs of mailings. */
const OUTBOX_ID = /<[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}@[\w.-]{1,253}>/g;
/** Maximum number of quoted Message-IDs: of the email and its references. */
const MAX_IDS = 20;

/** Report about an email from the outbox. */
export interface OutboxReport extends Pick<Report, 'text'> {
  readonly kind: 'failed' | 'delivered';
  readonly messageIds: readonly string[];
}

/** Parses a report about the delivery or failure of an outbox email; null for anything else. */
export async function parseOutboxReport(raw: string): Promise<OutboxReport | null> {
  const messageIds = [...new Set(raw.slice(0, MOST_BYTES).match(OUTBOX_ID))].slice(0, MAX_IDS);
  const email = messageIds.length === 0 ? null : await parseMail(raw);
  const report = email && (await readReport(email));
  if (report?.kind !== 'failed' && report?.kind !== 'delivered') return null;
  return { kind: report.kind, messageIds, text: report.text.slice(0, MAX_NOTE) };
}

/** Parses an email; null if it is invalid. `raw` contains one character per byte. */
async function parseMail(raw: string): Promise<Email | null> {
  const source = raw.slice(0, MOST_BYTES).replace(/^[\r\n]+/, '');
  const email = await PostalMime.parse(Buffer.from(source, 'latin1'), {
    forceRfc822Attachments: true,
    attachmentEncoding: 'utf8',
    maxNestingDepth: 20,
  }).catch(() => null);
  // If no part starts with the declared boundary, the whole body is treated as text.
  if (!email || email.text || email.html || email.attachments.length > 0) return email;
  return { ...email, text: source.slice(Math.max(source.search(/\r?\n\r?\n/), 0)) };
}

/** Parses a report about any email; null if it isn't a report. */
async function readReport(email: Email): Promise<Report | null> {
  if (isFeedback(email)) return fromFeedback(email);
  return fromNotification(explanation(email)) ?? fromStatusPart(email) ?? (await fromWords(email));
}

/** Text of the parts with one of these types. */
function partsOf({ attachments }: Email, ...types: readonly string[]): string[] {
  return attachments.filter(({ mimeType }) => types.includes(mimeType)).map(contentOf);
}

/** Decodes a part. The parser assumes UTF-8, but Japanese servers use ISO-2022-JP. */
function contentOf({ content }: Attachment): string {
  if (typeof content !== 'string') return '';
  return content.includes('\u001b$') ? new TextDecoder('iso-2022-jp').decode(Buffer.from(content, 'latin1')) : content;
}

/** Matches the beginning of the quoted email. */
const QUOTE =
  /^.*(?:-{2,}.*original message|original message follows|copy of (?:the|your) message|-{2,} *returned message|unsent message follows|message headers follow|below this line).*$|^(?:>?\s*)(?:received|return-path|message-id|dkim-signature):/im;

/** Text of the report before the quoted email. */
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
/** Feedback types that count as complaints; the others concern authentication, viruses, or email that wasn't spam (RFC 5965, RFC 6591). */
const COMPLAINTS = ['abuse', 'fraud', 'opt-out', 'opt-out-list', 'complaint', 'miscategorized'];

/**
 * Whether an email is a complaint: in the standard format, or with the Outlook.com header that names the recipient in the attached email.
 */
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

/**
 * Parses an Amazon SES notification emailed by Amazon SNS: JSON, possibly nested in the JSON of SNS, and with line breaks inserted by mail
 * servers.
 */
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

/** Maps the documented SES bounce types to a reason. */
function notificationReason(kind: string, detail: string): RefusalReason {
  if (detail === 'MailboxFull') return 'full';
  if (['MessageTooLarge', 'ContentRejected', 'AttachmentRejected'].includes(detail)) return 'content';
  return kind === 'Permanent' ? 'address' : 'later';
}

/**
 * Parses the machine-readable part (RFC 3464), which has one block per recipient after the block for the email; some servers put it in the
 * text.
 */
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
  // For addresses forwarded to several recipients: the address exists as long as one of them does.
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
  const text = diagnosis || quotedServerLine(words) || status;
  if (action === 'delayed') return { kind: 'delayed', reason: null, text };
  // If the status is only a code or vague, the human-readable text usually quotes the server as well.
  const reason = clearReason(answer) ?? clearReason({ ...answer, text: words }) ?? refusalReason(answer);
  return { kind: 'failed', reason, text };
}

/** Parses a plain-text report from older servers. */
async function fromWords(email: Email): Promise<Report | null> {
  if (!isFromServer(email)) return null;
  // Servers wrap long responses and indent the continuation lines.
  const text = explanation(email).replace(/(?<=\S)[ \t]*\r?\n[ \t]+(?=\S)/g, ' ');
  // Lines with codes quote the server, preferably for a permanent refusal; the rest is context.
  const quoted = text.split(/\r?\n/).filter((line) => CODED.test(line));
  const final = quoted.filter((line) => FINAL.test(line)).join('\n');
  const common = { context: text, isFinal: true };
  const reason = [final, quoted.join('\n'), text].reduce<RefusalReason | null>(
    (clear, words) => clear ?? clearReason({ ...common, text: words }),
    null,
  );
  if (reason === null && quoted.length === 0) {
    const forwarded = await fromForwarded(email);
    if (forwarded || !FAILED.test(`${email.subject ?? ''} ${text}`)) return forwarded;
  }
  const serverText = quotedServerLine(text) || text.trim().slice(0, MAX_NOTE);
  if (reason !== 'address' && DELAYED.test(`${email.subject ?? ''} ${text}`))
    return { kind: 'delayed', reason: null, text: serverText };
  return { kind: 'failed', reason: reason ?? refusalReason({ ...common, text: quoted.join('\n') }), text: serverText };
}

/** Parses another server's report forwarded as an attachment. */
async function fromForwarded(email: Email): Promise<Report | null> {
  const [inner] = partsOf(email, 'message/rfc822');
  const forwarded = inner ? await parseMail(Buffer.from(inner).toString('latin1')) : null;
  return forwarded && isFromServer(forwarded) ? fromStatusPart(forwarded) : null;
}

/** Whether an email was generated by a mail server: replies and out-of-office messages may quote the email as well. */
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

/** Line of a text that quotes a server. */
function quotedServerLine(text: string): string {
  return (
    text
      .split(/\r?\n/)
      .find((line) => CODED.test(line))
      ?.trim()
      .slice(0, MAX_NOTE) ?? ''
  );
}

/**
 * Finds the recipient row and signature: in the address the report was sent to (`bounces+<row>-<signature>@…`), or in the quoted Message-ID
 * (`<mm.<row>.<signature>@…>`).
 */
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
