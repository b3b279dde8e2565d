import { declaredHere } from '../base/index.ts';
import { type Key, type KeyClass, keyOf, type Needs, type Resolved } from './key.ts';

/** Base class of a service: instances have its needs as properties. */
export type ServiceBase<N extends Needs> = {
  new (cradle: Readonly<Record<string, unknown>>): Resolved<N>;
  readonly key: Key<unknown>;
  readonly needs: N;
};

/** A service class, as listed by addons. */
export type ServiceClass<T = object> = KeyClass<T> & { readonly needs: Needs };

/** An addon's extension of another addon's service. */
export interface ServiceExtension {
  readonly base: ServiceClass;
  readonly needs: Needs;
  readonly over: (Base: ServiceClass) => ServiceClass;
}

/**
 * Returns the base class for a new service. Its needs come from the container; there is one instance per generation, or per request if one
 * of its needs belongs to the request. Its `dispose` method, if any, is called when the generation (or request) has ended.
 *
 * ```ts
 * export class Pricing extends service('sale.pricing', { taxes: Taxes, ctx: app.ctx }) {
 *   unitPrice(product: Product): Decimal { … this.taxes … }
 * }
 * ```
 *
 * @param name `addon.thing`
 */
export function service<const N extends Needs = Record<never, never>>(name: string, needs?: N): ServiceBase<N> {
  const all = needs ?? {};
  class Service {
    static readonly key: Key<unknown> = Object.freeze({ kind: 'service', name });
    static readonly needs: Needs = all;

    constructor(cradle: Readonly<Record<string, unknown>>) {
      injectNeeds(this, all, cradle);
    }
  }
  // `injectNeeds` sets the properties that the type promises.
  return declaredHere(Service, service) as unknown as ServiceBase<N>;
}

/**
 * Extends another addon's service with more needs and methods that call `super`. `ctx.get(Pricing)` then returns the extended service
 * everywhere.
 *
 * ```ts
 * export const TicketPricing = extendService(Pricing, { seats: Seats }, (Base) => class extends Base {
 *   override unitPrice(product: Product): Decimal { return … super.unitPrice(product) … this.seats … }
 * });
 * ```
 */
export function extendService<T extends object, const N extends Needs>(
  base: ServiceClass<T>,
  needs: N,
  over: (Base: new (cradle: Readonly<Record<string, unknown>>) => T & Resolved<N>) => abstract new (
    // biome-ignore lint/suspicious/noExplicitAny: constructor arguments of the class above
    ...args: any[]
  ) => T,
): ServiceExtension {
  return Object.freeze(declaredHere({ base, needs, over: over as unknown as ServiceExtension['over'] }, extendService));
}

/** Returns the service with all its extensions; the last addon's is outermost. */
export function composed(base: ServiceClass, extensions: readonly ServiceExtension[]): ServiceClass {
  const top = extensions.reduce((Below, { over }) => over(Below), base) as unknown as new (
    cradle: Readonly<Record<string, unknown>>,
  ) => object;
  const more = Object.assign({}, ...extensions.map(({ needs }) => needs)) as Needs;
  const Composed = class extends top {
    static readonly key: Key<unknown> = base.key;
    static readonly needs: Needs = { ...base.needs, ...more };

    constructor(cradle: Readonly<Record<string, unknown>>) {
      super(cradle);
      injectNeeds(this, more, cradle);
    }
  };
  return Composed;
}

function injectNeeds(service: object, needs: Needs, cradle: Readonly<Record<string, unknown>>): void {
  for (const [property, need] of Object.entries(needs)) {
    Object.defineProperty(service, property, { value: cradle[keyOf(need).name], enumerable: true });
  }
}
