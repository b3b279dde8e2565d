import { Conflict, InvalidInput, NotAllowed, type PergolaError, TooMany } from '@pergola/core';
import { catalogs, errorFields, errorText, fieldErrors, friendlyErrors, type Translate } from '@pergola/texts';
import { z } from 'zod';
import { type FormBody, readForm } from '../bodies/form-body.ts';
import { formValues, lastOf, shownFields } from '../bodies/form-values.ts';
import { contextOptions, type RequestInfo, wantsJson } from '../request-info.ts';
import { Attempts } from '../routes/attempts.ts';
import { type Call, inputOf, renderReply } from '../routes/call.ts';
import type { FormOptions, InvalidForm, ParamSpec } from '../routes/route.ts';
import { CSRF_FIELD } from '../security/csrf.ts';
import { safePath } from '../security/safe-path.ts';
import { boundsOf } from './bounds.ts';
import { runAndSend, sendHandled } from './finish.ts';
import { isGuarded, type Kind, questionOf } from './kind.ts';
import { showPageAgain } from './page-again.ts';

type Invalid = NonNullable<FormOptions<ParamSpec, z.ZodType, unknown>['invalid']>;

/** Forms: token, fields, handler. Shows invalid input again with an error next to each field. */
export const form: Kind = {
  name: 'form',
  methods: ['POST'],
  forVisitors: true,
  hasToken: () => true,
  faults: ({ options }) =>
    options.body instanceof z.ZodType ? [] : [['has no schema for its fields.', 'Give it `body: z.object({ … })`.']],
  checkOrigin(call) {
    if (isGuarded(call)) call.parts.application.guards.checkSameOrigin(questionOf(call), 'if-present');
  },
  async read(call) {
    const body = await readForm(call.info.req, call.res, boundsOf(call));
    if (isGuarded(call))
      call.parts.application.guards.checkCsrf(questionOf(call), call.info.session, csrfTokenOf(call, body));
    const parsed = await parseFields(call, body);
    if (!parsed.success) return { extras: { form: body }, failure: parsed.failure };
    return { extras: { form: body, body: parsed.data, files: body.files }, counted: parsed.data };
  },
  async answer(call) {
    const { failure, extras } = call.read;
    const { form: sent, ...input } = extras as { form: FormBody };
    if (failure) return showAgain(call, sent, failure);
    if (needsAnswer(call, sent)) return ask(call, sent);
    try {
      await runAndSend(call, input);
    } catch (error) {
      if (!isRefusal(error) || call.res.headersSent) throw error;
      await showAgain(call, sent, error);
    }
  },
};

/** Token of a form: from its field, or from the header if it is submitted by script. */
export function csrfTokenOf({ info }: Call, body: FormBody | null): string | null {
  const header = info.req.headers['x-csrf-token'];
  return body?.fields[CSRF_FIELD]?.at(-1) ?? (typeof header === 'string' ? header : null);
}

type Parsed = { success: true; data: unknown } | { success: false; failure: InvalidInput };

async function parseFields(call: Call, { fields }: FormBody): Promise<Parsed> {
  const t = translatorOf(call);
  const schema = call.option<z.ZodType>('body');
  if (!schema) return { success: true, data: {} };
  const parsed = await schema.safeParseAsync(formValues(fields, schema), { error: friendlyErrors(t) });
  if (parsed.success) return { success: true, data: parsed.data };
  const { '': message = t('Please correct the marked fields.'), ...errors } = fieldErrors(parsed.error, t);
  return { success: false, failure: new InvalidInput(message, { code: 'core.invalid_form', fields: errors }) };
}

/** Translates texts of the route's addon into the page's language. */
function translatorOf({ info, bound }: Call): Translate {
  return (text, params) => info.site.generation.get(catalogs).translate(info.address.lang, bound.addon, text, params);
}

