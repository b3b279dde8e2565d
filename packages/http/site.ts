import { namedCache } from '@pergola/caches';
import type { Generation } from '@pergola/core';
import {
  type ContextOptions,
  type Ctx,
  type Identity,
  noSession,
  type RequestAttributes,
  type Tracker,
  values,
} from '@pergola/core';
import type { Id } from '@pergola/orm';
import { LiveValue, type RequestAttribute, type ResolvableRequest, requestAttributes } from '@pergola/page-cache';
import {
  type BlockDefinition,
  blocks,
  type FragmentDefinition,
  fragments,
  type RenderingRule,
  rendering,
} from '@pergola/pages';
import { DEFAULT_ZONE } from '@pergola/texts';
import type { Address, AddressResolver } from './address.ts';
import { type IdentityProvider, withImplied } from './identity.ts';
import { pageLangOf } from './page-context.ts';
import { address, fallbacks, identity, routes } from './points.ts';
import type { FallbackDefinition } from './routes/route.ts';
import type { HttpApplication } from './types.ts';

/** Identity without rights: for the core's own reads, and for visitors as long as no addon provides users. */
const noRights: Identity = Object.freeze({
  id: null,
  partnerId: null,
  name: '',
  login: null,
  groups: new Set<string>(),
  lang: null,
  timezone: null,
});

/** Prepared attributes, addresses and the anonymous identity. The same object as long as none of them changes. */
export interface SiteState {
  readonly attributes: readonly { readonly definition: AnyAttribute; readonly state: unknown }[];
  readonly address: { readonly resolver: AddressResolver; readonly state: unknown } | null;
  readonly anonymous: Identity;
  /** Host names served in addition to the configured ones. */
  readonly hosts: readonly string[];
}

/** Result of resolving a request's address, before routing. */
export interface Located {
  readonly attributes: Readonly<RequestAttributes>;
  /** Keys of all attributes, as part of a cached page's key. */
  readonly attributeKeys: string;
  readonly address: Address;
}

/** `pageLang` is the language from a call's body; if omitted, the one from its header or query is used. */
export interface LocateRequest extends Omit<ResolvableRequest, 'attributes'> {
  readonly method: string;
  /** With its `?`, or empty. */
  readonly query: string;
}

type AnyAttribute = RequestAttribute<keyof RequestAttributes, unknown>;

/** Maximum number of cached identities; the least recently used are evicted. */
const MAX_IDENTITIES = 5000;

