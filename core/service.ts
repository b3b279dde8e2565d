import type { Config } from './config.ts';
import type { Ctx } from './context.ts';
import type { FileStore } from './files/types.ts';
import type { Log } from './log.ts';
import type { ModelRef } from './model/types.ts';

/**
 * A typed name for something the container makes. `singleton` lives as long as its generation; `request` as long as one context.
 */
export interface ServiceToken<T> {
  readonly kind: 'service';
  /** `addon.thing` */
  readonly name: string;
  readonly lifetime: 'singleton' | 'request';
  readonly deps: Readonly<Record<string, Dependency>>;
  // biome-ignore lint/suspicious/noExplicitAny: checked where it is declared, by `service`
  readonly make: (deps: any) => T;
  /** Called when the generation (or context) ends. */
  // biome-ignore lint/suspicious/noExplicitAny: checked where it is declared, by `service`
  readonly dispose?: (made: any) => void | Promise<void>;
  readonly $?: T;
}

/** Things of the kernel that a service may depend on. */
export interface KernelToken<T> {
  readonly kind: 'kernel';
  readonly name: 'config' | 'log' | 'files' | 'ctx';
  readonly $?: T;
}

export const kernel: {
  readonly config: KernelToken<Config>;
  readonly log: KernelToken<Log>;
  readonly files: KernelToken<FileStore>;
  /** The context of the request; makes the service a `request` one. */
  readonly ctx: KernelToken<Ctx>;
} = Object.freeze({
  config: { kind: 'kernel', name: 'config' },
  log: { kind: 'kernel', name: 'log' },
  files: { kind: 'kernel', name: 'files' },
  ctx: { kind: 'kernel', name: 'ctx' },
});

export type Dependency = ServiceToken<unknown> | KernelToken<unknown> | ModelRef;
type Made<D> = {
  readonly [K in keyof D]: D[K] extends { readonly $?: infer T; readonly kind: string }
    ? NonNullable<T>
    : D[K] extends ModelRef<infer I>
      ? I
      : never;
};

/**
 * Declares a service: what it is called, what it needs, how it is made. Missing needs, cycles, and a singleton that reaches for a
 * request's value (a model, `kernel.ctx`, a request service) are problems of the generation's build.
 *
 * ```ts
 * export const karma = service('forum.karma', { lifetime: 'request', deps: { posts: Post, mail: mailer }, make: ({ posts, mail }) => ({ … }) });
 * ```
 */
export function service<T, const D extends Readonly<Record<string, Dependency>> = Record<never, never>>(
  name: string,
  definition: {
    lifetime?: 'singleton' | 'request';
    deps?: D;
    make: (deps: Made<D>) => T;
    dispose?: (made: T) => void | Promise<void>;
  },
): ServiceToken<T> {
  const { lifetime = 'singleton', deps, make, dispose } = definition;
  return Object.freeze({ kind: 'service', name, lifetime, deps: deps ?? {}, make, dispose });
}
