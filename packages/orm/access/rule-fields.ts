import type { PathFault } from '../build/paths.ts';
import { type FieldsOfModel, isFault, resolvePath } from '../build/paths.ts';
import type { RecordRule } from './define.ts';

/**
 * Returns fields that a rule's domain names but its model lacks. Evaluates the domain with a context that accepts any access, once as a
 * member of every group and once of none; domains that read records first, or fail with such a context, are only checked at their first
 * request.
 */
export function ruleFaults({ model, domain }: RecordRule, fieldsOf: FieldsOfModel): PathFault[] {
  const faults = new Map<string, PathFault>();
  for (const isMember of [true, false]) {
    for (const path of pathsIn(domainFor(domain, isMember))) {
      const resolved = resolvePath(fieldsOf, model, path.split('.'));
      if (isFault(resolved)) faults.set(path, resolved);
    }
  }
  return [...faults.values()];
}

function domainFor(domain: RecordRule['domain'], isMember: boolean): unknown {
  try {
    const returned: unknown = domain(permissiveValue(isMember) as never);
    if (returned instanceof Promise) returned.catch(() => {});
    return returned;
  } catch {
    return null;
  }
}

/** Field paths in a domain's conditions, including conditions nested in `any`, `!` and lists. */
function pathsIn(domain: unknown): string[] {
  if (!Array.isArray(domain)) return [];
  return domain.flatMap((part: unknown) => {
    if (!Array.isArray(part)) return [];
    const [path, operator] = part as unknown[];
    return typeof path === 'string' && typeof operator === 'string' && path !== 'id' ? [path] : [];
  });
}

/** A value whose properties and calls all return such a value again; group membership is always `isMember`. */
function permissiveValue(isMember: boolean): unknown {
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
