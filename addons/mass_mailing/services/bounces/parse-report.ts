/** What a mail that came back says. */
export interface Bounce {
  /** The recipient's row and the signature that shows the mail was ours. */
  readonly id: number;
  readonly signature: string;
  /** `hard`: it will never arrive; `soft`: not now. */
  readonly kind: 'hard' | 'soft';
  /** `5.1.1` (RFC 3463); empty when the report has none. */
  readonly status: string;
  readonly text: string;
}

/** More of a mail is not looked at: reports are short, and quote the mail behind it. */
export const MOST_BYTES = 256 * 1024;

/**
 * Reads a report of a mail server (RFC 3464), found by the address it came to or by the Message-ID it quotes. Null for everything else:
 * answers, notes of absence, spam.
 */
export function parseBounce(raw: string): Bounce | null {
  // Long lines that were broken for the way are whole again.
  const mail = raw.slice(0, MOST_BYTES).replace(/=\r?\n/g, '');
  const at = mail.search(/\r?\n\r?\n/);
  const head = mail.slice(0, at < 0 ? mail.length : at).replace(/\r?\n[ \t]+/g, ' ');
  const action = field(mail, 'Action').toLowerCase();
  const isReport = /^content-type:\s*multipart\/report\b[^\n]*delivery-status/im.test(head) || action !== '';
  const fromServer = /^(from|return-path):[^\n]*(mailer-daemon|postmaster)@?|^return-path:\s*<>/im.test(head);
  if (!isReport && !fromServer) return null;
  const mark = markOf(head, mail);
  if (!mark) return null;
  const status =
    /^[ \t]*status:[ \t]*([245]\.\d{1,3}\.\d{1,3})/im.exec(mail)?.[1] ??
    (/\b([45]\.\d{1,3}\.\d{1,3})\b/.exec(mail)?.[1] || '');
  if (['delivered', 'relayed', 'expanded'].includes(action) || status.startsWith('2')) return null;
  const isSoft = action === 'delayed' || status.startsWith('4') || status === '5.2.2';
  if (!isSoft && action === '' && !status.startsWith('5')) return null;
  const text = field(mail, 'Diagnostic-Code') || status || 'The mail came back.';
  return { ...mark, kind: isSoft ? 'soft' : 'hard', status, text: text.slice(0, 500) };
}

/** `bounces+<row>-<signature>@…` it was sent to, or `<mm.<row>.<signature>@…>` it quotes. */
function markOf(head: string, mail: string): { id: number; signature: string } | null {
  const sentTo = /^(?:to|delivered-to|x-original-to|envelope-to):[^\n]*\+(\d{1,15})-([\w-]{22})@/im.exec(head);
  const quoted = /<mm\.(\d{1,15})\.([\w-]{22})@/.exec(mail);
  const [, id, signature] = sentTo ?? quoted ?? [];
  return id && signature ? { id: Number(id), signature } : null;
}

function field(mail: string, name: string): string {
  const line = new RegExp(`^\\s{0,4}${name}:[ \\t]*([^\\r\\n]{1,500})`, 'im').exec(mail)?.[1] ?? '';
  return line.trim();
}
