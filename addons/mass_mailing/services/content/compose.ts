import type { Id } from 'pergola';
import type { Config } from 'pergola/kernel';
import { firstName } from 'pergola/kernel';
import { displayName, type OutgoingMail, type Recipient } from 'pergola/mail';
import { parseAddress } from '../address.ts';
import { mailToken, shortSignature } from '../links.ts';
import { type Compiled, type MergeValues, prepareMerge } from './merge.ts';

/** Recipient of an email. */
interface Addressee {
  /** ID of the recipient row. */
  readonly id: Id;
  readonly email: string;
  readonly contact: { readonly id: Id; readonly name: string | null; readonly lang: string | null };
  /** The recipient's lists; defaults to all lists of the mailing. */
  readonly lists?: readonly Id[];
}

/** Composes the emails of one mailing. */
export interface Composer {
  mail(recipient: Addressee): OutgoingMail;
}

/** Data shared by all emails of a mailing. */
export interface ComposerOptions {
  readonly config: Pick<Config, 'baseUrl' | 'sessionSecret' | 'mailFrom'>;
  readonly mailing: Id;
  readonly compiled: Readonly<Record<string, Compiled>>;
  /** Names of the mailing's lists, by language and ID. */
  readonly lists: Readonly<Record<string, ReadonlyMap<Id, string>>>;
  readonly from: string | null;
  readonly replyTo: string | null;
  /** Whether to track opens with an invisible image. */
  readonly opens: boolean;
  /** Bounce address such as `bounces@example.org`, extended with a signature per email; empty for the sender's address. */
  readonly bounceTo: string;
  /** Attachments of every email. */
  readonly files?: OutgoingMail['attachments'];
}

/** Prepares the texts once for all recipients of a mailing. */
export function createComposer(options: ComposerOptions): Composer {
  const { config, mailing, compiled, lists } = options;
  const { baseUrl, sessionSecret: secret } = config;
  const host = new URL(baseUrl).hostname;
  const texts = new Map(
    Object.entries(compiled).map(([lang, { subject, html, text }]) => [
      lang,
      {
        subject: prepareMerge(subject, 'header'),
        html: prepareMerge(options.opens ? withPixel(html) : html, 'html'),
        text: prepareMerge(text, 'text'),
      },
    ]),
  );
  const [fallback = 'en_US'] = texts.keys();
  const from = recipient(options.from);
  const replyTo = recipient(options.replyTo);
  const trackers = [...new Set(Object.values(compiled).flatMap(({ html }) => html.match(/\{\{link_\d+\}\}/g) ?? []))];
  const linkIds = trackers.map((field) => field.slice('{{link_'.length, -2));

  return {
    mail({ id, email, contact, lists: recipientLists }) {
      const lang = contact.lang && texts.has(contact.lang) ? contact.lang : fallback;
      const text = texts.get(lang);
      if (!text) throw new Error(`Mailing ${mailing} is in no language.`);
      const token = mailToken({ config: { sessionSecret: secret } as Config }, { contact: contact.id, mailing });
      const name = contact.name?.trim() ?? '';
      const unsubscribe = `${baseUrl}/mass_mailing/unsubscribe/${token}`;
      const values: MergeValues = {
        name,
        first_name: firstName(name),
        email,
        lists: namesOf(lists[lang], recipientLists),
        unsubscribe_url: unsubscribe,
        preferences_url: `${baseUrl}/mass_mailing/preferences/${token}`,
        view_url: `${baseUrl}/mass_mailing/view/${token}`,
        ...(options.opens
          ? { open_url: `${baseUrl}/mass_mailing/open/${id}.${shortSignature(secret, 'open', `${id}`)}.gif` }
          : {}),
        ...Object.fromEntries(
          linkIds.map((link) => [
            `link_${link}`,
            `${baseUrl}/mass_mailing/click/${id}.${link}.${shortSignature(secret, 'click', `${id}.${link}`)}`,
          ]),
        ),
      };
      return {
        messageId: messageId(secret, id, host),
        to: { email, name: displayName(name) },
        from,
        replyTo,
        bounceTo: bouncePath(secret, options.bounceTo, id),
        subject: text.subject(values).slice(0, 250) || host,
        html: text.html(values),
        text: text.text(values),
        attachments: options.files,
        headers: {
          'List-Unsubscribe': `<${unsubscribe}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          'List-Id': `<mailing-${mailing}.${host}>`,
          Precedence: 'bulk',
        },
      };
    },
  };
}

function namesOf(names: ReadonlyMap<Id, string> | undefined, listIds: readonly Id[] | undefined): string {
  return [...(names ?? [])]
    .filter(([id]) => listIds?.includes(id) ?? true)
    .map(([, name]) => name)
    .join(', ');
}

/** Message-ID for a recipient: stable across attempts, and signed to verify bounces. */
function messageId(secret: string, id: Id, host: string): string {
  return `<mm.${id}.${shortSignature(secret, 'message', String(id))}@${host}>`;
}

function bouncePath(secret: string, address: string, id: Id): string | undefined {
  const atIndex = address.lastIndexOf('@');
  if (atIndex < 1) return undefined;
  return `${address.slice(0, atIndex)}+${id}-${shortSignature(secret, 'message', String(id))}${address.slice(atIndex)}`;
}

function recipient(text: string | null): Recipient | undefined {
  if (!text) return undefined;
  const { email, name } = parseAddress(text);
  return { email, name };
}

function withPixel(html: string): string {
  const pixel = '<img src="{{open_url}}" width="1" height="1" alt="" style="display:block">';
  return html.replace('</body>', () => `${pixel}</body>`);
}

const LINK = /(<a\s[^>]*?href=")(https?:\/\/[^"{}]*)(")/g;

/** Collects the web URLs in an email for counting clicks; URLs with merge fields are linked directly. */
export function linksOf(compiled: Readonly<Record<string, Compiled>>): string[] {
  const urls = Object.values(compiled).flatMap(({ html }) =>
    [...html.matchAll(LINK)].map(([, , url = '']) => plain(url)),
  );
  return [...new Set(urls)].filter((url) => URL.canParse(url)).slice(0, 200);
}

/** Replaces these links with tracking links. */
export function withLinks(
  compiled: Readonly<Record<string, Compiled>>,
  ids: ReadonlyMap<string, Id>,
): Readonly<Record<string, Compiled>> {
  const replace = (html: string): string =>
    html.replace(LINK, (match, before: string, url: string, after: string) => {
      const id = ids.get(plain(url));
      return id === undefined ? match : `${before}{{link_${id}}}${after}`;
    });
  return Object.fromEntries(
    Object.entries(compiled).map(([lang, mail]) => [lang, { ...mail, html: replace(mail.html) }]),
  );
}

/** Decodes a URL from HTML. */
function plain(url: string): string {
  return url.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}
