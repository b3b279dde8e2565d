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
  const condition = id === 0 ? ['active', '=', true] : ['id', '=', id];
  const [row] = await orm<EditedForm[]>(form, 'search_read', [[condition], formFields], {
    order: 'id',
    limit: 1,
    context,
  });
  if (!row) return null;
  const questions = await orm<FormQuestion[]>(question, 'search_read', [[['form_id', '=', row.id]], questionFields], {
    context,
  });
  return { ...texts(row), questions: questions.map(texts) };
}

/**
 * Saves a form with its questions in order and returns its id. Unchanged texts aren't written, since an untranslated text follows its
 * source language.
 * @throws RpcError
 */
export async function saveForm(
  { id, questions, ...values }: EditedForm,
  previous: EditedForm | null,
  lang: string,
): Promise<number> {
  const context = { lang };
  const previousQuestions = new Map(previous?.questions.map((question) => [question.id, question]));
  const field_ids = [
    ...[...previousQuestions.keys()]
      .filter((previousId) => !questions.some((question) => question.id === previousId))
      .map((previousId) => [2, previousId, false]),
    ...questions.map(({ id: questionId, ...questionValues }, index) => {
      const sequence = 10 * (index + 1);
      const previousQuestion = previousQuestions.get(questionId);
      return previousQuestion
        ? [1, questionId, { ...changes(questionValues, previousQuestion), sequence }]
        : [0, 0, { ...questionValues, sequence }];
    }),
  ];
  if (id === null) return orm<number>(form, 'create', [{ ...values, field_ids }], { context });
  await orm(form, 'write', [[id], { ...changes(values, previous), field_ids }], { context });
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
  const valuesOf = (texts: typeof edits) => Object.fromEntries(texts.map(({ name, text }) => [name, text ?? false]));
  const { formEdits = [], questionEdits = [] } = Object.groupBy(edits, ({ question }) =>
    question === null ? 'formEdits' : 'questionEdits',
  );
  const field_ids = [...Map.groupBy(questionEdits, ({ question }) => question)].map(([questionId, edits]) => [
    1,
    questionId,
    valuesOf(edits),
  ]);
  await orm(form, 'write', [[id], { ...valuesOf(formEdits), field_ids }], { context: { lang } });
}

function changes<T extends object>(now: T, previous: Partial<T> | null): Partial<T> {
  return Object.fromEntries(
    Object.entries(now).filter(([name, value]) => value !== previous?.[name as keyof T]),
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
