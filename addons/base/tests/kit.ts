import type { Ctx, Id } from 'pergola';
import { identityOf } from 'pergola';
import type { TestApp } from 'pergola/testing';
import { Group } from '../models/group.ts';
import { Partner } from '../models/partner.ts';
import { User } from '../models/user.ts';

/** Makes a user in these groups; its login is its name. */
export async function makeUser(app: TestApp, login: string, groups: readonly string[]): Promise<Id> {
  return app.write(async (ctx) => {
    const rows = await ctx.model(Group).find([['code', 'in', groups]], { select: { code: true } });
    return ctx.model(User).create({
      login,
      partner_id: await ctx
        .model(Partner)
        .create({ name: login, email: /\s/.test(login) ? null : `${login}@example.com` }),
      group_ids: rows.map(({ id }) => id),
    });
  });
}

/** The context as this user has it. */
export async function actingAs(ctx: Ctx, userId: Id): Promise<Ctx> {
  const user = await identityOf(ctx, userId);
  if (!user) throw new Error(`There is no active user ${userId}.`);
  return ctx.as({ user });
}
