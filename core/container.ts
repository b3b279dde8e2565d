// Without what loads modules by file patterns, which nothing here does.
import { type AwilixContainer, asFunction, asValue, createContainer, InjectionMode } from 'awilix/browser';
import type { Config } from './config.ts';
import type { Ctx } from './context.ts';
import type { Problem } from './errors.ts';
import type { FileStore } from './files/types.ts';
import type { Log } from './log.ts';
import type { ModelRef } from './model/types.ts';
import type { Dependency, ServiceToken } from './service.ts';

/** The services of one generation. Nobody is handed the container itself: a service gets exactly what it declared. */
export interface ServiceContainer {
  /** A service for one context: singletons from the generation, request services made once per scope. */
  resolve<T>(token: ServiceToken<T>, scope: ServiceScope): T;
  /** A scope for one context; dispose it when the context ends. */
  scope(ctx: Ctx): ServiceScope;
  /** Disposes the singletons, when the last request of the generation has ended. */
  dispose(): Promise<void>;
}
export interface ServiceScope {
  resolve<T>(token: ServiceToken<T>): T;
  dispose(): Promise<void>;
}

interface Owned {
  readonly addon: string;
  readonly token: ServiceToken<unknown>;
}

/**
 * Checks and builds the container of a generation. Services themselves are made when first asked for.
 *
 * Problems: a name twice, a dependency nobody provides, a cycle, a singleton that reaches for a request's value.
 */
export function buildServices(
  addons: readonly { readonly name: string; readonly services: readonly ServiceToken<unknown>[] }[],
  kernelValues: { config: Config; log: Log; files: FileStore },
  modelNames: ReadonlySet<string>,
): { container: ServiceContainer; problems: Problem[] } {
  const owned = new Map<string, Owned>();
  const problems: Problem[] = [];
  for (const { name: addon, services } of addons) {
    for (const token of services) {
      const other = owned.get(token.name);
      if (other)
        problems.push({ addon, message: `service "${token.name}" is already provided by addon ${other.addon}.` });
      else owned.set(token.name, { addon, token });
    }
  }
  problems.push(...dependencyProblems(owned, modelNames));
  return { container: new Container(owned, kernelValues), problems };
}

function dependencyProblems(owned: ReadonlyMap<string, Owned>, modelNames: ReadonlySet<string>): Problem[] {
  const problems: Problem[] = [];
  for (const { addon, token } of owned.values()) {
    for (const [key, dep] of Object.entries(token.deps)) {
      const problem = problemOf(token, key, dep, owned, modelNames);
      if (problem) problems.push({ addon, ...problem });
    }
  }
  for (const { addon, token } of owned.values()) {
    const cycle = findCycle(token, owned, []);
    // Each cycle is told once, by its alphabetically first member.
    if (cycle && [...cycle].sort()[0] === token.name) {
      problems.push({ addon, message: `services need each other in a circle: ${[...cycle, cycle[0]].join(' → ')}.` });
    }
  }
  return problems;
}

function problemOf(
  token: ServiceToken<unknown>,
  key: string,
  dep: Dependency,
  owned: ReadonlyMap<string, Owned>,
  modelNames: ReadonlySet<string>,
): Omit<Problem, 'addon'> | null {
  if (isModel(dep)) {
    if (!modelNames.has(dep.modelName)) {
      return {
        message: `service "${token.name}" needs model ${dep.modelName} (as ${key}), which no enabled addon brings.`,
      };
    }
    return token.lifetime === 'singleton' ? reachesForRequest(token, `model ${dep.modelName}`) : null;
  }
  if (dep.kind === 'kernel') {
    return dep.name === 'ctx' && token.lifetime === 'singleton'
      ? reachesForRequest(token, 'the request context')
      : null;
  }
  const needed = owned.get(dep.name);
  if (!needed) {
    return {
      message: `service "${token.name}" needs service "${dep.name}" (as ${key}), which no enabled addon provides.`,
      remedy: 'List the addon that provides it in `depends`, and the service in its `services`.',
    };
  }
  const mixed = token.lifetime === 'singleton' && needed.token.lifetime === 'request';
  return mixed ? reachesForRequest(token, `request service "${dep.name}"`) : null;
}

