import { InvalidInput } from 'pergola';

/** A refusal whose text is also shown beside the field it is about. */
export function beside(field: string, refusal: InvalidInput): InvalidInput {
  const { message, code, params } = refusal;
  return new InvalidInput(message, { code, params, fields: { [field]: message } });
}
