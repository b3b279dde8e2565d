import { didYouMean, type Problem } from '@pergola/core';
import { z } from 'zod';
import type { RouteFault } from '../kinds/kind.ts';
import type { RouteDefinition } from './route.ts';

/** Whether the route's name is generated: names made from kind and path may occur twice (GET and POST of one path). */
export function isMadeName(route: RouteDefinition): boolean {
  return route.name === `${route.kind}:${route.path}`;
}

/** All problems of a route that can't work, or would work differently from what its author expects. */
export function checkRoute(addon: string, route: RouteDefinition, groups?: ReadonlySet<string>): Problem[] {
  const say = ([message, remedy]: RouteFault): Problem => ({
    addon,
    message: `route "${route.name}" (${route.methods.join('/')} ${route.path}) ${message}`,
    remedy,
  });
  return [
    ...pathFindings(route),
    ...paramFindings(route),
    ...queryFindings(route),
    ...writeFindings(route),
    ...(route.handling.faults?.(route) ?? []),
    ...groupFindings(route, groups),
  ].map(say);
}

function pathFindings({ path }: RouteDefinition): RouteFault[] {
  const findings: RouteFault[] = [];
  if (!path.startsWith('/')) findings.push(['has a path that does not start with a slash.', 'Write it as `/path`.']);
  if (/[?#\s\\]|\/\//.test(withoutPatterns(path))) {
    findings.push([
      'has a path that no address can have.',
      'Leave out `?`, `#`, blanks, backslashes and double slashes.',
    ]);
  }
  if (/^\/(_assets|[a-z][a-z0-9_]*\/static)\//.test(path) && !path.includes(':')) {
    findings.push([
      'lies among the static files, which are served first.',
      'Choose a path outside /_assets and …/static.',
    ]);
  }
  return findings;
}

function paramFindings({ path, options }: RouteDefinition): RouteFault[] {
  const inPath = pathParams(path);
  const declared = Object.keys((options.params ?? {}) as object);
  const nameless = inPath.filter((name) => !declared.includes(name));
  const unknown = declared.filter((name) => !inPath.includes(name));
  const findings: RouteFault[] = [];
  if (nameless.length > 0) {
    findings.push([
      `says nothing about ${quoted(nameless)} in its path.`,
      'Give each path parameter a schema in `params`.',
    ]);
  }
  if (unknown.length > 0) {
    findings.push([
      `has a schema for ${quoted(unknown)}, not in its path.`,
      'Add it to the path, or remove it from `params`.',
    ]);
  }
  const { page } = options;
  for (const name of typeof page === 'string' ? pathParams(page) : []) {
    if (inPath.includes(name)) continue;
    findings.push([
      `has the page "${page}", whose "${name}" is not in its path.`,
      didYouMean(name, inPath) || 'Use parameters of the form’s path, or a function of the sent form.',
    ]);
  }
  return findings;
}

function queryFindings({ options: { query } }: RouteDefinition): RouteFault[] {
  if (query === undefined || query instanceof z.ZodObject) return [];
  return [['has a `query` that is no z.object.', 'Declare the parameters with z.object({ … }).']];
}

function writeFindings({ handling, methods, writes, options }: RouteDefinition): RouteFault[] {
  const findings: RouteFault[] = [];
  // A mounted handler gets a writing context only for other methods.
  if (writes && !handling.servesBelow && methods.includes('GET')) {
    findings.push(['writes on GET.', 'State changes only by POST: make it two routes.']);
  }
  const { csrf } = options;
  if (csrf !== undefined && csrf !== true && !reasonOf(csrf)) {
    findings.push([
      'switches the CSRF check off without a reason.',
      'Write it as `csrf: { off: "why a call from elsewhere is right" }`.',
    ]);
  }
  return findings;
}

function groupFindings({ options }: RouteDefinition, groups: ReadonlySet<string> | undefined): RouteFault[] {
  const unknown = groups ? ((options.groups ?? []) as readonly string[]).filter((name) => !groups.has(name)) : [];
  return unknown.length === 0
    ? []
    : [
        [
          `is for ${quoted(unknown)}, and no enabled addon has such a group.`,
          didYouMean(unknown[0] ?? '', groups ?? []) || 'Correct the name, or add the group to `groups`.',
        ],
      ];
}

function reasonOf(csrf: unknown): string {
  return typeof csrf === 'object' && csrf !== null && 'off' in csrf && typeof csrf.off === 'string'
    ? csrf.off.trim()
    : '';
}

/** Parameter names of a path, with `*` for a wildcard. */
function pathParams(path: string): string[] {
  const plain = withoutPatterns(path).replaceAll('::', '');
  const names = [...plain.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return plain.endsWith('*') ? [...names, '*'] : names;
}

/** The path without the regular expressions of its parameters (`/wall/:id(^\\d+$)` → `/wall/:id`). */
function withoutPatterns(path: string): string {
  let depth = 0;
  let plain = '';
  for (const letter of path) {
    if (letter === '(') depth++;
    if (depth === 0) plain += letter;
    if (letter === ')') depth--;
  }
  return plain;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