function reachesForRequest(token: ServiceToken<unknown>, what: string): Omit<Problem, 'addon'> {
  return {
    message: `singleton service "${token.name}" reaches for ${what}, which lives only as long as one request.`,
    remedy: "Give the service `lifetime: 'request'`.",
  };
}

function findCycle(
  token: ServiceToken<unknown>,
  owned: ReadonlyMap<string, Owned>,
  path: readonly string[],
): string[] | null {
  const at = path.indexOf(token.name);
  if (at >= 0) return at === 0 ? [...path] : null;
  for (const dep of Object.values(token.deps)) {
    const next = isModel(dep) || dep.kind === 'kernel' ? undefined : owned.get(dep.name);
    const cycle = next && findCycle(next.token, owned, [...path, token.name]);
    if (cycle) return cycle;
  }
  return null;
}

function isModel(dep: Dependency): dep is ModelRef {
  return typeof dep === 'function';
}

const CTX = 'kernel ctx';

class Container implements ServiceContainer {
  readonly #awilix: AwilixContainer<Record<string, unknown>>;
  readonly #owned: ReadonlyMap<string, Owned>;
  readonly #singletons = new Map<string, unknown>();

  constructor(owned: ReadonlyMap<string, Owned>, kernelValues: { config: Config; log: Log; files: FileStore }) {
    this.#owned = owned;
    this.#awilix = createContainer<Record<string, unknown>>({ strict: true, injectionMode: InjectionMode.PROXY });
    this.#awilix.register(
      Object.fromEntries(Object.entries(kernelValues).map(([name, value]) => [`kernel ${name}`, asValue(value)])),
    );
    for (const { token } of owned.values()) {
      const resolver = asFunction((cradle: Record<string, unknown>) => token.make(dependenciesOf(token, cradle)));
      const placed = token.lifetime === 'singleton' ? resolver.singleton() : resolver.scoped();
      this.#awilix.register(token.name, token.dispose ? placed.disposer(token.dispose) : placed);
    }
  }

  resolve<T>(token: ServiceToken<T>, scope: ServiceScope): T {
    return scope.resolve(token);
  }

  scope(ctx: Ctx): ServiceScope {
    // Most contexts ask for singletons only, and a scope is not free.
    let scope: AwilixContainer<Record<string, unknown>> | null = null;
    return {
      resolve: <T>(token: ServiceToken<T>): T => {
        const lifetime = this.#owned.get(token.name)?.token.lifetime;
        if (lifetime === undefined) {
          throw new Error(
            `Service "${token.name}" is not there: the addon that provides it is not enabled, or does not list it in \`services\`.`,
          );
        }
        if (lifetime === 'singleton') return this.#singleton(token);
        if (!scope) {
          scope = this.#awilix.createScope<Record<string, unknown>>();
          scope.register(CTX, asValue(ctx));
        }
        return scope.resolve<T>(token.name);
      },
      dispose: async () => scope?.dispose(),
    };
  }

  #singleton<T>({ name }: ServiceToken<T>): T {
    if (!this.#singletons.has(name)) this.#singletons.set(name, this.#awilix.resolve(name));
    return this.#singletons.get(name) as T;
  }

  dispose(): Promise<void> {
    return this.#awilix.dispose();
  }
}

function dependenciesOf(token: ServiceToken<unknown>, cradle: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(token.deps).map(([key, dep]) => {
      if (isModel(dep)) return [key, (cradle[CTX] as Ctx).model(dep)];
      return [key, cradle[dep.kind === 'kernel' ? `kernel ${dep.name}` : dep.name]];
    }),
  );
}
