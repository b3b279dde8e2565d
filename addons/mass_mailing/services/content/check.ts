import { type Ctx, InvalidInput, isEmailAddress } from '#core';
import { parseAddress } from '../address.ts';
import { compileProblems } from './merge.ts';

/** What of a mailing people write. */
export interface MailingContent {
  readonly email_from: string | null;
  readonly reply_to: string | null;
  readonly name: string;
  readonly preheader: string | null;
  readonly headline: string | null;
  readonly body_html: string | null;
  readonly button_url: string | null;
}

/** @throws InvalidInput beside the field that no mail can be made of */
export function checkContent(ctx: Ctx, row: MailingContent): void {
  for (const name of ['email_from', 'reply_to'] as const) {
    if (row[name] && !isEmailAddress(parseAddress(row[name]).email)) {
      throw notReady(name, ctx.t('This is not a valid e-mail address.'));
    }
  }
  for (const name of ['name', 'preheader', 'headline', 'body_html'] as const) {
    const unknown = compileProblems(row[name] ?? '');
    if (unknown) throw notReady(name, ctx.t('There is no merge field {field}.', { field: unknown }));
  }
  if (row.button_url && !/^(https?:\/\/[^\s"<>]+|\/[^\s"<>]*)$/.test(row.button_url)) {
    throw notReady('button_url', ctx.t('Give a web address, or a path of this site.'));
  }
}

/** What keeps a mailing from being saved or sent, beside its field. */
export function notReady(field: string, message: string): InvalidInput {
  return new InvalidInput(message, { code: 'mass_mailing.not_ready', fields: { [field]: message } });
}
