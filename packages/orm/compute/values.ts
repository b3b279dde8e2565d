import type { BoundModel, CompiledField } from '../compiled.ts';
import type { Id, Ids } from '../fields.ts';
import { normalize } from '../write/normalize.ts';
import { FieldProblem, Problems } from '../write/problems.ts';

/** Number of records passed to a compute method at once. */
export const computeBatch = 1000;

/**
 * Calls a model's compute method and returns the values of its fields: by field name, then by record. Records missing from the method's
 * result are empty.
 *
 * For one field the method returns `Map<Id, value>`; for several fields that name the same method, `Map<Id, { field: value }>`.
 */
export async function computeValues(
  bound: BoundModel,
  method: string,
  fields: readonly CompiledField[],
  ids: Ids,
  shared: boolean,
): Promise<Map<string, Map<Id, unknown>>> {
  const answers = await callCompute(bound, method, ids);
  const values = new Map<string, Map<Id, unknown>>();
  for (const field of fields) {
    const fieldValues = new Map<Id, unknown>();
    for (const id of ids) {
      const answer = answers.get(id);
      const value = shared ? ownProperty(answer, field.name) : answer;
      fieldValues.set(id, fitted(bound, field, value, method));
    }
    values.set(field.name, fieldValues);
  }
  return values;
}

async function callCompute(bound: BoundModel, method: string, ids: Ids): Promise<ReadonlyMap<unknown, unknown>> {
  const compute: unknown = Reflect.get(bound.self, method);
  if (typeof compute !== 'function') {
    throw new TypeError(`“${bound.compiled.name}” has no method “${method}” to compute with.`);
  }
  const answers: unknown = await compute.call(bound.self, ids);
  if (answers instanceof Map) return answers;
  throw new TypeError(`“${bound.compiled.name}.${method}” has to answer a Map of values by record id.`);
}

function ownProperty(object: unknown, name: string): unknown {
  return typeof object === 'object' && object !== null && Object.hasOwn(object, name)
    ? Reflect.get(object, name)
    : null;
}

/**
 * Normalizes the value for its field. A wrong type is a fault of the method; a value that is too long or too large follows from user input.
 */
function fitted(bound: BoundModel, field: CompiledField, value: unknown, method: string): unknown {
  if (field.relation && field.relation.kind !== 'many2one') return Array.isArray(value) ? value : [];
  try {
    return normalize(field, value);
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    if (typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))) {
      const problems = new Problems(bound.ctx, bound.compiled);
      problems.add(field.name, error);
      throw problems.error();
    }
    throw new TypeError(
      `“${bound.compiled.name}.${method}” answers a value that does not fit “${field.name}” (${field.type}): ${error.message}`,
      { cause: error },
    );
  }
}
