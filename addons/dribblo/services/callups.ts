import { Partner } from '#addons/base';
import { Conflict, type Ctx, type Id, type Ids, NotFound } from '#core';
import { ConvocationLine } from '../models/club-convocation-line.ts';
import { Guardian } from '../models/club-guardian.ts';
import { Member } from '../models/club-member.ts';
import { type CallUpLink, readCallUpToken } from './callup-links.ts';
import { ageOn, FULL_NAME_AGE } from './names.ts';
import { clubZone } from './week.ts';

/** What the holder of a link learns: their own call-up. */
export async function callUpOf(ctx: Ctx, token: string) {
  const link = readCallUpToken(ctx, token);
  const line = link ? await readLine(ctx, link) : null;
  const call = line?.convocation_id;
  const match = call?.match_id;
  if (!link || !line || !call?.website_published || !match || !line.member_id) {
    throw new NotFound('This link is not good, or the call-up was taken back.', { code: 'dribblo.no_callup' });
  }
  // Whether it can still be answered, so that nobody answers for yesterday's match.
  const open = match.state === 'planned' && match.start_datetime > ctx.now();
  return { link, line, call, match, member: line.member_id, open };
}

/**
 * Keeps an answer that came by a link. The last answer counts.
 *
 * @throws Conflict once the match has begun or is off.
 */
export async function answerCallUp(ctx: Ctx, token: string, answer: 'yes' | 'no', comment: string): Promise<void> {
  const { link, open } = await callUpOf(ctx, token);
  if (!open) throw new Conflict('This match can no longer be answered for.', { code: 'dribblo.callup_over' });
  await ctx.lock(ConvocationLine, [link.line]);
  // The link is the right to answer: whoever holds it need not have an account.
  await ctx
    .sudo()
    .model(ConvocationLine)
    .write(link.line, {
      answer,
      comment: comment.trim() || null,
      answered_date: new Date(ctx.now().getTime()),
      answered_by_id: link.partner,
    });
}

/** A line with what its link shows; null when the contact has nothing to do with the member any more. */
async function readLine(ctx: Ctx, { line, partner }: CallUpLink) {
  const row = await ctx
    .sudo()
    .model(ConvocationLine)
    .first([['id', '=', line]], {
      select: {
        answer: true,
        comment: true,
        member_id: { name: true, partner_id: true },
        convocation_id: {
          website_published: true,
          meeting_datetime: true,
          meeting_place: true,
          note: true,
          team_id: { name: true },
          match_id: { start_datetime: true, state: true, mnbr: true },
        },
      },
    });
  if (!row?.member_id) return null;
  if (row.member_id.partner_id === partner) return row;
  const guards = await ctx
    .sudo()
    .model(Guardian)
    .count([
      ['member_id', '=', row.member_id.id],
      ['partner_id', '=', partner],
    ]);
  return guards > 0 ? row : null;
}

/** Somebody who gets the mail of a call-up. */
export interface CalledContact {
  readonly line: Id;
  readonly partner: Id;
  readonly email: string;
  readonly name: string;
  readonly lang: string | null;
  /** Who is called up. */
  readonly member: string;
  /** Whether it is the member themself, or somebody who answers for a child. */
  readonly isGuardian: boolean;
}

/**
 * Who gets mail for some lines: the members themselves, and for those under 16 their guardians instead. Lines without anybody who has an address
 * are left out.
 */
export async function contactsFor(ctx: Ctx, lines: Ids): Promise<CalledContact[]> {
  const today = ctx.today(await clubZone(ctx));
  const rows = await ctx.model(ConvocationLine).read(lines, { select: { member_id: true } });
  const members = await ctx.model(Member).read(
    rows.map(({ member_id }) => member_id),
    { select: { name: true, partner_id: true, birth_date: true, guardian_ids: { partner_id: true } } },
  );
  const wanted = rows.flatMap(({ id, member_id }) => {
    const member = members.find((one) => one.id === member_id);
    if (!member) return [];
    const isChild = member.guardian_ids.length > 0 && isYoung(member.birth_date, today);
    const partners = isChild ? member.guardian_ids.map(({ partner_id }) => partner_id) : [member.partner_id];
    return partners.map((partner) => ({ line: id, partner, member: member.name ?? '', isGuardian: isChild }));
  });
  const partners = await ctx.model(Partner).read([...new Set(wanted.map(({ partner }) => partner))], {
    select: { name: true, email: true, lang: true },
  });
  return wanted.flatMap((one) => {
    const contact = partners.find(({ id }) => id === one.partner);
    return contact?.email ? [{ ...one, email: contact.email, name: contact.name, lang: contact.lang }] : [];
  });
}

/** Who has guardians and an unknown age is a child as well. */
function isYoung(birthDate: string | null, today: string): boolean {
  return birthDate === null || ageOn(birthDate, today) < FULL_NAME_AGE;
}
