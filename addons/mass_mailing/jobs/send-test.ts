import { randomUUID } from 'node:crypto';
import { job, z } from 'pergola';
import { MailCompiler, NotCompilable } from '../services/content/compile.ts';
import { createComposer } from '../services/content/compose.ts';
import { transportFor } from '../services/transport.ts';
import { t } from '../texts.ts';

/** Sends a test email to one address, in the language of the user. Its links lead to pages without effect. */
export const sendTest = job('mass_mailing.test', {
  mails: true,
  input: z.object({ mailing: z.number().int(), email: z.string(), lang: z.string() }),
  attempts: 4,
  run: async ({ ctx, input, write }) => {
    const { mailing, email, lang } = input;
    const mailingRow = await ctx
      .model('mail.mass_mailing')
      .first([['id', '=', mailing]], { select: { email_from: true, reply_to: true } });
    if (!mailingRow) return;
    try {
      const compiled = await ctx.get(MailCompiler).compile(mailing, [lang]);
      const composer = createComposer({
        config: ctx.config,
        mailing,
        compiled: Object.fromEntries(
          Object.entries(compiled).map(([code, mail]) => [
            code,
            { ...mail, subject: `[${t(ctx.as({ lang }), 'Test')}] ${mail.subject}` },
          ]),
        ),
        lists: { [lang]: await ctx.as({ lang }).model('mail.mass_mailing').listNames(mailing) },
        from: mailingRow.email_from,
        replyTo: mailingRow.reply_to,
        opens: false,
        bounceTo: '',
        files: await ctx.model('mail.mass_mailing').files(mailing),
      });
      const { transport } = await transportFor({ ctx, write });
      const mail = composer.mail({ id: 0, email, contact: { id: 0, name: null, lang } });
      await transport.send({ ...mail, messageId: `<test.${randomUUID()}@${new URL(ctx.config.baseUrl).hostname}>` });
    } catch (error) {
      const message = Error.isError(error) ? error.message : String(error);
      await write((writing) =>
        writing.model('mail.mass_mailing').write(mailing, { last_error: message.slice(0, 500) }),
      );
      if (!(error instanceof NotCompilable)) throw error;
    }
  },
});
