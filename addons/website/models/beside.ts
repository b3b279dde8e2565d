import { InvalidInput } from 'pergola';

/** Error that is also shown next to a field. */
export function beside(field: string, refusal: InvalidInput): InvalidInput {
  const { message, code, params } = refusal;
  return new InvalidInput(message, { code, params, fields: { [field]: message } });
}
