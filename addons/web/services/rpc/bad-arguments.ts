import { type Ctx, InvalidInput, type z } from 'pergola';
import { fieldErrors, friendlyErrors, type Translate } from 'pergola/pages';
import { t } from '../../texts.ts';

/**
 * Parses the arguments of a call.
 *
 * @throws InvalidInput that names the invalid ones, in the caller's language
 */
export function parseArguments<S extends z.ZodType>(
  ctx: Ctx,
  schema: S,
  ...attempts: readonly unknown[]
): { data: z.infer<S>; attempt: unknown } {
  const translate: Translate = (text, params) => t(ctx, text, params);
  const error = friendlyErrors(translate);
  let refusal: z.ZodError | undefined;
  for (const attempt of attempts) {
    const parsed = schema.safeParse(attempt, { error });
    if (parsed.success) return { data: parsed.data, attempt };
    refusal ??= parsed.error;
  }
  const faults = refusal ? Object.entries(fieldErrors(refusal, translate)).slice(0, 5) : [];
  throw new InvalidInput('Invalid arguments. {faults}', {
    code: 'core.bad_arguments',
    params: {
      faults: faults
        .map(([name, text]) => `${name}: ${text}`)
        .join('; ')
        .slice(0, 500),
    },
  });
}