/** Translated titles of the fields in the form's schema. */
function labelsOf(call: Call): Record<string, string> {
  const t = translatorOf(call);
  const schema = call.option<z.ZodType>('body');
  if (!(schema instanceof z.ZodObject)) return {};
  return Object.fromEntries(
    Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
      const title = field.meta()?.title;
      return title === undefined ? [] : [[name, t(title)]];
    }),
  );
}

type Confirm = NonNullable<FormOptions<ParamSpec, z.ZodType, unknown>['confirm']>;

/** Hidden field set once the sender has confirmed the form. */
const CONFIRMED = 'confirmed';

/** Whether a browser submits a form that needs confirmation first; scripts and API clients ask themselves. */
function needsAnswer(call: Call, { fields }: FormBody): boolean {
  const isBrowser = (call.info.req.headers.accept ?? '').includes('text/html');
  return call.option('confirm') !== undefined && isBrowser && fields[CONFIRMED] === undefined;
}

/** Shows the route's question, with a button to confirm and a link back to the page. */
async function ask(call: Call, { fields }: FormBody): Promise<void> {
  const { info, parts } = call;
  const from = URL.parse(String(info.req.headers.referer ?? ''));
  const attempts = new Attempts(info);
  const options = contextOptions(info, { session: attempts.session, label: `${call.bound.route.name} (confirm)` });
  const value = await parts.application.read(options, async (ctx) =>
    renderReply('web.confirm', {
      ...call.option<Confirm>('confirm')?.(ctx),
      // Templates add the visitor's language to paths.
      action: info.address.path,
      fields: Object.entries(shownFields(fields)).flatMap(([name, sent]) => sent.map((text) => ({ name, text }))),
      back: from?.origin === info.host.origin ? safePath(barePath(info, from.pathname) + from.search) : '/',
    }),
  );
  await sendHandled(call, { value, effects: attempts.effects, cookies: [] });
}

/** A path without its language. */
function barePath({ site, state, identity, host, cookies, req }: RequestInfo, path: string): string {
  const request = { host: host.name, path, cookies, headers: req.headers, method: 'GET', query: '' };
  return site.locate(state, request, identity.lang).address.path;
}

/** Whether an error explains to visitors why their form was rejected, rather than reporting a missing page or a fault. */
function isRefusal(error: unknown): error is PergolaError {
  return [InvalidInput, NotAllowed, Conflict, TooMany].some((type) => error instanceof type);
}

/** Shows the form with its errors: with the route's `invalid`, or else on its page; without such a page, sends the error itself. */
async function showAgain(call: Call, body: FormBody, failure: PergolaError): Promise<void> {
  // A script shows the errors itself.
  const labelledFailure = Object.assign(failure, { labels: { ...labelsOf(call), ...failure.labels } });
  if (wantsJson(call.info.req)) throw labelledFailure;
  const isShown = labelledFailure instanceof InvalidInput || labelledFailure instanceof Conflict;
  const invalid = isShown ? call.option<Invalid>('invalid') : undefined;
  if (invalid) return showInvalid(call, body, labelledFailure, invalid);
  if (!(await showPageAgain(call, body, labelledFailure))) throw labelledFailure;
}

/** Lets the route show its form, with the status of the error. */
async function showInvalid(call: Call, body: FormBody, failure: PergolaError, invalid: Invalid): Promise<void> {
  const visibleFields = shownFields(body.fields);
  const attempts = new Attempts(call.info);
  const options = contextOptions(call.info, { session: attempts.session, label: `${call.bound.route.name} (invalid)` });
  const value = await call.parts.application.read(options, async (ctx) => {
    const input: InvalidForm<ParamSpec> = {
      ...(await inputOf(call, ctx, attempts.effects)),
      values: lastOf(visibleFields),
      fields: visibleFields,
      errors: errorFields(ctx, failure),
      message: errorText(ctx, failure),
    };
    return invalid(input);
  });
  await sendHandled(
    call,
    { value, effects: attempts.effects, cookies: await attempts.finish(call.parts.application, false) },
    failure.status,
  );
}
