import { callKw, createRecord } from '../lib/calls.ts';

/** A file on a record or message. */
export interface ShownFile {
  readonly id: number;
  readonly name: string;
  readonly mimetype: string | null;
  readonly size: number;
}

/** Something said on a record; moments are UTC as the wire has them. */
export interface ShownMessage {
  readonly id: number;
  readonly date: string;
  readonly author: string | null;
  readonly authorId: number | null;
  readonly mine: boolean;
  readonly subject: string | null;
  readonly body: string;
  readonly internal: boolean;
  readonly type: string;
  readonly files: readonly ShownFile[];
}

/** A change of a tracked field. */
export interface ShownChange {
  readonly id: number;
  readonly date: string;
  readonly by: string | null;
  readonly field: string;
  readonly label: string;
  readonly type: string;
  readonly before: string;
  readonly after: string;
  readonly restorable: boolean;
}

/** All that stands beside a record. */
export interface ThreadView {
  readonly messages: readonly ShownMessage[];
  readonly messageCount: number;
  readonly changes: readonly ShownChange[];
  readonly files: readonly ShownFile[];
  readonly followers: readonly { readonly partnerId: number; readonly name: string; readonly me: boolean }[];
  readonly following: boolean;
  readonly may: { readonly write: boolean };
}

/** Which record it is about. */
export interface ThreadOf {
  readonly model: string;
  readonly id: number;
}

const MODEL = 'mail.message';

export function readThread(about: ThreadOf, limit: number): Promise<ThreadView> {
  return callKw(MODEL, 'thread_read', [], { ...about, limit });
}

export function postMessage(
  about: ThreadOf,
  saying: { body: string; internal: boolean; files: readonly number[] },
): Promise<number> {
  return callKw(MODEL, 'thread_post', [], {
    ...about,
    body: saying.body,
    internal: saying.internal,
    attachment_ids: saying.files,
  });
}

export function setFollowing(about: ThreadOf, on: boolean, partners: readonly number[] = []): Promise<true> {
  return callKw(MODEL, 'thread_follow', [], { ...about, on, partner_ids: partners });
}

export function restoreChange(about: ThreadOf, change: number): Promise<true> {
  return callKw(MODEL, 'thread_restore', [], { ...about, change });
}

/** Puts a file on a record, or leaves it loose for the message it goes with. Answers its id. */
export function uploadFile(name: string, content: string, on: ThreadOf | null): Promise<number> {
  return createRecord('ir.attachment', {
    name,
    datas_fname: name,
    datas: content,
    ...(on ? { res_model: on.model, res_id: on.id } : {}),
  });
}

/** Plain text as HTML: paragraphs where lines are left out, breaks where they end, addresses as links. */
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
