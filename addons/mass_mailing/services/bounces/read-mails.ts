import { open, readdir, readFile, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { MOST_BYTES } from './parse-report.ts';

/** Position up to which a mailbox has been read. */
export interface Cursor {
  readonly file?: string;
  readonly offset?: number;
  readonly uid?: number;
  readonly validity?: string;
}

/** A batch of emails with the position after it; `done` is called after they have been processed. */
export interface Portion {
  readonly mails: readonly string[];
  readonly cursor: Cursor;
  done?(): Promise<void>;
}

/** Location of the emails. */
export interface MailSource {
  readonly kind: 'imap' | 'mbox' | 'maildir';
  readonly host: string | null;
  readonly port: number | null;
  readonly secure: boolean;
  readonly login: string | null;
  readonly password: string | null;
  readonly folder: string | null;
  readonly path: string | null;
}

const CHUNK = 4 * 1024 * 1024;
const FILES = 200;

/** Yields new emails in batches. Reading again from the same cursor yields the same emails. */
export function readMails(source: MailSource, cursor: Cursor): AsyncGenerator<Portion> {
  if (source.kind === 'mbox') return readMbox(source.path ?? '', cursor);
  if (source.kind === 'maildir') return readMaildir(source.path ?? '');
  return readImap(source, cursor);
}

/**
 * Reads an mbox file, in which each email follows a line starting with `From `. The file isn't modified, so other programs lose nothing.
 */
async function* readMbox(file: string, cursor: Cursor): AsyncGenerator<Portion> {
  const handle = await open(file, 'r');
  try {
    const { dev, ino, size } = await handle.stat();
    const name = `${dev}:${ino}`;
    let offset = cursor.file === name && (cursor.offset ?? 0) <= size ? (cursor.offset ?? 0) : 0;
    const buffer = Buffer.alloc(CHUNK);
    while (offset < size) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK, offset);
      if (bytesRead === 0) return;
      const text = buffer.subarray(0, bytesRead).toString('latin1');
      const atEnd = offset + bytesRead >= size;
      // The last email may still be incomplete; one that fills the whole chunk is truncated.
      const last = text.lastIndexOf('\nFrom ');
      const used = atEnd || last < 0 ? text : text.slice(0, last + 1);
      offset += used.length;
      yield { mails: used.split(/^From .*$/m).filter((mail) => mail.trim() !== ''), cursor: { file: name, offset } };
    }
  } finally {
    await handle.close();
  }
}

/** Reads a maildir with one file per email, and moves read ones from `new` to `cur`, like mail clients. */
async function* readMaildir(folder: string): AsyncGenerator<Portion> {
  const fresh = path.join(folder, 'new');
  const names = (await readdir(fresh)).sort();
  for (let offset = 0; offset < names.length; offset += FILES) {
    const batch = names.slice(offset, offset + FILES);
    const mails = await Promise.all(batch.map((name) => readStart(path.join(fresh, name))));
    yield {
      mails,
      cursor: {},
      done: async () => {
        for (const name of batch) await rename(path.join(fresh, name), path.join(folder, 'cur', `${name}:2,S`));
      },
    };
  }
}

async function readStart(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size <= MOST_BYTES) return readFile(file, 'latin1');
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0);
    return buffer.subarray(0, bytesRead).toString('latin1');
  } finally {
    await handle.close();
  }
}

/** Reads an IMAP mailbox without changing it: the UID of the last email read is stored in the cursor. */
async function* readImap(source: MailSource, cursor: Cursor): AsyncGenerator<Portion> {
  const { ImapFlow } = await import('imapflow');
  const client = new ImapFlow({
    host: source.host ?? '',
    port: source.port ?? 993,
    secure: source.secure,
    auth: { user: source.login ?? '', pass: source.password ?? '' },
    logger: false,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  });
  // Errors are reported by the pending call.
  client.on('error', () => {});
  await client.connect();
  try {
    const lock = await client.getMailboxLock(source.folder || 'INBOX', { readOnly: true });
    try {
      const box = client.mailbox;
      const validity = box ? String(box.uidValidity) : '';
      let last = cursor.validity === validity ? (cursor.uid ?? 0) : 0;
      const result = await client.search({ uid: `${last + 1}:*` }, { uid: true });
      const uids = (result || []).filter((uid) => uid > last).sort((a, b) => a - b);
      for (let offset = 0; offset < uids.length; offset += FILES) {
        const batch = uids.slice(offset, offset + FILES);
        const mails: string[] = [];
        for await (const { source: content } of client.fetch(
          batch,
          { source: { maxLength: MOST_BYTES } },
          { uid: true },
        )) {
          if (content) mails.push(content.toString('latin1'));
        }
        last = batch.at(-1) ?? last;
        yield { mails, cursor: { uid: last, validity } };
      }
    } finally {
      lock.release();
    }
  } finally {
    await client.logout().catch(() => client.close());
  }
}
