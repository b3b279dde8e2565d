import type { Ctx } from 'pergola';
import { t } from '../texts.ts';
import { eventSeo, frameOf, type ShownEvent } from './frame.ts';

/** The ticket page; `more` adds notes above the tickets. */
export async function registerPage(
  ctx: Ctx,
  event: ShownEvent,
  more: { message?: string; done?: boolean; good?: boolean } = {},
) {
  const frame = await frameOf(ctx, event, 'register');
  return { ...frame, title: event.name, whole: !event.show_menu, seo: await eventSeo(ctx, frame), ...more };
}

/** Notes shown to visitors after submitting a form. */
export function notes(ctx: Ctx): Readonly<Record<'waiting' | 'none', string>> {
  return {
    waiting: t(ctx, 'You’re on the waiting list. You’ll get an email about it.'),
    none: t(ctx, 'Choose how many tickets you would like.'),
  };
}
