import { toCsv } from '@pergola/web';
import { type Ctx, type Id, NotFound, type Reply, redirect, reply, route, z } from 'pergola';
import { isHuman } from '../blocks/contact-form.ts';
import { formMail } from '../mails.ts';
import { pageAgain } from '../routes/page-again.ts';
import { pageShown } from '../services/page-shown.ts';
import { t } from '../texts.ts';
import { checkAnswers, type FormAnswer, inputName, questionsOf, roleAnswers } from './answers.ts';
import { type FormState, findForm, shownForm } from './block.ts';
import { formReaders, WebsiteForm } from './models/form.ts';
import { WebsiteFormSubmission } from './models/form-submission.ts';

const params = { form: z.coerce.number().int().positive() };
const path = '/website/form/:form';

async function requireForm(ctx: Ctx, id: Id) {
  const form = await shownForm(ctx, id);
  if (form) return form;
  throw new NotFound('This form doesn’t exist or is closed.', { code: 'website.no_form' });
}

/** Form on its own page; also shows an invalid submission again if the original page is unknown. */
export const formPage = route.page(
  path,
  { name: 'website.form', params },
  async ({ ctx, params: { form: id }, render }) => {
    const form = await requireForm(ctx, id);
    return render('website.form_page', { title: form.name, form });
  },
);

/** Validates a submission against the stored questions, stores and emails it, and creates the target record. */
export const sendForm = route.form(
  path,
  {
    name: 'website.send_form',
    page: path,
    params,
    writes: true,
    limit: { bytes: 200_000 },
    body: z.looseObject({
      // Honeypot: hidden from people, but filled in by bots.
      homepage: z.string().optional().default(''),
      stamp: z.string().max(200).optional().default(''),
    }),
    rate: [
      { calls: 10, seconds: 600 },
      { calls: 500, seconds: 3600, by: () => 'all', name: 'website.forms_all' },
    ],
  },
  async (input) => {
    const {
      ctx,
      body,
      url,
      request,
      params: { form: id },
    } = input;
    const form = await requireForm(ctx, id);
    const confirmation = redirect(url(`/website/form/${id}/sent`));
    if (body.homepage !== '') return confirmation;
    const fields = await questionsOf(ctx, id);
    const { answers, errors } = checkAnswers(ctx, fields, body);
    const values = submittedValues(body, fields.map(inputName));
    if (Object.keys(errors).length > 0)
      return again(input, id, { values, errors, message: t(ctx, 'Check the highlighted fields.') });
    if (!isHuman(ctx, body.stamp)) {
      const message = t(ctx, 'The form was open too long or sent too quickly. Send it again.');
      return again(input, id, { values, errors: {}, message });
    }
    await keep(ctx, id, form.name, answers, pageShown(request));
    return confirmation;
  },
);

/** Confirmation page after a submission. */
export const formSent = route.page(
  `${path}/sent`,
  { name: 'website.form_sent', params },
  async ({ ctx, params: { form }, render }) => {
    const row = await ctx.model(WebsiteForm).first([['id', '=', form]], { select: { thanks: true } });
    return render('website.form_sent', { thanks: row?.thanks ?? null, noindex: true });
  },
);

/** Submissions as a CSV table with a column per question, for users who may read them. */
export const formTable = route.http(
  `${path}/answers.csv`,
  { name: 'website.form_answers', method: 'GET', params, auth: 'user', groups: [formReaders] },
  async ({ ctx, params: { form } }) => {
    const fields = await questionsOf(ctx, form);
    const rows = await ctx.model(WebsiteFormSubmission).find([['form_id', '=', form]], {
      select: { create_date: true, page: true, data: true },
      order: 'id',
    });
    const headers = [t(ctx, 'Sent'), t(ctx, 'Page'), ...fields.map(({ name }) => name)];
    const table = rows.map(({ create_date, page, data }) => {
      const answers = new Map((data as readonly FormAnswer[]).map(({ field, answer }) => [field, answer]));
      return [create_date?.toISOString() ?? null, page, ...fields.map(({ id }) => answers.get(id) ?? null)];
    });
    return reply.body(toCsv({ headers, rows: table }), 'text/csv; charset=utf-8', {
      'content-disposition': `attachment; filename="form-${form}.csv"`,
    });
  },
);

/** Submitted values, to fill in the form again. */
function submittedValues(body: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = Object.hasOwn(body, name) ? body[name] : undefined;
      const text = Array.isArray(value) ? value.join('\n') : value;
      return typeof text === 'string' ? [[name, text.slice(0, 10_000)]] : [];
    }),
  );
}

async function again(input: Parameters<typeof pageAgain>[0], id: Id, state: FormState): Promise<Reply> {
  const { ctx, render } = input;
  // A block without an id shows the first form.
  const first = await findForm(ctx, 0);
  const change = (options: Readonly<Record<string, unknown>>) =>
    (Number(options.form ?? 0) || first?.id) === id ? { ...options, state } : null;
  const page = await pageAgain(input, { id: 'website.form', change }, 422);
  if (page) return page;
  const form = await shownForm(ctx, id, state);
  return render('website.form_page', { title: form?.name ?? '', form }, { status: 422 });
}

/** Uses superuser rights, since visitors submit forms but can't read submissions. */
async function keep(ctx: Ctx, id: Id, name: string, answers: readonly FormAnswer[], page: string): Promise<void> {
  const system = ctx.sudo();
  const forms = system.model(WebsiteForm);
  const { mail_to, target } = await forms.get(id, { select: { mail_to: true, target: true } });
  const { name: sender, email } = roleAnswers(answers);
  const record = await forms.makeTarget(target, answers);
  await system.model(WebsiteFormSubmission).create({
    form_id: id,
    name: sender || null,
    email: email || null,
    answers: answers.map(({ question, answer }) => `${question}: ${answer}`).join('\n'),
    data: answers,
    page,
    lang: ctx.lang,
    target_model: record?.model ?? null,
    target_id: record?.id ?? null,
  });
  if (!mail_to) return;
  const site = ctx.attributes.website;
  await ctx.mail.send(formMail, {
    to: { email: mail_to, ...(site ? { lang: site.defaultLang } : {}) },
    ...(email ? { replyTo: { email, name: sender } } : {}),
    values: {
      form: name,
      sender: sender || email || t(ctx, 'a visitor'),
      answers: answers.map(({ question, answer }) => ({ question, lines: answer.split(/\r?\n/) })),
      page,
      site: site?.name ?? '',
    },
  });
}