/** A generation as the HTTP server sees it: its addons' declarations for requests, and their prepared state. */
export class Site {
  readonly generation: Generation;
  readonly fallbacks: readonly FallbackDefinition[];
  readonly fragments: ReadonlyMap<string, FragmentDefinition>;
  // biome-ignore lint/suspicious/noExplicitAny: blocks of any options
  readonly blocks: ReadonlyMap<string, BlockDefinition<any>>;
  /** Rendering rules of addons that apply to every page, with their prepared state. */
  readonly rendering: readonly { readonly rule: RenderingRule; readonly prepared: LiveValue<unknown> }[];
  readonly #application: HttpApplication;
  readonly #provider: IdentityProvider | undefined;
  readonly #attributes: readonly { readonly definition: AnyAttribute; readonly prepared: LiveValue<unknown> }[];
  readonly #address: { readonly resolver: AddressResolver; readonly prepared: LiveValue<unknown> } | null;
  readonly #anonymous: LiveValue<Identity>;
  readonly #identities = namedCache<Id, LiveValue<Identity | null>>('identities', {
    max: MAX_IDENTITIES,
    entryBytes: 2000,
  });
  #state: SiteState | null = null;

  constructor(application: HttpApplication, generation: Generation) {
    this.#application = application;
    this.generation = generation;
    this.fallbacks = generation.get(fallbacks);
    this.fragments = generation.get(fragments);
    this.blocks = generation.get(blocks);
    this.#provider = generation.get(identity).at(-1);
    this.#attributes = generation
      .get(requestAttributes)
      .map((definition: AnyAttribute) => ({ definition, prepared: this.#liveValue((ctx) => definition.prepare(ctx)) }));
    this.rendering = generation.get(rendering).map((rule) => ({
      rule,
      prepared: this.#liveValue(async (ctx) => rule.prepare?.(ctx)),
    }));
    const resolver = generation.get(address).at(-1);
    this.#address = resolver ? { resolver, prepared: this.#liveValue((ctx) => resolver.prepare(ctx)) } : null;
    this.#anonymous = this.#liveValue(async (ctx) =>
      this.#provider ? withImplied(generation, await this.#provider.anonymous(ctx)) : noRights,
    );
  }

  /** Prepared state if all of it is still valid; never waits. */
  peek(): SiteState | null {
    const anonymous = this.#anonymous.peek();
    const address = this.#address?.prepared.peek();
    if (!anonymous || address === null) return null;
    const attributes: unknown[] = [];
    for (const { prepared } of this.#attributes) {
      const attribute = prepared.peek();
      if (!attribute) return null;
      attributes.push(attribute.value);
    }
    return this.#stateOf(anonymous.value, address?.value, attributes);
  }

  /** Prepared state, refreshed first if stale. */
  async state(): Promise<SiteState> {
    return (
      this.peek() ??
      this.#stateOf(
        ...(await Promise.all([
          this.#anonymous.get(),
          this.#address?.prepared.get(),
          Promise.all(this.#attributes.map(({ prepared }) => prepared.get())),
        ])),
      )
    );
  }

  /** Identity of a session's user, or the anonymous identity if the user is deleted or disabled. */
  async identity(userId: Id | null): Promise<Identity> {
    if (userId === null || !this.#provider) return (await this.state()).anonymous;
    const identity = this.#identities.get(userId) ?? this.#liveValue((ctx) => this.#load(ctx, userId));
    this.#identities.set(userId, identity);
    return (await identity.get()) ?? (await this.state()).anonymous;
  }

  async #load(ctx: Ctx, userId: Id): Promise<Identity | null> {
    const identity = (await this.#provider?.load(ctx, userId)) ?? null;
    return identity && withImplied(this.generation, identity);
  }

  /** Determines attributes, language, path and early redirects; pure. */
  locate(state: SiteState, request: LocateRequest, userLang: string | null): Located {
    const attributes: Record<string, unknown> = {};
    const keys: string[] = [];
    const { host, path, cookies, headers, method, query } = request;
    const pageLang = request.pageLang ?? pageLangOf(headers, query);
    for (const { definition, state: prepared } of state.attributes) {
      const value = definition.resolve(prepared, {
        host,
        path,
        cookies,
        headers,
        pageLang,
        attributes: { ...attributes } as Partial<RequestAttributes>,
      });
      attributes[definition.name] = value;
      keys.push(definition.key(value));
    }
    const address = this.#addressOf(state, {
      host,
      path,
      cookies,
      headers,
      pageLang,
      attributes,
      method,
      query,
      userLang,
    });
    return { attributes: attributes as Readonly<RequestAttributes>, attributeKeys: keys.join('\u0001'), address };
  }

  /** A path of this site in the given language. */
  localize(state: SiteState, path: string, lang: string, attributes: Readonly<RequestAttributes>): string {
    return state.address ? state.address.resolver.localize(state.address.state, path, lang, attributes) : path;
  }

  #addressOf({ address }: SiteState, request: Omit<Parameters<AddressResolver['resolve']>[1], 'multilang'>): Address {
    if (address) {
      const multilang = (path: string) => this.generation.get(routes).isMultilang(path);
      return address.resolver.resolve(address.state, { ...request, multilang });
    }
    const languages = this.generation.get(values.languages);
    const { pageLang = null, userLang, path } = request;
    const lang = [pageLang, userLang].find((code) => code !== null && languages.includes(code));
    return { path, lang: lang ?? languages[0] ?? 'en_US' };
  }

  #stateOf(anonymous: Identity, address: unknown, attributes: readonly unknown[]): SiteState {
    const previous = this.#state;
    if (
      previous?.anonymous === anonymous &&
      previous.address?.state === address &&
      previous.attributes.every(({ state }, index) => state === attributes[index])
    ) {
      return previous;
    }
    const resolver = this.#address?.resolver;
    this.#state = {
      anonymous,
      address: resolver ? { resolver, state: address } : null,
      attributes: this.#attributes.map(({ definition }, index) => ({ definition, state: attributes[index] })),
      hosts: resolver?.hosts?.(address) ?? [],
    };
    return this.#state;
  }

  /** A value loaded with elevated rights: its purpose is declared in code, and each visitor gets only what the code resolves from it. */
  #liveValue<T>(load: (ctx: Parameters<IdentityProvider['anonymous']>[0]) => Promise<T>): LiveValue<T> {
    const { database } = this.#application;
    return new LiveValue(database.changes, (tracker) => this.#application.read(this.#contextOptions(tracker), load));
  }

  #contextOptions(tracker: Tracker): ContextOptions {
    return {
      generation: this.generation,
      identity: noRights,
      lang: this.generation.get(values.languages)[0] ?? 'en_US',
      // Prepared state is the same for every site and reader, and determines the site's time zone in the first place.
      timezone: DEFAULT_ZONE,
      siteTimezone: DEFAULT_ZONE,
      attributes: {} as RequestAttributes,
      session: noSession,
      log: this.#application.log,
      tracker,
      su: true,
      label: 'prepare',
    };
  }
}
