import {
  app,
  type Ctx,
  type FieldsOf,
  type Id,
  isEmailAddress,
  numberFault,
  type Row,
  readableAddress,
  z,
} from 'pergola';
import { t } from '../texts.ts';
import { choicesOf, WebsiteFormField } from './models/form-field.ts';

/** Question fields needed to render it and to validate its answer. */
export const fieldSelect = {
  name: true,
  type: true,
  required: true,
  choices: true,
  help: true,
  role: true,
} as const;
export type FormField = Row<FieldsOf<WebsiteFormField>, typeof fieldSelect>;

/** Answer with its question at the time of submission. */
export interface FormAnswer {
  readonly field: Id;
  readonly question: string;
  readonly answer: string;
  readonly role: string;
}

/** Input name of a question. */
export function inputName({ id }: { readonly id: Id }): string {
  return `field_${id}`;
}

/** Questions of a form in order. */
export function questionsOf(ctx: Ctx, form: Id): Promise<FormField[]> {
  return ctx.model(WebsiteFormField).find([['form_id', '=', form]], { select: fieldSelect });
}

/** Maximum answer lengths in characters. */
const MOST = { line: 254, lines: 10_000 } as const;

/** Schema of a question's answer. Answers are texts; multiple choices are separated by line breaks. */
function answerSchema(ctx: Ctx, { type, required, choices }: FormField): z.ZodType<string> {
  const missing = t(ctx, 'Fill in this field.');
  const tooLong = t(ctx, 'This text is too long. Shorten it.');
  const allowedChoices = new Set(choicesOf(choices));
  const unknown = t(ctx, 'Choose one of the options.');
  const line = z
    .string()
    .trim()
    .max(MOST.line, tooLong)
    .regex(/^[^\p{Cc}]*$/u, t(ctx, 'This can’t be read. Use plain text.'));
  const filled = <S extends z.ZodType<string>>(schema: S): z.ZodType<string> =>
    z.preprocess((value) => value ?? '', schema).refine((text) => !required || text !== '', missing);
  const fits = (good: (text: string) => boolean, message: string) =>
    filled(line.refine((text) => text === '' || good(text), message));
  switch (type) {
    case 'lines':
      return filled(z.string().trim().max(MOST.lines, tooLong));
    case 'email':
      return fits(isEmailAddress, t(ctx, 'Enter a valid email address.')).transform(readableAddress);
    case 'phone':
      return fits((text) => /^[+\d][\d\s()./-]{4,30}$/.test(text), t(ctx, 'Enter a valid phone number.'));
    case 'number':
      return filled(
        line.superRefine((text, { addIssue }) => {
          const reading = ctx.get(app.formats).parseNumber(text, ctx.lang);
          if (!reading.problem || reading.problem === 'empty') return;
          const remedy = numberFault(reading, (message, params) => t(ctx, message, params));
          addIssue({ code: 'custom', message: `${t(ctx, 'Enter a number.')} ${remedy}` });
        }),
      );
    case 'date':
      return fits((text) => z.iso.date().safeParse(text).success, t(ctx, 'Enter a valid date.'));
    case 'choice':
      return fits((text) => allowedChoices.has(text), unknown);
    case 'several':
      return z
        .preprocess(
          (value) => (Array.isArray(value) ? value : value ? [value] : []),
          z.array(z.string()).max(allowedChoices.size, unknown),
        )
        .refine((selected) => selected.every((choice) => allowedChoices.has(choice)), unknown)
        .refine((selected) => !required || selected.length > 0, missing)
        .transform((selected) => selected.join('\n'));
    case 'consent':
      return z
        .preprocess((value) => (value ? t(ctx, 'Yes') : ''), z.string())
        .refine((text) => !required || text !== '', t(ctx, 'Tick this box to continue.'));
    default:
      return filled(line);
  }
}

/** Validates submitted answers against the stored questions, independent of the browser's validation. */
export function checkAnswers(
  ctx: Ctx,
  fields: readonly FormField[],
  sent: Readonly<Record<string, unknown>>,
): { readonly answers: readonly FormAnswer[]; readonly errors: Readonly<Record<string, string>> } {
  const errors: Record<string, string> = {};
  const answers: FormAnswer[] = [];
  for (const field of fields) {
    const name = inputName(field);
    const checked = answerSchema(ctx, field).safeParse(Object.hasOwn(sent, name) ? sent[name] : undefined);
    if (!checked.success) errors[name] = checked.error.issues[0]?.message ?? '';
    else if (checked.data !== '')
      answers.push({ field: field.id, question: field.name, answer: checked.data, role: field.role });
  }
  return { answers, errors };
}

/** Sender's name, email and phone, from the questions marked for them. */
export function roleAnswers(answers: readonly FormAnswer[]): { name: string; email: string; phone: string } {
  const answerOf = (role: string): string => answers.find((answer) => answer.role === role)?.answer ?? '';
  return { name: answerOf('name'), email: answerOf('email'), phone: answerOf('phone') };
}
