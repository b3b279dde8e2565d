import { slugify } from '@pergola/content';
import type { Ctx } from '@pergola/core';
import { InvalidInput, NotAllowed, NotFound } from '@pergola/core';
import type { z } from 'zod';
import { routes } from '../points.ts';
import { coerced } from './query.ts';
import type { ParamSpec, RecordParam } from './route.ts';
import type { RouteMatch } from './route-table.ts';

export interface ResolvedParams {
  readonly values: Readonly<Record<string, unknown>>;
  /** The path with correct slugs, if one was outdated: redirect target for a GET. */
  readonly rightPath: string | null;
}

/** Same error for missing, invalid and inaccessible records, so that replies don't reveal which it is (C27). */
export function pageNotFound(): NotFound {
  return new NotFound('We can’t find that page.', { code: 'core.no_such_page' });
}

/** A path such as `/forum/:forum` with these values. */
export function filledPath(path: string, params: RouteMatch['params']): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

/**
 * Path parameters of a route, validated by their schemas; records are read with the caller's rights.
 *
 * @throws NotFound, always the same error
 */
export async function resolveParams(ctx: Ctx, match: RouteMatch, path: string): Promise<ResolvedParams> {
  const spec = (match.bound.route.options.params ?? {}) as ParamSpec;
  const values: Record<string, unknown> = {};
  const right = new Map<string, string>();
  for (const [name, kind] of Object.entries(spec)) {
    const raw = match.params[name] ?? '';
    if (isRecord(kind)) {
      const record = await readRecord(ctx, kind, raw);
      values[name] = record.row;
      if (record.text !== raw) right.set(name, record.text);
    } else {
      values[name] = await checked(kind, raw);
    }
  }
  return { values, rightPath: right.size > 0 ? withParams(match.bound.route.path, path, right) : null };
}

/**
 * Paths of the same pages in a language, with record names in that language (`/shop/product/chaise-3`). Leaves paths unchanged that have no
 * records, or records hidden from the caller.
 */
export async function pathsIn(ctx: Ctx, lang: string, paths: readonly string[]): Promise<Map<string, string>> {
  const table = ctx.get(routes);
  const occurrences = [...new Set(paths)].flatMap((path) => {
    const match = table.match('GET', path);
    return match ? recordsIn(match).map((parameter) => ({ ...parameter, path, pattern: match.bound.route.path })) : [];
  });
  const slugs = new Map<string, string>();
  for (const group of Map.groupBy(occurrences, keyOfKind).values()) {
    const [first] = group;
    if (!first) continue;
    const { model, slug } = first.kind;
    const ids = [...new Set(group.map(({ id }) => id))];
    const rows = await ctx
      .as({ lang })
      .modelNamed(model.modelName)
      .find([['id', 'in', ids]], { select: { [slug]: true } });
    for (const row of rows)
      slugs.set(`${keyOfKind(first)} ${row.id}`, recordSlug(Reflect.get(row, slug), Number(row.id)));
  }
  const localPaths = new Map(paths.map((path) => [path, path]));
  for (const [path, parameters] of Map.groupBy(occurrences, (parameter) => parameter.path)) {
    const right = new Map(
      parameters.flatMap((parameter) => {
        const text = slugs.get(`${keyOfKind(parameter)} ${parameter.id}`);
        return text === undefined ? [] : [[parameter.name, text] as const];
      }),
    );
    localPaths.set(path, withParams(parameters[0]?.pattern ?? '', path, right) ?? path);
  }
  return localPaths;
}

interface AskedRecord {
  readonly name: string;
  readonly kind: RecordParam<unknown>;
  readonly id: number;
}

function recordsIn({ bound, params }: RouteMatch): AskedRecord[] {
  const spec = (bound.route.options.params ?? {}) as ParamSpec;
  return Object.entries(spec).flatMap(([name, kind]) => {
    const id = idIn(params[name] ?? '');
    return isRecord(kind) && id !== null ? [{ name, kind, id }] : [];
  });
}

function keyOfKind({ kind }: AskedRecord): string {
  return `${kind.model.modelName} ${kind.slug}`;
}

/** Slug of a record in a path: `help-1`, or `1` if its name has no characters usable in an address. */
function recordSlug(name: unknown, id: number): string {
  const slug = slugify(String(name ?? ''));
  return slug === '' ? String(id) : `${slug}-${id}`;
}

function isRecord(kind: ParamSpec[string]): kind is RecordParam<unknown> {
  return 'kind' in kind && kind.kind === 'record';
}

/** Whether a path segment can be a route's parameter, judging by its text. */
export function fitsParam(kind: ParamSpec[string], raw: string): boolean {
  return isRecord(kind) ? idIn(raw) !== null : kind.safeParse(coerced(kind, raw)).success;
}

async function checked(schema: z.ZodType, raw: string): Promise<unknown> {
  const parsed = await schema.safeParseAsync(coerced(schema, raw));
  if (!parsed.success) throw pageNotFound();
  return parsed.data;
}

async function readRecord(ctx: Ctx, spec: RecordParam<unknown>, raw: string): Promise<{ row: object; text: string }> {
  const id = idIn(raw);
  if (id === null) throw pageNotFound();
  const row = await readOne(ctx, spec, id);
  if (!row) throw pageNotFound();
  return { row, text: recordSlug(Reflect.get(row, spec.slug), id) };
}

/** Id in a record's slug, with or without words before it. */
function idIn(raw: string): number | null {
  const [, digits] = /^(?:.*-)?([1-9]\d{0,14})$/s.exec(raw) ?? [];
  return digits === undefined ? null : Number(digits);
}

async function readOne(ctx: Ctx, spec: RecordParam<unknown>, id: number): Promise<object | undefined> {
  try {
    const select = { [spec.slug]: true as const, ...spec.select };
    const [row] = await ctx.modelNamed(spec.model.modelName).read([id], { select });
    return row;
  } catch (error) {
    // A number too large for the database can't be a record id.
    if (error instanceof NotAllowed || error instanceof NotFound || error instanceof InvalidInput) return undefined;
    throw error;
  }
}

/** Replaces parameters in the path, or returns null if a parameter shares its segment with other text. */
function withParams(pattern: string, path: string, right: ReadonlyMap<string, string>): string | null {
  const segments = path.split('/');
  for (const [index, part] of pattern.split('/').entries()) {
    const [, name] = /^:(\w+)(\(.*\))?$/.exec(part) ?? [];
    const text = name === undefined ? undefined : right.get(name);
    if (text !== undefined && index < segments.length) segments[index] = encodeURIComponent(text);
  }
  return segments.join('/') === path ? null : segments.join('/');
}
