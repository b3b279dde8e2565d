import { type Problem, z } from 'pergola';
import { didYouMean } from 'pergola/kernel';
import { domainFaults, isFault, type ModelRegistry, resolvePath } from 'pergola/orm';

/** JSON schema of a block's options; null if an option can't be expressed in JSON schema, in which case the block has no options panel. */
export function optionsSchema(options: z.ZodType): unknown {
  try {
    return z.toJSONSchema(options, { io: 'input', unrepresentable: 'any' });
  } catch {
    return null;
  }
}

/** Problems in options that refer to records: missing models and fields. */
export function recordFaults(options: z.ZodType, models: ModelRegistry): Omit<Problem, 'addon'>[] {
  const schema = optionsSchema(options);
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  const fieldsOf = (model: string) => models.get(model)?.fields;
  return Object.entries(properties).flatMap(([name, property]): Omit<Problem, 'addon'>[] => {
    if (!isObject(property) || typeof property.records !== 'string') return [];
    const { records: model, where, of: parents } = property;
    if (!models.get(model)) {
      const remedy = didYouMean(model, models.models.keys()) || undefined;
      return [{ message: `has the option "${name}" for records of "${model}", which does not exist.`, remedy }];
    }
    const owners = isObject(parents)
      ? Object.values(parents).map((field) => resolvePath(fieldsOf, model, [String(field)]))
      : [];
    const faults = [...domainFaults(fieldsOf, model, Array.isArray(where) ? where : []), ...owners.filter(isFault)];
    return faults.map(({ message, remedy }) => ({ message: `has the option "${name}": ${message}`, remedy }));
  });
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
