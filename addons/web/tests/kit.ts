import { Group, Partner, Passwords, User } from '@pergola/base';
import type { Id } from 'pergola';
import type { Client, TestApp } from 'pergola/testing';

export const PASSWORD = 'correct horse battery';

/** Creates an active user with the password {@link PASSWORD}. */
export async function makeUser(
  app: TestApp,
  login: string,
  about: { groups?: readonly string[]; lang?: string; verified?: boolean; password?: string | null } = {},
): Promise<Id> {
  const { groups = ['base.group_portal'], lang = null, verified = true, password = PASSWORD } = about;
  const hash = password === null ? null : await app.read((ctx) => ctx.get(Passwords).hash(password));
  return app.write(async (ctx) => {
    const rows = await ctx.model(Group).find([['code', 'in', groups]], { select: { code: true } });
    return ctx.model(User).create({
      login,
      partner_id: await ctx
        .model(Partner)
        .create({ name: `Name of ${login}`, email: login.includes('@') ? login : `${login}@example.com` }),
      group_ids: rows.map(({ id }) => id),
      password_hash: hash,
      email_verified: verified,
      lang,
    });
  });
}

/** Signs in like a browser and returns the response. */
export function signIn(client: Client, login: string, password = PASSWORD, redirect = '') {
  return client.form('/web/login', { login, password, redirect });
}

/** Id of the client's signed-in user, as reported to programs. */
export async function uidOf(client: Client): Promise<unknown> {
  return (await client.rpc<{ uid: unknown }>('/web/session/get_session_info')).uid;
}

/** Emails in the outbox, latest last. */
export async function mails(
  app: TestApp,
): Promise<{ name: string; email: string; subject: string; html: string; text: string }[]> {
  const { database } = app;
  const query = database.knex('core_outbox').select('name', 'email', 'subject', 'html', 'text').orderBy('id');
  const { rows } = await database.reader.query(query.toSQL().toNative());
  return rows as never;
}

/** Path of the first link in an email that starts with `start`. */
export function linkIn(html: string, start: string): string {
  const found = new RegExp(`href="[^"]*?(${start}[^"]*)"`).exec(html)?.[1];
  if (!found) throw new Error(`There is no link to ${start} in:\n${html}`);
  return found;
}
