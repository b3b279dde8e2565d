import type { Wire } from 'pergola/browser';
import { callKw, createRecord } from '../lib/calls.ts';
import type * as thread from './thread.ts';
import type { ThreadOf } from './thread.ts';

export type ThreadView = Wire<thread.ThreadView>;
export type ShownMessage = ThreadView['messages'][number];
export type ShownChange = ThreadView['changes'][number];
export type { ShownFile, ThreadOf } from './thread.ts';

const MODEL = 'mail.message';

export function readThread(thread: ThreadOf, limit: number): Promise<ThreadView> {
  return callKw(MODEL, 'thread_read', [], { ...thread, limit });
}

export function postMessage(
  thread: ThreadOf,
  message: { body: string; internal: boolean; files: readonly number[]; emails: readonly string[] },
): Promise<number> {
  return callKw(MODEL, 'thread_post', [], {
    ...thread,
    body: message.body,
    internal: message.internal,
    attachment_ids: message.files,
    emails: message.emails,
  });
}

export function setFollowing(thread: ThreadOf, on: boolean, partners: readonly number[] = []): Promise<true> {
  return callKw(MODEL, 'thread_follow', [], { ...thread, on, partner_ids: partners });
}

export function restoreChange(thread: ThreadOf, change: number): Promise<true> {
  return callKw(MODEL, 'thread_restore', [], { ...thread, change });
}

/**
 * Uploads a file and attaches it to a record. Without a record, it stays unattached until its message is posted. Returns the attachment id.
 */
export function uploadFile(name: string, content: string, on: ThreadOf | null): Promise<number> {
  return createRecord('ir.attachment', {
    name,
    datas_fname: name,
    datas: content,
    ...(on ? { res_model: on.model, res_id: on.id } : {}),
  });
}

/** Converts plain text to HTML: blank lines separate paragraphs, line ends become breaks, and addresses become links. */
export function htmlOf(text: string): string {
  return text
    .trim()
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .map((part) => `<p>${part.split('\n').map(lineHtml).join('<br>')}</p>`)
    .join('');
}

function lineHtml(line: string): string {
  return line
    .split(/(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)])/)
    .map((piece, index) => {
      const safe = piece.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
      return index % 2 === 1 ? `<a href="${safe}">${safe}</a>` : safe;
    })
    .join('');
}
