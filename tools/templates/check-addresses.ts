import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Addon } from '@pergola/core';
import { didYouMean, repository } from '@pergola/core';
import type { ParamSpec, RouteDefinition } from '@pergola/http';
import { fitsParam } from '@pergola/http';
import { addressesInCode, addressesInTemplate, UNKNOWN, type WrittenAddress } from './addresses.ts';
import type { Fault } from './sources.ts';

/** URLs that the core serves without a route. */
const coreAddresses = ['/healthz', '/readyz', '/metrics', '/_assets/*', '/_dev/*'];

/** A route, or a page in shipped data. */
interface Target {
  readonly segments: readonly string[];
  readonly methods: readonly string[];
  /** Whether the parameter with this name accepts a value. */
  readonly takes: (name: string, value: string) => boolean;
}

/**
 * Finds URLs of this site in templates, code and menus that match no route, shipped page or file of the addons.
 *
 * @param addonNames names of the addons to check; all by default
 */
export function checkAddresses(addons: readonly Addon[], addonNames?: ReadonlySet<string>): Fault[] {
  const folders = new Map(addons.map(({ name, folder }) => [name, folder]));
  const files = addons.flatMap(({ name, folder }) => filesOf(folder, addonNames?.has(name) ?? true));
  const targets = [
    ...coreAddresses.map((path) => page(path)),
    ...files.flatMap(({ shipped }) => shipped.map(page)),
    ...addons.flatMap(({ definition: { routes = [] } }) =>
      routes.flat().flatMap((route) => [route, route.form ?? []].flat().map(targetOf)),
    ),
  ];
  return files.flatMap(({ file, used }) =>
    used.flatMap((address): Fault[] => {
      const message = faultOf(address, targets, folders);
      return message === null ? [] : [{ file, line: address.line, message }];
    }),
  );
}

function page(path: string): Target {
  return { segments: segmentsOf(path), methods: ['GET'], takes: () => true };
}

function targetOf({ path, methods, options }: RouteDefinition): Target {
  const params = (options.params ?? {}) as ParamSpec;
  const takes = (name: string, value: string): boolean => {
    const kind = params[name];
    return kind === undefined || fitsParam(kind, value);
  };
  return { segments: segmentsOf(path), methods, takes };
}

interface FileAddresses {
  readonly file: string;
  readonly used: readonly WrittenAddress[];
  readonly shipped: readonly string[];
}

/** Skips tests, migrations and build output; of other addons, only reads the shipped pages. */
function filesOf(folder: string, isAsked: boolean): FileAddresses[] {
  const exclude = (name: string): boolean => /^(node_modules|tests|static|migrations|\.build|dist)$/.test(name);
  const pattern = isAsked ? '**/*.{ts,tsx,hbs}' : '{data,demo}/**/*.ts';
  return globSync(pattern, { cwd: folder, exclude }).flatMap((name) => {
    const source = readFileSync(join(folder, name), 'utf8');
    const file = relative(repository, join(folder, name));
    if (name.endsWith('.hbs')) return [{ file, used: addressesInTemplate(source), shipped: [] }];
    try {
      const options = { tsx: name.endsWith('x'), isData: /(^|\/)(data|demo)\//.test(name) };
      return [{ file, ...addressesInCode(source, options) }];
    } catch {
      // The compiler reports syntax errors.
      return [];
    }
  });
}

function segmentsOf(address: string): string[] {
  const [path = ''] = address.split(/[?#\s]/);
  return path.split('/').filter(Boolean);
}

/** Replaces parameter names, as in `/shop/:product` and `/order/{id}`, by unknown values. */
function withoutNames(address: string): string {
  return address.replace(/(?<=\/):\w+|\{\w+\}/g, UNKNOWN);
}

/** Describes the problem with a URL; null if it is valid or can't be checked. */
function faultOf(
  { text, method, isBeginning, isFinal }: WrittenAddress,
  targets: readonly Target[],
  folders: ReadonlyMap<string, string>,
): string | null {
  const [unfilled] = (isFinal && /(?<=\/):\w+/.exec(text)) || [];
  if (unfilled) return `“${shown(text)}” contains “${unfilled}”, which nothing fills in. Write the value in its place.`;
  const segments = segmentsOf(withoutNames(text));
  const [first = '', second] = segments;
  // The home page, a language prefix, or a path that is entirely a value.
  if (first === '' || first.startsWith(UNKNOWN) || /^[a-z]{2}(_[A-Z]{2})?$/.test(first)) return null;
  const folder = second === 'static' ? folders.get(first) : undefined;
  if (folder !== undefined) {
    const files = segments.slice(1).map((segment) => segment.replaceAll(UNKNOWN, '*'));
    return globSync(files.join('/'), { cwd: folder }).length > 0 ? null : `There is no file “${shown(text)}”.`;
  }
  const answering = targets.filter((target) => isAnsweredBy(segments, target, isBeginning));
  if (answering.some(({ methods }) => method === null || methods.includes(method))) return null;
  if (answering.length > 0) return `“${shown(text)}” doesn’t accept ${method} requests.`;
  const suggestion = didYouMean(
    shown(`/${segments.join('/')}`),
    targets.map((target) => shown(nearest(segments, target))),
  );
  return `No route or page matches “${shown(text)}”. ${suggestion || 'Correct the URL, or add the route or page.'}`;
}

/** Path of a target, with the URL's values for its parameters. */
function nearest(segments: readonly string[], target: Target): string {
  const parts = target.segments.map((part, index) => {
    const segment = segments[index];
    return isFixed(part) || segment === undefined || !fits(segment, part, target) ? part : segment;
  });
  return `/${parts.join('/')}`;
}

/** @param isBeginning whether the text may be only the start of a URL */
function isAnsweredBy(segments: readonly string[], target: Target, isBeginning: boolean): boolean {
  const targetSegments = target.segments;
  const isOpen = isBeginning || segments.at(-1)?.endsWith(UNKNOWN) === true;
  const wildcardIndex = targetSegments.at(-1) === '*' ? targetSegments.length - 1 : null;
  const hasLength =
    wildcardIndex !== null ? segments.length >= wildcardIndex || isOpen : targetSegments.length === segments.length;
  if (!hasLength && !(isOpen && targetSegments.length > segments.length)) return false;
  return segments.every((segment, index) => {
    const part = targetSegments[index];
    return part === undefined || (wildcardIndex !== null && index >= wildcardIndex) || fits(segment, part, target);
  });
}

function isFixed(part: string): boolean {
  return !/[:*\0]/.test(part);
}

function fits(segment: string, part: string, { takes }: Target): boolean {
  if (isFixed(part)) return pattern(segment).test(part);
  const [beginning = '', name = ''] = part.split(/:(\w+).*/);
  if (segment.includes(UNKNOWN)) return true;
  return part === `:${name}` ? takes(name, segment) : segment.startsWith(beginning.split(UNKNOWN)[0] ?? '');
}

function pattern(segment: string): RegExp {
  return new RegExp(`^${segment.split(UNKNOWN).map(RegExp.escape).join('.*')}$`);
}

/** For messages: `/shop/…`. */
function shown(address: string): string {
  return address.replaceAll(UNKNOWN, '…');
}
