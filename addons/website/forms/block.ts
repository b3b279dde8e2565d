import { block, type Ctx, type Id, z } from 'pergola';
import { inputName, questionsOf } from './answers.ts';
import { WebsiteForm } from './models/form.ts';
import { choicesOf } from './models/form-field.ts';

const texts = z.record(z.string(), z.string()).default({});

/** Values and errors of a form that is shown again after an invalid submission. */
export const formState = z.object({ values: texts, errors: texts, message: z.string().default('') });
export type FormState = z.infer<typeof formState>;

/** Form created by editors, for any page. */
export const formBlock = block('website.form', {
  label: 'Form',
  options: z.object({
    form: z.number().int().min(0).default(0).meta({ title: 'Form', records: 'website.form', none: 'The first form' }),
    title: z.string().max(120).default('').meta({ title: 'Title' }),
    state: formState.optional(),
  }),
  template: 'website.form',
  load: async (ctx, { form, title, state }) => ({ title, form: await shownForm(ctx, form, state) }),
});

/** Finds an open form; id 0 is the first one. */
export async function findForm(ctx: Ctx, id: Id) {
  return ctx.model(WebsiteForm).first([['active', '=', true], ...(id === 0 ? [] : [['id', '=', id] as const])], {
    select: { name: true, button: true },
    order: 'id',
  });
}

/** Form data for the template; null if there is no open form. */
export async function shownForm(ctx: Ctx, id: Id, state: FormState = { values: {}, errors: {}, message: '' }) {
  const form = await findForm(ctx, id);
  if (!form) return null;
  const fields = (await questionsOf(ctx, form.id)).map(({ choices, type, ...field }) => {
    const name = inputName(field);
    const value = state.values[name] ?? '';
    return {
      ...field,
      type,
      input: name,
      key: `form-${form.id}-${field.id}`,
      value,
      error: state.errors[name] ?? '',
      isLines: type === 'lines',
      isChoice: type === 'choice',
      isSeveral: type === 'several',
      isConsent: type === 'consent',
      inputType: { email: 'email', phone: 'tel', number: 'text', date: 'date' }[type as string] ?? 'text',
      autocomplete: { name: 'name', email: 'email', phone: 'tel', none: 'off' }[field.role],
      choices: choicesOf(choices).map((choice, index) => ({
        key: `form-${form.id}-${field.id}-${index}`,
        choice,
        chosen: value.split('\n').includes(choice),
      })),
    };
  });
  return { ...form, message: state.message, fields };
}
