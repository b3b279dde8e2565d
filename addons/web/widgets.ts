import { Company, User } from '@pergola/base';
import type { Ctx } from 'pergola';
import { holdsMails } from 'pergola/mail';
import { ownText } from 'pergola/pages';
import { firstStep, firstSteps as stepPoint, type WidgetContent, type WidgetLine, widget } from './points/widgets.ts';
import { listJobs } from './services/admin/jobs.ts';
import { listOutbox } from './services/admin/outbox.ts';
import { t } from './texts.ts';

const system = ['base.group_system'];

/** Dashboard widgets of addon web. */
export const widgets = [
  widget('web.first_steps', { label: 'First steps', icon: 'check-circle', groups: system, load: remainingSteps }),
  widget('web.trouble', { label: 'Emails and jobs', icon: 'envelope', groups: system, load: trouble }),
];

/** Returns the setup steps of a new site, done and open. The widget is obsolete once all are done. */
async function remainingSteps(ctx: Ctx): Promise<WidgetContent> {
  const userSteps = ctx.get(stepPoint).filter(({ groups = system }) => groups.some((group) => ctx.has(group)));
  const lines = await Promise.all(
    userSteps.map(
      async ({ addon, label, url, done }): Promise<WidgetLine> => ({
        label: ownText(ctx, addon, label),
        to: { url: typeof url === 'string' ? url : await url(ctx) },
        done: await done(ctx),
      }),
    ),
  );
  return { lines, over: lines.every(({ done }) => done) };
}

async function trouble(ctx: Ctx): Promise<WidgetContent> {
  const [{ states: mails }, { states: jobs }] = await Promise.all([
    listOutbox(ctx, { limit: 1 }),
    listJobs(ctx, { limit: 1 }),
  ]);
  const mailsIn = (state: string) => ({ url: `/web/settings/mails?state=${state}` });
  return {
    lines: [
      { label: t(ctx, 'Failed emails'), count: mails.failed, urgent: mails.failed > 0, to: mailsIn('failed') },
      { label: t(ctx, 'Emails held (no mail server)'), count: mails.kept, to: mailsIn('kept') },
      {
        label: t(ctx, 'Failed jobs'),
        count: jobs.dead,
        urgent: jobs.dead > 0,
        to: { url: '/web/settings/jobs?state=dead' },
      },
    ],
  };
}

export const firstSteps = [
  firstStep('web.step_company', {
    label: 'Add your company’s name, address and logo',
    url: async (ctx) => {
      const [company] = await ctx.model(Company).search([], { order: 'id', limit: 1 });
      return `/web/m/res.company${company ? `/${company}` : ''}?menu=web.menu_companies`;
    },
    done: async (ctx) =>
      (await ctx.model(Company).count([
        ['logo', '!=', null],
        ['email', '!=', null],
        ['street', '!=', null],
      ])) > 0,
  }),
  firstStep('web.step_mail', {
    label: 'Set up a mail server so the site can send emails',
    url: '/web/settings/mail-server',
    done: async (ctx) => !(await holdsMails(ctx)),
  }),
  firstStep('web.step_users', {
    label: 'Invite your team',
    url: '/web/m/res.users?menu=web.menu_users',
    groups: ['base.group_erp_manager'],
    done: async (ctx) => (await ctx.model(User).count([['group_ids.code', '=', 'base.group_user']], { most: 2 })) > 1,
  }),
];
