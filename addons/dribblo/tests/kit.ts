import { Group, Partner, User } from '@pergola/base';
import type { Ctx, FieldsOf, Id, Values } from 'pergola';
import { type Client, createTestApp, type TestApp, type TestDialect } from 'pergola/testing';
import { Category } from '../models/club-category.ts';
import { Convocation } from '../models/club-convocation.ts';
import { Match } from '../models/club-match.ts';
import { Member } from '../models/club-member.ts';
import { Team } from '../models/club-team.ts';
import { Wall } from '../models/club-wall.ts';

const DAY = 24 * 3600_000;

/** Noon UTC so many days from today. */
export function noon(days: number): Date {
  return new Date(Math.floor(Date.now() / DAY) * DAY + days * DAY + DAY / 2);
}

/** A user in some groups. */
export async function makeUser(app: TestApp, login: string, groups: readonly string[]): Promise<Id> {
  return app.write(async (ctx) => {
    const ids = await ctx.model(Group).search([['code', 'in', groups]]);
    const partner_id = await ctx.model(Partner).create({ name: `Name of ${login}`, email: `${login}@example.com` });
    return ctx.model(User).create({ login, partner_id, group_ids: ids });
  });
}

/** A published team of ours, or one of another club. */
function makeTeam(ctx: Ctx, name: string, more: Values<FieldsOf<Team>> = {}): Promise<Id> {
  return ctx.model(Team).create({ name, is_ours: true, website_published: true, ...more });
}

export async function makeMember(
  ctx: Ctx,
  name: string,
  more: Values<FieldsOf<Member>> = {},
  email?: string,
): Promise<Id> {
  const partner_id = await ctx.model(Partner).create({ name, ...(email ? { email } : {}) });
  return ctx.model(Member).create({ partner_id, ...more });
}

/** A small club: two teams of ours, two others, adults and children. */
export async function makeClub(app: TestApp) {
  return app.write(async (ctx) => {
    const seniors = await ctx.model(Category).create({ name: 'Adults', sequence: 90 });
    const youth = await ctx.model(Category).create({ name: 'U13 test', age_limit: 13 });
    const ours = await makeTeam(ctx, 'Val-Fleuri 1', { category_id: seniors });
    const young = await makeTeam(ctx, 'Val-Fleuri U13', { category_id: youth, sequence: 20 });
    const red = await makeTeam(ctx, 'Red Star', { is_ours: false });
    const blue = await makeTeam(ctx, 'Blue Moon', { is_ours: false, website_published: false });
    return { seniors, youth, ours, young, red, blue };
  });
}

export type Club = Awaited<ReturnType<typeof makeClub>>;

/** An application with a small club, its manager, somebody who enters results, and somebody who may neither (`worker`). */
export async function startClub(database: TestDialect) {
  const app = await createTestApp({ addons: ['dribblo'], database });
  const club = await makeClub(app);
  await makeUser(app, 'boss', ['dribblo.group_club_manager', 'base.group_user']);
  await makeUser(app, 'keeper', ['base.group_portal', 'dribblo.group_score_keeper']);
  await makeUser(app, 'worker', ['base.group_user']);
  return { app, club, manager: await app.as('boss'), keeper: await app.as('keeper') };
}

/** What a call or write was refused with; `no refusal` when it was not. */
export function refusalOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no refusal',
    (error: unknown) => String(error),
  );
}

/** A method of a model as clients call it. */
export function kw(client: Client, model: string, method: string, args: unknown[], kwargs: object = {}) {
  return client.rpc('/web/dataset/call_kw', { model, method, args, kwargs });
}

export function makeMatch(ctx: Ctx, receiver_id: Id, visitor_id: Id, more: Values<FieldsOf<Match>> = {}): Promise<Id> {
  return ctx.model(Match).create({ receiver_id, visitor_id, start_datetime: noon(0), ...more });
}

export function makeCallUp(ctx: Ctx, match_id: Id, team_id: Id, members: readonly Id[], published = true): Promise<Id> {
  return ctx.model(Convocation).create({
    match_id,
    team_id,
    website_published: published,
    line_ids: members.map((member_id) => ({ create: { member_id } })),
  });
}

export function makeWall(app: TestApp, more: Values<FieldsOf<Wall>> = {}): Promise<Id> {
  return app.write((ctx) => ctx.model(Wall).create({ name: 'The wall', website_published: true, ...more }));
}

/** Mails in the outbox, the latest last. */
export async function mails(app: TestApp): Promise<{ name: string; email: string; subject: string; html: string }[]> {
  const { database } = app;
  const query = database.knex('core_outbox').select('name', 'email', 'subject', 'html').orderBy('id');
  return (await database.reader.query(query.toSQL().toNative())).rows as never;
}
