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

/** What is read of a question to ask it and to check its answer. */
export const fieldSelect = {
  name: true,
  type: true,
  required: true,
  choices: true,
  help: true,
  role: true,
} as const;
export type FormField = Row<FieldsOf<WebsiteFormField>, typeof fieldSelect>;

/** An answer, with its question as it was asked. */
export interface FormAnswer {
  readonly field: Id;
  readonly question: string;
  readonly answer: string;
  readonly role: string;
}

/** The name of a question's input. */
export function inputName({ id }: { readonly id: Id }): string {
  return `field_${id}`;
}

/** The questions of a form in their order. */
export function questionsOf(ctx: Ctx, form: Id): Promise<FormField[]> {
  return ctx.model(WebsiteFormField).find([['form_id', '=', form]], { select: fieldSelect });
}

/** Longest answers, in characters. */
const MOST = { line: 254, lines: 10_000 } as const;

/** What a question's answer may be. Answers are texts; those of several choices stand one in a line. */
function answerSchema(ctx: Ctx, { type, required, choices }: FormField): z.ZodType<string> {
  const missing = t(ctx, 'This is required.');
  const tooLong = t(ctx, 'This is too long.');
  const offered = new Set(choicesOf(choices));
  const unknown = t(ctx, 'Choose one of those that are offered.');
  const line = z
    .string()
    .trim()
    .max(MOST.line, tooLong)
    .regex(/^[^\p{Cc}]*$/u, t(ctx, 'This cannot be read.'));
  const filled = <S extends z.ZodType<string>>(schema: S): z.ZodType<string> =>
    z.preprocess((value) => value ?? '', schema).refine((text) => !required || text !== '', missing);
  const fits = (good: (text: string) => boolean, message: string) =>
    filled(line.refine((text) => text === '' || good(text), message));
  switch (type) {
    case 'lines':
      return filled(z.string().trim().max(MOST.lines, tooLong));
    case 'email':
      return fits(isEmailAddress, t(ctx, 'This is not a valid e-mail address.')).transform(readableAddress);
    case 'phone':
      return fits((text) => /^[+\d][\d\s()./-]{4,30}$/.test(text), t(ctx, 'This is not a telephone number.'));
    case 'number':
      return filled(
        line.superRefine((text, { addIssue }) => {
          const reading = ctx.get(app.formats).parseNumber(text, ctx.lang);
          if (!reading.problem || reading.problem === 'empty') return;
          const remedy = numberFault(reading, (said, params) => t(ctx, said, params));
          addIssue({ code: 'custom', message: `${t(ctx, 'This is not a number.')} ${remedy}` });
        }),
      );
    case 'date':
      return fits((text) => z.iso.date().safeParse(text).success, t(ctx, 'This is not a date.'));
    case 'choice':
      return fits((text) => offered.has(text), unknown);
    case 'several':
      return z
        .preprocess(
          (value) => (Array.isArray(value) ? value : value ? [value] : []),
          z.array(z.string()).max(offered.size, unknown),
        )
        .refine((chosen) => chosen.every((one) => offered.has(one)), unknown)
        .refine((chosen) => !required || chosen.length > 0, missing)
        .transform((chosen) => chosen.join('\n'));
    case 'consent':
      return z
        .preprocess((value) => (value ? t(ctx, 'Yes') : ''), z.string())
        .refine((text) => !required || text !== '', t(ctx, 'Please agree to go on.'));
    default:
      return filled(line);
  }
}

/** What was sent, checked by the questions as they are kept, whatever the browser made of them. */
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

/** Who sent a form, by the questions that say so. */
export function roleAnswers(answers: readonly FormAnswer[]): { name: string; email: string; phone: string } {
  const of = (role: string): string => answers.find((one) => one.role === role)?.answer ?? '';
  return { name: of('name'), email: of('email'), phone: of('phone') };
}
