import { type Ctx, type Id, job, TooMany, z } from '#core';
import { callUpMail } from '../mails.ts';
import { Convocation } from '../models/club-convocation.ts';
import { ConvocationLine } from '../models/club-convocation-line.ts';
import { callUpToken } from '../services/callup-links.ts';
import { type CalledContact, contactsFor } from '../services/callups.ts';
import { clubZone } from '../services/week.ts';

/** Lines whose mails go out in one transaction. */
const PORTION = 10;

/** Sends the mails of a call-up, ten at a time. A line whose mail is out is noted, so that a second run goes on where the first one ended. */
export const sendCallUps = job('dribblo.send_callups', {
  input: z.object({ convocation: z.number().int(), lines: z.array(z.number().int()), round: z.string() }),
  run: async ({ input, write }) => {
    for (let from = 0; from < input.lines.length; from += PORTION) {
      const portion = input.lines.slice(from, from + PORTION);
      await write(async (ctx) => {
        for (const contact of await contactsFor(ctx, portion)) {
          // Place and note are written in the reader's language, like the mail around them.
          const about = await aboutOf(contact.lang ? ctx.as({ lang: contact.lang }) : ctx, input.convocation);
          if (about) await sendOne(ctx, about, contact, input.round);
        }
      });
    }
  },
});

type About = NonNullable<Awaited<ReturnType<typeof aboutOf>>>;

async function aboutOf(ctx: Ctx, id: Id) {
  const row = await ctx.model(Convocation).first([['id', '=', id]], {
    select: {
      meeting_datetime: true,
      meeting_place: true,
      note: true,
      team_id: { name: true },
      match_id: { display_name: true, start_datetime: true, venue_id: { name: true } },
    },
  });
  return row?.match_id ? { ...row, match: row.match_id, timezone: await clubZone(ctx) } : null;
}

async function sendOne(ctx: Ctx, about: About, contact: CalledContact, round: string): Promise<void> {
  try {
    await ctx.mail.send(callUpMail, {
      to: { email: contact.email, name: contact.name, ...(contact.lang ? { lang: contact.lang } : {}) },
      values: {
        title: about.match.display_name,
        name: contact.name,
        member: contact.member,
        isGuardian: contact.isGuardian,
        team: about.team_id?.name ?? '',
        start: about.match.start_datetime,
        timezone: about.timezone,
        venue: about.match.venue_id?.name ?? '',
        meeting: about.meeting_datetime,
        place: about.meeting_place ?? '',
        note: about.note ?? '',
        path: `/convocations/answer/${callUpToken(ctx, contact)}`,
      },
      // Once for each contact and round, whatever becomes of the job.
      key: `callup-${contact.line}-${contact.partner}-${round}`,
    });
  } catch (error) {
    if (!(error instanceof TooMany)) throw error;
    ctx.log.warn({ line: contact.line }, 'A call-up was not mailed: the address had too many already');
    return;
  }
  await ctx.model(ConvocationLine).write(contact.line, { mail_date: new Date(ctx.now().getTime()) });
}
