// Without what loads modules by file patterns, which nothing here does.
import { type AwilixContainer, asClass, asFunction, asValue, createContainer } from 'awilix/browser';
import { type Problem, reachable, wayBack } from '../base/index.ts';
import { type Key, type KeyClass, keyOf, type Needs } from './key.ts';
import { composed, type ServiceClass, type ServiceExtension } from './service.ts';

type Cradle = Record<string, unknown>;

/** What one addon brings to the container. */
export interface AddonServices {
  readonly addon: string;
  readonly services: readonly (ServiceClass | ServiceExtension)[];
}

export interface Scope {
  get<T>(key: Key<T> | KeyClass<T>): T;
  dispose(): Promise<void>;
}

export interface ContainerOptions {
  /** Values that live as long as the generation, by name. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Names of values that each request brings. */
  readonly requestValues: readonly string[];
  /** More that is made anew for each request, from the request's other values: `model sale.order`. */
  readonly perRequest?: Readonly<Record<string, (cradle: Cradle) => unknown>>;
  /** In dependency order. */
  readonly addons: readonly AddonServices[];
}

/**
 * Checks and builds a generation's container. Services are made when first asked for.
 *
 * Problems: a name twice, a need that nobody provides, services that need each other in a circle, an extension of a service that is not there.
 */
export function buildContainer(options: ContainerOptions): { container: Container; problems: Problem[] } {
  const { services, problems } = collect(options.addons);
  const perRequest = new Set([...options.requestValues, ...Object.keys(options.perRequest ?? {})]);
  const known = new Set([...Object.keys(options.values), ...perRequest, ...services.keys()]);
  for (const { addon, Class } of services.values()) problems.push(...missing(addon, Class, known));
  problems.push(...circles(services));
  const awilix = createContainer<Cradle>({ strict: true });
  const resolvers = Object.entries(options.values).map(([name, one]) => [name, asValue(one)] as const);
  const made = Object.entries(options.perRequest ?? {}).map(
    ([name, make]) => [name, asFunction(make).scoped()] as const,
  );
  awilix.register(Object.fromEntries([...resolvers, ...made]));
  for (const [name, { Class }] of services) {
    const resolver = asClass(Class as unknown as new (cradle: Cradle) => { dispose?(): void | Promise<void> });
    const perRequestToo = isPerRequest(Class, services, perRequest);
    if (perRequestToo) perRequest.add(name);
    awilix.register(
      name,
      (perRequestToo ? resolver.scoped() : resolver.singleton()).disposer((one) => one.dispose?.()),
    );
  }
  return { container: new Container(awilix, perRequest), problems };
}

interface OwnedService {
  readonly addon: string;
  readonly Class: ServiceClass;
}

function collect(addons: readonly AddonServices[]): { services: Map<string, OwnedService>; problems: Problem[] } {
  const problems: Problem[] = [];
  const bases = new Map<string, OwnedService>();
  const extensions = new Map<string, ServiceExtension[]>();
  for (const { addon, services } of addons) {
    for (const one of services) {
      const { name } = keyOf('over' in one ? one.base : one);
      const other = bases.get(name);
      if (!('over' in one) && other) {
        problems.push({ addon, message: `service "${name}" is already provided by addon ${other.addon}.` });
      } else if (!('over' in one)) bases.set(name, { addon, Class: one });
      else if (other) extensions.set(name, [...(extensions.get(name) ?? []), one]);
      else {
        problems.push({
          addon,
          message: `extends service "${name}", which no addon before it provides.`,
          remedy: 'List the addon that provides it in `depends`, and the service in its `services`.',
        });
      }
    }
  }
  const services = new Map(
    [...bases].map(([name, { addon, Class }]) => [name, { addon, Class: composed(Class, extensions.get(name) ?? []) }]),
  );
  return { services, problems };
}

function missing(addon: string, { key, needs }: ServiceClass, known: ReadonlySet<string>): Problem[] {
  return Object.entries(needs)
    .filter(([, need]) => !known.has(keyOf(need).name))
    .map(([property, need]) => ({
      addon,
      message: `service "${key.name}" needs ${titleOf(keyOf(need))} (as \`${property}\`), which no enabled addon provides.`,
      remedy: 'List the addon that provides it in `depends`, and the service in its `services`.',
    }));
}

