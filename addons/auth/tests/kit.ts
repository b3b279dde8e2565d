import { Group, Partner, Passwords, User } from '@pergola/base';
import type { Id } from 'pergola';
import type { Client, TestApp } from 'pergola/testing';

export const PASSWORD = 'correct horse battery';

/** Makes an active user whose password is {@link PASSWORD}. */
export async function makeUser(
  app: TestApp,
  login: string,
  groups: readonly string[] = ['base.group_user'],
): Promise<Id> {
  const password_hash = await app.read((ctx) => ctx.get(Passwords).hash(PASSWORD));
  return app.write(async (ctx) =>
    ctx.model(User).create({
      login,
      partner_id: await ctx.model(Partner).create({ name: `Name of ${login}`, email: `${login}@example.com` }),
      group_ids: await ctx.model(Group).search([['code', 'in', [...groups]]]),
      password_hash,
      email_verified: true,
    }),
  );
}

/** Signs in with the password, as a browser does; answers the answer. */
export function signIn(client: Client, login: string, redirect = '') {
  return client.form('/web/login', { login, password: PASSWORD, redirect });
}

/** Whether the client is signed in, as a program learns it. */
export async function uidOf(client: Client): Promise<unknown> {
  return (await client.rpc<{ uid: unknown }>('/web/session/get_session_info')).uid;
}

/** Subjects and texts of the mails in the outbox, the latest last. */
export async function mails(app: TestApp): Promise<readonly { email: string; name: string; text: string }[]> {
  const { database } = app;
  const query = database.knex('core_outbox').select('email', 'name', 'text').orderBy('id');
  return (await database.reader.query(query.toSQL().toNative())).rows as never;
}

/** Makes a token as its owner does on the page; answers it. */
export async function makeToken(
  client: Client,
  about: { name?: string; kind?: string; rights?: readonly string[]; days?: string },
): Promise<string> {
  const { name = 'robot', kind = 'some', rights = [], days = '30' } = about;
  const { text } = await client.form('/web/account/tokens/new', { name, kind, rights, days });
  const token = /value="(pgt_[\w-]{43})"/.exec(text)?.[1];
  if (!token) throw new Error(`No token was made:\n${text.replaceAll(/<[^>]+>|\s+/g, ' ')}`);
  client.secrets.add(token);
  return token;
}
