import { namedCache } from '../../base/index.ts';
import type { BoundModel } from '../compiled.ts';

/** Query shapes kept per registry and database; an application has some hundreds. */
const most = 4_000;

/**
 * What was made for this key, made now when it is new (or was not asked for in a long time). Compiling a statement takes knex some 0.5 ms of CPU, twice what putting texts
 * together by hand took; what runs again takes the same.
 */
export function kept<T extends NonNullable<unknown>>({ registry, codec }: BoundModel, key: string, make: () => T): T {
  const plans = registry.memo(`plans:${codec.dialect}`, () =>
    namedCache<string, NonNullable<unknown>>('query_plans', { max: most, entryBytes: 3000 }),
  );
  const known = plans.get(key);
  if (known !== undefined) return known as T;
  const made = make();
  plans.set(key, made);
  return made;
}
