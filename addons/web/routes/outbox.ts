import { redirect, route, z } from 'pergola';
import { outboxReader, publicMail, publicOutbox } from '../services/outbox-view.ts';

/** Target of “an email was sent” links: the backend's outbox for administrators, the emails themselves for people trying out the site. */
const outboxPage = route.page(
  '/web/outbox',
  { name: 'web.outbox', cache: false },
  async ({ ctx, request, render, url }) => {
    if ((await outboxReader(ctx, request)) === 'administrator') return redirect(url('/web/settings/mails'), 302);
    return render('web.outbox', { mails: await publicOutbox(ctx, request) });
  },
);

const mailPage = route.page(
  '/web/outbox/:id',
  { name: 'web.outbox_mail', cache: false, params: { id: z.coerce.number().int().positive() } },
  async ({ ctx, request, params, render }) =>
    render('web.outbox_mail', { mail: await publicMail(ctx, request, params.id) }),
);

export const outboxRoutes = [outboxPage, mailPage];
