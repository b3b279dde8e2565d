import { job, z } from 'pergola';
import { overdueMail } from '../mails.ts';
import { Book } from '../models/book.ts';
import { Loan } from '../models/loan.ts';

/** Runs every morning and reminds each reader of an overdue book once. */
export const remind = job('library.remind', {
  input: z.object({}),
  label: 'Remind of books that are overdue',
  mails: true,
  cron: '0 6 * * *',
  run: async ({ ctx, write }) => {
    const loans = await ctx.model(Loan).find(
      [
        ['state', '=', 'lent'],
        ['due', '<', ctx.today()],
      ],
      { select: { due: true, book_id: true, partner_id: { name: true, email: true, lang: true } } },
    );
    for (const { id, due, book_id: book, partner_id: reader } of loans) {
      if (!book || !reader?.email) continue;
      const { name, email } = reader;
      // Emails use the language of the job by default; the title has to match.
      const lang = reader.lang ?? ctx.lang;
      const { name: title } = await ctx
        .as({ lang })
        .model(Book)
        .get(book, { select: { name: true } });
      // A renewed loan gets a new reminder.
      const key = `library.overdue.${id}.${due}`;
      const message = { to: { email, name, lang }, values: { name, title, due }, key };
      await write((writing) => writing.mail.send(overdueMail, message));
    }
  },
});
