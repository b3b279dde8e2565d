import type { PathFault } from '../build/paths.ts';
import { type FieldsOfModel, isFault, resolvePath } from '../build/paths.ts';
import type { RecordRule } from './define.ts';

/**
 * Fields that a rule's domain names and its model doesn't have. The domain is worked out with a context that answers anything, once as a member of every
 * group and once as a member of none; a domain that reads records first, or can't do with made-up answers, is left to its first request.
 */
export function ruleFaults({ model, domain }: RecordRule, fieldsOf: FieldsOfModel): PathFault[] {
  const faults = new Map<string, PathFault>();
  for (const isMember of [true, false]) {
    for (const path of pathsIn(domainFor(domain, isMember))) {
      const found = resolvePath(fieldsOf, model, path.split('.'));
      if (isFault(found)) faults.set(path, found);
    }
  }
  return [...faults.values()];
}

function domainFor(domain: RecordRule['domain'], isMember: boolean): unknown {
  try {
    const worked: unknown = domain(anything(isMember) as never);
    if (worked instanceof Promise) worked.catch(() => {});
    return worked;
  } catch {
    return null;
  }
}

/** The field paths of a domain's conditions, and of those below `any`, `!` and lists of conditions. */
function pathsIn(domain: unknown): string[] {
  if (!Array.isArray(domain)) return [];
  return domain.flatMap((part: unknown) => {
    if (!Array.isArray(part)) return [];
    const [path, operator] = part as unknown[];
    return typeof path === 'string' && typeof operator === 'string' && path !== 'id' ? [path] : [];
  });
}

/** A value of which every property and call is another such value; groups are as told. */
function anything(isMember: boolean): unknown {
  const self: unknown = new Proxy(() => {}, {
    get(_, name) {
      if (name === 'has') return () => isMember;
      if (name === 'then') return undefined;
      if (name === Symbol.toPrimitive) return () => 1;
      if (name === Symbol.iterator) return [][Symbol.iterator];
      return self;
    },
    apply: () => self,
    construct: () => self as object,
  });
  return self;
}
