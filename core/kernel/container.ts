// The browser build, without loading modules by file patterns, which isn't used here.
import { type AwilixContainer, asClass, asFunction, asValue, createContainer } from 'awilix/browser';
import { type Problem, reachable, wayBack } from '../base/index.ts';
import { type Key, type KeyClass, keyOf, type Needs } from './key.ts';
import { composed, type ServiceClass, type ServiceExtension } from './service.ts';

type Cradle = Record<string, unknown>;

/** Services and extensions of one addon. */
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
  /** Names of values provided by each request. */
  readonly requestValues: readonly string[];
  /** Other values created for each request from its values: `model sale.order`. */
  readonly perRequest?: Readonly<Record<string, (cradle: Cradle) => unknown>>;
  /** In dependency order. */
  readonly addons: readonly AddonServices[];
}

/**
 * Checks and builds a generation's container. Services are created when first requested.
 *
 * Reports duplicate names, needs that nothing provides, services that need each other in a circle, and extensions of missing services.
 */
export function buildContainer(options: ContainerOptions): { container: Container; problems: Problem[] } {
  const { services, problems } = collect(options.addons);
  const perRequest = new Set([...options.requestValues, ...Object.keys(options.perRequest ?? {})]);
  const providedNames = new Set([...Object.keys(options.values), ...perRequest, ...services.keys()]);
  for (const { addon, Class } of services.values()) problems.push(...missing(addon, Class, providedNames));
  problems.push(...circles(services));
  const awilix = createContainer<Cradle>({ strict: true });
  const resolvers = Object.entries(options.values).map(([name, value]) => [name, asValue(value)] as const);
  const perRequestResolvers = Object.entries(options.perRequest ?? {}).map(
    ([name, make]) => [name, asFunction(make).scoped()] as const,
  );
  awilix.register(Object.fromEntries([...resolvers, ...perRequestResolvers]));
  for (const [name, { Class }] of services) {
    const resolver = asClass(Class as unknown as new (cradle: Cradle) => { dispose?(): void | Promise<void> });
    const needsRequest = isPerRequest(Class, services, perRequest);
    if (needsRequest) perRequest.add(name);
    awilix.register(
      name,
      (needsRequest ? resolver.scoped() : resolver.singleton()).disposer((instance) => instance.dispose?.()),
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
    for (const service of services) {
      const { name } = keyOf('over' in service ? service.base : service);
      const base = bases.get(name);
      if (!('over' in service) && base) {
        problems.push({ addon, message: `service "${name}" is already provided by addon ${base.addon}.` });
      } else if (!('over' in service)) bases.set(name, { addon, Class: service });
      else if (base) extensions.set(name, [...(extensions.get(name) ?? []), service]);
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

function missing(addon: string, { key, needs }: ServiceClass, providedNames: ReadonlySet<string>): Problem[] {
  return Object.entries(needs)
    .filter(([, need]) => !providedNames.has(keyOf(need).name))
    .map(([property, need]) => ({
      addon,
      message: `service "${key.name}" needs ${titleOf(keyOf(need))} (as \`${property}\`), which no enabled addon provides.`,
      remedy: 'List the addon that provides it in `depends`, and the service in its `services`.',
    }));
}

function titleOf({ kind, name }: Key<unknown>): string {
  return kind === 'service' ? `service "${name}"` : `"${name}"`;
}

/** Reports each circle once, for its alphabetically first member. */
function circles(services: ReadonlyMap<string, OwnedService>): Problem[] {
  const neededNames = (name: string) =>
    Object.values(services.get(name)?.Class.needs ?? {}).map((need) => keyOf(need).name);
  return [...services].flatMap(([name, { addon }]): Problem[] => {
    const circle = wayBack(name, neededNames);
    if (!circle || circle.toSorted()[0] !== name) return [];
    return [
      {
        addon,
        message: `services need each other in a circle: ${[...circle, name].map((member) => `"${member}"`).join(' → ')}.`,
      },
    ];
  });
}

/** Whether a service, or one it needs, depends on the request. */
function isPerRequest(
  { needs }: ServiceClass,
  services: ReadonlyMap<string, OwnedService>,
  perRequest: ReadonlySet<string>,
): boolean {
  const namesOf = (needs: Needs = {}) => Object.values(needs).map((need) => keyOf(need).name);
  const all = reachable(namesOf(needs), (name) => namesOf(services.get(name)?.Class.needs));
  return !all.isDisjointFrom(perRequest);
}

const unset = asValue(undefined);
const maxSpareScopes = 64;

/** Container of one generation: the application's values, the built points, and the addons' services. */
export class Container {
  readonly #awilix: AwilixContainer<Cradle>;
  readonly #perRequest: ReadonlySet<string>;
  /** Values resolved before: awilix looks up its registrations each time. */
  readonly #resolved = new Map<string, unknown>();
  /** Scopes of ended requests for reuse: V8 keeps a scope until it collects its old space. */
  readonly #spareScopes: AwilixContainer<Cradle>[] = [];

  constructor(awilix: AwilixContainer<Cradle>, perRequest: ReadonlySet<string>) {
    this.#awilix = awilix;
    this.#perRequest = perRequest;
  }

  /** Returns a value that lives as long as the generation. Throws if it doesn't exist. */
  get<T>(key: Key<T> | KeyClass<T>): T {
    const { name } = keyOf(key);
    const cached = this.#resolved.get(name);
    if (cached !== undefined) return cached as T;
    if (!this.#awilix.hasRegistration(name)) throw missingError(name);
    const value = this.#awilix.resolve<T>(name);
    this.#resolved.set(name, value);
    return value;
  }

  /** Replaces a value before the generation serves. */
  replace<T>({ name }: Key<T>, value: T): void {
    this.#awilix.register(name, asValue(value));
    this.#resolved.set(name, value);
  }

  /**
   * Creates a container for one request with its values by name (`ctx`). Dispose it when the request ends; after that it no longer returns
   * values of the request.
   */
  scope(values: Readonly<Record<string, unknown>>): Scope {
    // Create the scope lazily: most requests only use values that live as long as the generation.
    let scope: AwilixContainer<Cradle> | null = null;
    let ended = false;
    return {
      get: <T>(key: Key<T> | KeyClass<T>): T => {
        const { name } = keyOf(key);
        if (!this.#perRequest.has(name)) return this.get(key);
        if (ended) throw new Error(`"${name}" was asked for after the request had ended.`);
        if (!scope) {
          scope = this.#spareScopes.pop() ?? this.#awilix.createScope<Cradle>();
          for (const [key, value] of Object.entries(values)) scope.register(key, asValue(value));
        }
        return scope.resolve<T>(name);
      },
      dispose: async () => {
        // After the first time, another request may already use the scope.
        if (ended) return;
        ended = true;
        if (!scope) return;
        await scope.dispose();
        for (const key of Object.keys(values)) scope.register(key, unset);
        // A cleared map keeps its contents as long as V8 keeps the map.
        Object.assign(scope, { cache: new Map() });
        if (this.#spareScopes.length < maxSpareScopes) this.#spareScopes.push(scope);
      },
    };
  }

  dispose(): Promise<void> {
    return this.#awilix.dispose();
  }
}

function missingError(name: string): Error {
  return new Error(
    `"${name}" is not there: the addon that provides it is not enabled, or does not list it in its addon.ts.`,
  );
}
