import type { Ctx } from 'pergola';
import { t } from '../texts.ts';
import { eventSeo, frameOf, type ShownEvent } from './frame.ts';

/** The page with the tickets; `more` is told above them. */
export async function registerPage(
  ctx: Ctx,
  event: ShownEvent,
  more: { message?: string; done?: boolean; good?: boolean } = {},
) {
  const frame = await frameOf(ctx, event, 'register');
  return { ...frame, title: event.name, whole: !event.show_menu, seo: await eventSeo(ctx, frame), ...more };
}

/** What a visitor is told who comes back from a form. */
export function notes(ctx: Ctx): Readonly<Record<'waiting' | 'none', string>> {
  return {
    waiting: t(ctx, 'You’re on the waiting list. You’ll get an email about it.'),
    none: t(ctx, 'Choose how many tickets you would like.'),
  };
}