function titleOf({ kind, name }: Key<unknown>): string {
  return kind === 'service' ? `service "${name}"` : `"${name}"`;
}

/** Each circle once, told by its alphabetically first member. */
function circles(services: ReadonlyMap<string, OwnedService>): Problem[] {
  const needed = (name: string) => Object.values(services.get(name)?.Class.needs ?? {}).map((need) => keyOf(need).name);
  return [...services].flatMap(([name, { addon }]): Problem[] => {
    const circle = wayBack(name, needed);
    if (!circle || circle.toSorted()[0] !== name) return [];
    return [
      {
        addon,
        message: `services need each other in a circle: ${[...circle, name].map((one) => `"${one}"`).join(' → ')}.`,
      },
    ];
  });
}

/** Whether it, or a service that it needs, needs something of the request. */
function isPerRequest(
  { needs }: ServiceClass,
  services: ReadonlyMap<string, OwnedService>,
  perRequest: ReadonlySet<string>,
): boolean {
  const namesOf = (some: Needs = {}) => Object.values(some).map((need) => keyOf(need).name);
  const all = reachable(namesOf(needs), (name) => namesOf(services.get(name)?.Class.needs));
  return !all.isDisjointFrom(perRequest);
}

const nothing = asValue(undefined);
const mostSpare = 64;

/** The container of one generation: the application's values, the built points, and the services of its addons. */
export class Container {
  readonly #awilix: AwilixContainer<Cradle>;
  readonly #perRequest: ReadonlySet<string>;
  /** What was resolved before: awilix looks at its registrations each time. */
  readonly #known = new Map<string, unknown>();
  /** Scopes whose request has ended, for the next ones: V8 keeps a scope until it collects its old space. */
  readonly #spare: AwilixContainer<Cradle>[] = [];

  constructor(awilix: AwilixContainer<Cradle>, perRequest: ReadonlySet<string>) {
    this.#awilix = awilix;
    this.#perRequest = perRequest;
  }

  /** What lives as long as the generation; throws for what is not there. */
  get<T>(key: Key<T> | KeyClass<T>): T {
    const { name } = keyOf(key);
    const known = this.#known.get(name);
    if (known !== undefined) return known as T;
    if (!this.#awilix.hasRegistration(name)) throw absent(name);
    const found = this.#awilix.resolve<T>(name);
    this.#known.set(name, found);
    return found;
  }

  /** Puts another value in the place of one, before it serves. */
  replace<T>({ name }: Key<T>, value: T): void {
    this.#awilix.register(name, asValue(value));
    this.#known.set(name, value);
  }

  /** The same for one request, with its values by name (`ctx`). Dispose it when the request has ended: from then on it answers nothing of the request. */
  scope(values: Readonly<Record<string, unknown>>): Scope {
    // Most requests ask for what lives as long as the generation, and a scope is not free.
    let scope: AwilixContainer<Cradle> | null = null;
    let ended = false;
    return {
      get: <T>(key: Key<T> | KeyClass<T>): T => {
        const { name } = keyOf(key);
        if (!this.#perRequest.has(name)) return this.get(key);
        if (ended) throw new Error(`"${name}" was asked for after the request had ended.`);
        if (!scope) {
          scope = this.#spare.pop() ?? this.#awilix.createScope<Cradle>();
          for (const [own, one] of Object.entries(values)) scope.register(own, asValue(one));
        }
        return scope.resolve<T>(name);
      },
      dispose: async () => {
        // A second time it may be another request's already.
        if (ended) return;
        ended = true;
        if (!scope) return;
        await scope.dispose();
        for (const own of Object.keys(values)) scope.register(own, nothing);
        // A map that is cleared keeps what was in it as long as V8 keeps the map.
        Object.assign(scope, { cache: new Map() });
        if (this.#spare.length < mostSpare) this.#spare.push(scope);
      },
    };
  }

  dispose(): Promise<void> {
    return this.#awilix.dispose();
  }
}

function absent(name: string): Error {
  return new Error(
    `"${name}" is not there: the addon that provides it is not enabled, or does not list it in its addon.ts.`,
  );
}
