import type { Ctx, Id } from 'pergola';
import type { ReceivedMail, TestApp } from 'pergola/testing';
import { Contact } from '../models/contact.ts';
import { MailingList } from '../models/list.ts';
import { Mailing } from '../models/mailing.ts';

/** A list with these people on it. */
export async function makeList(app: TestApp, name: string, emails: readonly string[] = []): Promise<Id> {
  return app.write(async (ctx: Ctx) => {
    const list = await ctx.model(MailingList).create({ name });
    for (let at = 0; at < emails.length; at += 1_000) {
      const people = emails.slice(at, at + 1_000).map((email) => ({ email, name: nameOf(email) }));
      await ctx.model(Contact).subscribeAll(list, people, 'staff');
    }
    return list;
  });
}

function nameOf(email: string): string {
  const [name = ''] = email.split('@');
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} Doe`;
}

/** A mailing that could be sent. */
export async function makeMailing(app: TestApp, lists: readonly Id[], values: object = {}): Promise<Id> {
  return app.write((ctx) =>
    ctx.model(Mailing).create({
      name: 'News for {{first_name|you}}',
      headline: 'What is new',
      body_html: '<p>Dear {{name|reader}}, see <a href="https://example.org/a?b=1&c=2">what is new</a>.</p>',
      contact_list_ids: [...lists],
      ...values,
    }),
  );
}

/** Sends it, and answers when nothing is left to do. */
export async function sendAll(app: TestApp, mailing: Id): Promise<void> {
  await app.write((ctx) => ctx.model(Mailing).send_mail([mailing]));
  await app.runJobs();
}

export const addresses = (mails: readonly ReceivedMail[]): string[] =>
  mails.flatMap(({ envelopeTo }) => envelopeTo).sort();

/** A link of a mail to a page of ours, as a path. */
export function linkIn(mail: ReceivedMail | undefined, part: string): string {
  return new RegExp(`href="https?://[^"/]+(/mass_mailing/${part}/[^"]+)"`).exec(mail?.html ?? '')?.[1] ?? '';
}

export function header(mail: ReceivedMail | undefined, name: string): string | undefined {
  return mail?.headers.find(({ key }) => key === name.toLowerCase())?.value;
}
