import type { z } from 'zod';
import { InvalidInput } from '../../base/errors.ts';
import type { Ctx } from '../../context/context.ts';
import { errorFields, errorText } from '../../i18n/own-text.ts';
import { texts } from '../../i18n/point.ts';
import { type FormBody, readForm } from '../bodies/form-body.ts';
import { formValues, shownValues } from '../bodies/form-values.ts';
import { takeRates } from '../rate-limits/rates.ts';
import { contextOptions } from '../request-info.ts';
import { Attempts } from '../routes/attempts.ts';
import { type Call, inputOf } from '../routes/call.ts';
import type { FormOptions, InvalidForm, ParamSpec } from '../routes/route.ts';
import { fieldErrors, friendlyErrors } from '../schema-errors.ts';
import { CSRF_FIELD } from '../security/csrf.ts';
import { boundsOf } from './bounds.ts';
import { runAndSend, sendHandled } from './finish.ts';

type Invalid = NonNullable<FormOptions<ParamSpec, z.ZodType, unknown>['invalid']>;

/** Answers a form: token, fields, handler; what does not fit is shown again beside its field. */
export async function answerForm(call: Call): Promise<void> {
  const { info, parts } = call;
  const { guards } = parts.kernel;
  const question = { headers: info.req.headers, origin: info.host.origin };
  const guarded = (call.option('csrf') ?? true) === true;
  // What comes from another site is refused before it is read.
  if (guarded) guards.checkSameOrigin(question, 'if-present');
  await takeRates(call, 'before');
  const body = await readForm(info.req, call.res, boundsOf(call));
  if (guarded) guards.checkCsrf(question, info.session, csrfTokenOf(call, body));
  const parsed = await parseFields(call, body);
  if (!parsed.success) return showAgain(call, body, parsed.failure);
  await takeRates(call, 'after', parsed.data);
  try {
    await runAndSend(call, { body: parsed.data, files: body.files });
  } catch (error) {
    if (!(error instanceof InvalidInput) || call.res.headersSent) throw error;
    await showAgain(call, body, error);
  }
}

/** The token a form brings: as its field, or as the header of one that script sends. */
export function csrfTokenOf({ info }: Call, body: FormBody | null): string | null {
  const header = info.req.headers['x-csrf-token'];
  return body?.fields[CSRF_FIELD]?.at(-1) ?? (typeof header === 'string' ? header : null);
}

type Parsed = { success: true; data: unknown } | { success: false; failure: InvalidInput };

async function parseFields(call: Call, { fields }: FormBody): Promise<Parsed> {
  const { generation } = call.info.site;
  const { lang } = call.info.address;
  const t: Ctx['t'] = (text, params) => generation.get(texts).translate(lang, call.bound.addon, text, params);
  const schema = call.option<z.ZodType>('body');
  if (!schema) return { success: true, data: {} };
  const parsed = await schema.safeParseAsync(formValues(fields, schema), { error: friendlyErrors(lang, t) });
  if (parsed.success) return { success: true, data: parsed.data };
  const { '': message = 'Please correct the marked fields.', ...errors } = fieldErrors(parsed.error, t);
  return { success: false, failure: new InvalidInput(message, { code: 'core.invalid_form', fields: errors }) };
}

/** Lets the route show its form with the errors, status 422; without such a handler the error itself is the answer. */
async function showAgain(call: Call, body: FormBody, failure: InvalidInput): Promise<void> {
  const invalid = call.option<Invalid>('invalid');
  if (!invalid) throw failure;
  const attempts = new Attempts(call.info);
  const options = contextOptions(call.info, { session: attempts.session, label: `${call.bound.route.name} (invalid)` });
  const value = await call.parts.kernel.read(options, async (ctx) => {
    const input: InvalidForm<ParamSpec> = {
      ...(await inputOf(call, ctx, attempts.effects)),
      values: shownValues(body.fields),
      errors: errorFields(ctx, failure),
      message: errorText(ctx, failure),
    };
    return invalid(input);
  });
  await sendHandled(
    call,
    { value, effects: attempts.effects, cookies: await attempts.finish(call.parts.kernel, false) },
    422,
  );
}
