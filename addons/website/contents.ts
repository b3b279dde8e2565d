import type { AddonDefinition } from '#core';

type Listed =
  | 'models'
  | 'services'
  | 'routes'
  | 'routeExtensions'
  | 'groups'
  | 'access'
  | 'rules'
  | 'views'
  | 'menus'
  | 'jobs'
  | 'mails'
  | 'settings'
  | 'blocks'
  | 'fragments'
  | 'facts'
  | 'tours'
  | 'contributes'
  | 'fallbacks';

/** What one part of the addon brings, under the names of the addon's definition. */
export type Contents = Pick<AddonDefinition, Listed | 'elements' | 'public'>;

/** The contents of all parts of the addon as one: lists behind each other, in the order of the parts. */
export function together(...parts: readonly Contents[]): Contents {
  const list = <K extends Listed>(name: K): NonNullable<Contents[K]>[number][] =>
    parts.flatMap((part): readonly NonNullable<Contents[K]>[number][] => part[name] ?? []);
  return {
    models: list('models'),
    services: list('services'),
    routes: list('routes'),
    routeExtensions: list('routeExtensions'),
    groups: list('groups'),
    access: list('access'),
    rules: list('rules'),
    views: list('views'),
    menus: list('menus'),
    jobs: list('jobs'),
    mails: list('mails'),
    settings: list('settings'),
    blocks: list('blocks'),
    fragments: list('fragments'),
    facts: list('facts'),
    tours: list('tours'),
    contributes: list('contributes'),
    fallbacks: list('fallbacks'),
    elements: Object.assign({}, ...parts.map(({ elements }) => elements)),
    public: {
      methods: parts.flatMap((part) => part.public?.methods ?? []),
      templates: parts.flatMap((part) => part.public?.templates ?? []),
    },
  };
}
