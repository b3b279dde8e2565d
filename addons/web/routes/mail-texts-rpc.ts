import { type Ctx, route, z } from 'pergola';
import { addonManager } from 'pergola/kernel';
import { changeMailText, listMailTexts, mailText, previewMailText, resetMailText } from 'pergola/mail';
import { ownText } from 'pergola/pages';
import { inFrame } from '../services/outbox-view.ts';

const admin = { auth: 'user', groups: ['base.group_system'] } as const;
const textKey = { name: z.string().min(3).max(100), lang: z.string().max(10) };
const textFields = { subject: z.string().trim().min(1).max(250), body: z.string().min(1).max(50_000) };

const list = route.rpc(
  '/web/backend/mail-texts',
  { ...admin, name: 'web.backend_mail_texts', input: z.object({}) },
  async ({ ctx }) => {
    const titles = await addonTitles(ctx);
    const mails = await listMailTexts(ctx);
    return mails.map((mail) => ({ ...mail, addonTitle: titles.get(mail.addon) ?? mail.addon }));
  },
);

async function addonTitles(ctx: Ctx): Promise<ReadonlyMap<string, string>> {
  return new Map((await addonManager(ctx).list()).map(({ name, title }) => [name, ownText(ctx, name, title)]));
}

const getMailText = route.rpc(
  '/web/backend/mail-texts/one',
  { ...admin, name: 'web.backend_mail_text', input: z.object(textKey) },
  ({ ctx, input }) => mailText(ctx, input.name, input.lang),
);

const preview = route.rpc(
  '/web/backend/mail-texts/preview',
  { ...admin, name: 'web.backend_mail_text_preview', input: z.object({ ...textKey, ...textFields }) },
  async ({ ctx, input: { name, lang, ...words } }) => {
    const preview = await previewMailText(ctx, name, lang, words);
    return { ...preview, html: inFrame(preview.html) };
  },
);

const change = route.rpc(
  '/web/backend/mail-texts/change',
  { ...admin, name: 'web.backend_mail_text_change', writes: true, input: z.object({ ...textKey, ...textFields }) },
  async ({ ctx, input: { name, lang, ...words } }) => {
    await changeMailText(ctx, name, lang, words);
    return mailText(ctx, name, lang);
  },
);

const reset = route.rpc(
  '/web/backend/mail-texts/reset',
  { ...admin, name: 'web.backend_mail_text_reset', writes: true, input: z.object(textKey) },
  async ({ ctx, input: { name, lang } }) => {
    await resetMailText(ctx, name, lang);
    return mailText(ctx, name, lang);
  },
);

export const mailTextRoutes = [list, getMailText, preview, change, reset] as const;
