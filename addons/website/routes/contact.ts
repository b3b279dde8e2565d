import { Company } from '@pergola/base';
import { isEmailAddress, type Reply, readableAddress, redirect, route, z } from 'pergola';
import { isHuman } from '../blocks/contact-form.ts';
import { contactMail } from '../mails.ts';
import { currentWebsite } from '../services/current-website.ts';
import { t } from '../texts.ts';
import { pageAgain } from './page-again.ts';

const contactForm = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Enter your name.')
    .max(120, 'This text is too long. Shorten it.')
    .regex(/^[^\p{Cc}]*$/u, 'Enter a valid name.'),
  email: z.string().trim().refine(isEmailAddress, 'Enter an email address we can reply to.').transform(readableAddress),
  phone: z
    .string()
    .trim()
    .max(64, 'This text is too long. Shorten it.')
    .regex(/^[^\p{Cc}]*$/u, 'Enter a valid phone number.')
    .optional()
    .default(''),
  subject: z
    .string()
    .trim()
    .min(1, 'Enter a subject.')
    .max(120, 'This text is too long. Shorten it.')
    .regex(/^[^\p{Cc}]*$/u, 'Enter a valid subject.'),
  message: z.string().trim().min(1, 'Enter your message.').max(10_000, 'This text is too long. Shorten it.'),
  // Honeypot: hidden from people, but filled in by bots.
  homepage: z.string().optional().default(''),
  stamp: z.string().max(200).optional().default(''),
});

/** Contact form on its own page; also shows an invalid submission again. */
export const contactPage = route.page('/website/contact', { name: 'website.contact' }, ({ render }) =>
  render('website.contact_page', { values: {}, errors: {} }),
);

/** Emails the message to the company, with the visitor as reply-to. */
export const sendContact = route.form(
  '/website/contact',
  {
    name: 'website.send_contact',
    writes: true,
    body: contactForm,
    rate: [
      { calls: 10, seconds: 600 },
      { calls: 200, seconds: 3600, by: () => 'all', name: 'website.contact_all' },
    ],
    invalid: (input) => showAgain(input, { values: input.values, errors: input.errors }, 422),
  },
  async (input) => {
    const { ctx, body, url } = input;
    const confirmation = redirect(url('/website/contact/sent'));
    if (body.homepage !== '') return confirmation;
    if (!isHuman(ctx, body.stamp)) {
      const message = t(ctx, 'The form was open too long or sent too quickly. Send it again.');
      return showAgain(input, { values: body, message }, 422);
    }
    const site = await currentWebsite(ctx);
    // The company's address is public; visitors have no other rights on its record.
    const system = ctx.sudo();
    const company = await system
      .model(Company)
      .get(site?.companyId ?? (await system.ref('base.main_company')), { select: { name: true, email: true } });
    if (!company.email) {
      ctx.log.error({ company: company.id }, 'A message could not be sent: the company has no e-mail address');
      const message = t(ctx, 'We can’t receive messages right now. Call us, or try again later.');
      return showAgain(input, { values: body, message }, 503);
    }
    const { name, email, phone, subject, message } = body;
    await ctx.mail.send(contactMail, {
      to: { email: company.email, name: company.name, ...(site ? { lang: site.defaultLang } : {}) },
      replyTo: { email, name },
      values: { name, email, phone, subject, lines: message.split(/\r?\n/), site: site?.name ?? company.name },
    });
    return confirmation;
  },
);

interface FormState {
  readonly values: Readonly<Record<string, string>>;
  readonly errors?: Readonly<Record<string, string>>;
  readonly message?: string;
}

/**
 * Shows the form with its values on the page it was sent from, to keep the opening hours and address next to it; on its own page if the
 * origin is unknown.
 */
async function showAgain(input: Parameters<typeof pageAgain>[0], state: FormState, status: number): Promise<Reply> {
  const page = await pageAgain(input, { id: 'website.contact_form', change: () => ({ ...state }) }, status);
  return page ?? input.render('website.contact_page', { errors: {}, ...state }, { status });
}

/** Confirmation page after sending a message. */
export const contactSent = route.page('/website/contact/sent', { name: 'website.contact_sent' }, ({ render }) =>
  render('website.contact_sent', { noindex: true }),
);
