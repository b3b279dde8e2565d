import { definePart, partConfig } from '@pergola/core';
import { changesOf, database, dbPart } from '@pergola/db';
import { filesPart } from '@pergola/files';
import { job, jobsPart } from '@pergola/jobs';
import { pagesPart } from '@pergola/pages';
import { settingsPart } from '@pergola/settings';
import { z } from 'zod';
import { type MailHealth, mailBacklog } from './health.ts';
import { createMailQueue } from './outbox.ts';
import { mails, outboxGuards, outboxListeners } from './point.ts';
import { releaseMails, sendMail } from './sender.ts';
import { mailServerSetting } from './server.ts';
import { tables } from './tables.ts';

/** How long the outbox keeps emails after handing them over, in ms. */
const KEPT_MS = 90 * 86_400_000;

/** Emails from templates, sent from an outbox. */
export const mailPart = definePart({
  name: 'mail',
  config: partConfig(
    {
      SMTP_URL: z
        .string()
        .regex(/^smtps?:\/\//, 'must be smtp://… or smtps://…')
        .optional()
        .describe('Mail server; without one mails are kept'),
      MAIL_FROM: z.string().optional().describe('Sender of mails; default noreply@ the host of BASE_URL'),
    },
    ({ SMTP_URL, MAIL_FROM }, { baseUrl }) => ({
      smtpUrl: SMTP_URL ?? null,
      mailFrom: MAIL_FROM ?? `noreply@${new URL(baseUrl).hostname}`,
    }),
  ),
  needs: [dbPart, filesPart, jobsPart, pagesPart, settingsPart],
  points: [mails, outboxListeners, outboxGuards],
  tables,
  clockStamps: [{ table: 'core_outbox', stamp: 'create_date', columns: ['create_date', 'sent_date'] }],
  context: { mail: createMailQueue },
  settings: [mailServerSetting],
  health: async ({ get }) => ({ mail: await mailBacklog(get(database)) }),
  jobs: ({ get }) => [
    sendMail,
    releaseMails,
    job('core.sweep_outbox', {
      input: z.object({}),
      cron: '20 3 * * *',
      run: async () => {
        const { knex, codec } = get(database);
        const old = knex('core_outbox')
          .where('create_date', '<', codec.encode('datetime', new Date(Date.now() - KEPT_MS)) as number)
          // Discussions count an email missing from the outbox as handed over, so emails about records stay until they are.
          .andWhere((ended) =>
            ended
              .where({ state: 'sent' })
              .orWhere((ended) => ended.whereIn('state', ['kept', 'delivered', 'withdrawn']).whereNull('res_model')),
          )
          .delete();
        await get(database).write((transaction) => changesOf(transaction, old), { label: 'sweep outbox' });
      },
    }),
  ],
});

declare module '@pergola/core/config' {
  interface Config {
    /** Null if emails are held. */
    readonly smtpUrl: string | null;
    readonly mailFrom: string;
  }
}

declare module '@pergola/core/part' {
  interface Health {
    readonly mail?: MailHealth;
  }
}
