import { type FormText, orm } from './calls.ts';

/** Labels of a model's fields and of their values. */
export type FieldTexts = Readonly<
  Record<string, { readonly string: string; readonly help?: string; readonly selection?: readonly [string, string][] }>
>;

/** Question of a form; new ones have a string id. */
export interface FormQuestion {
  readonly id: number | string;
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly choices: string;
  readonly help: string;
  readonly role: string;
}

/** Form in its dialog; `id` is null for a new form. */
export interface EditedForm {
  readonly id: number | null;
  readonly name: string;
  readonly mail_to: string;
  readonly target: string;
  readonly thanks: string;
  readonly button: string;
  readonly questions: readonly FormQuestion[];
}

const form = 'website.form';
const question = 'website.form.field';
const formFields = ['name', 'mail_to', 'target', 'thanks', 'button'] as const;
const questionFields = ['name', 'type', 'required', 'choices', 'help', 'role'] as const;

/** Field labels of forms and questions in the editor's language. */
export async function formTexts(): Promise<{ readonly form: FieldTexts; readonly question: FieldTexts }> {
  const [ofForms, ofQuestions] = await Promise.all(
    [form, question].map((model) => orm<FieldTexts>(model, 'fields_get', [])),
  );
  return { form: ofForms ?? {}, question: ofQuestions ?? {} };
}

/** Reads a form with its texts in a language; id 0 is the first form, as in the block. Returns null if it doesn't exist. */
export async function readForm(id: number, lang: string): Promise<EditedForm | null> {
  const context = { lang };
  const wanted = id === 0 ? ['active', '=', true] : ['id', '=', id];
  const [found] = await orm<EditedForm[]>(form, 'search_read', [[wanted], formFields], {
    order: 'id',
    limit: 1,
    context,
  });
  if (!found) return null;
  const questions = await orm<FormQuestion[]>(question, 'search_read', [[['form_id', '=', found.id]], questionFields], {
    context,
  });
  return { ...texts(found), questions: questions.map(texts) };
}

/**
 * Saves a form with its questions in order and returns its id. Unchanged texts aren't written, since an untranslated text follows its
 * source language.
 * @throws RpcError
 */
export async function saveForm(
  { id, questions, ...values }: EditedForm,
  before: EditedForm | null,
  lang: string,
): Promise<number> {
  const context = { lang };
  const known = new Map(before?.questions.map((question) => [question.id, question]));
  const field_ids = [
    ...[...known.keys()].filter((gone) => !questions.some((one) => one.id === gone)).map((gone) => [2, gone, false]),
    ...questions.map(({ id: number, ...asked }, at) => {
      const sequence = 10 * (at + 1);
      const was = known.get(number);
      return was ? [1, number, { ...changes(asked, was), sequence }] : [0, 0, { ...asked, sequence }];
    }),
  ];
  if (id === null) return orm<number>(form, 'create', [{ ...values, field_ids }], { context });
  await orm(form, 'write', [[id], { ...changes(values, before), field_ids }], { context });
  return id;
}

/**
 * Translates texts of a form; null restores the source text.
 * @throws RpcError
 */
export async function translateForm(
  id: number,
  edits: readonly (Pick<FormText, 'question' | 'name'> & { readonly text: string | null })[],
  lang: string,
): Promise<void> {
  const valuesOf = (of: typeof edits) => Object.fromEntries(of.map(({ name, text }) => [name, text ?? false]));
  const { own = [], asked = [] } = Object.groupBy(edits, ({ question }) => (question === null ? 'own' : 'asked'));
  const field_ids = [...Map.groupBy(asked, ({ question }) => question)].map(([number, of]) => [
    1,
    number,
    valuesOf(of),
  ]);
  await orm(form, 'write', [[id], { ...valuesOf(own), field_ids }], { context: { lang } });
}

function changes<T extends object>(now: T, before: Partial<T> | null): Partial<T> {
  return Object.fromEntries(
    Object.entries(now).filter(([name, value]) => value !== before?.[name as keyof T]),
  ) as Partial<T>;
}

/** Calls return `false` for empty texts. */
function texts<T extends object>(row: T): T {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    value === false && name !== 'required' ? '' : value,
  ]);
  return Object.fromEntries(entries) as T;
}
