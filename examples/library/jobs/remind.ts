import { job, z } from 'pergola';
import { overdueMail } from '../mails.ts';
import { Book } from '../models/book.ts';
import { Loan } from '../models/loan.ts';

/** Every morning: writes once to each reader who has kept a book too long. */
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
      // A mail is in the language of the job unless it says another; so is the title.
      const lang = reader.lang ?? ctx.lang;
      const { name: title } = await ctx
        .as({ lang })
        .model(Book)
        .get(book, { select: { name: true } });
      // A loan that was prolonged is a new matter.
      const key = `library.overdue.${id}.${due}`;
      const message = { to: { email, name, lang }, values: { name, title, due }, key };
      await write((writing) => writing.mail.send(overdueMail, message));
    }
  },
});
