import { hash } from 'node:crypto';
import { namedCache, roughBytes } from '@pergola/caches';
import { type Ctx, contextTools, type RequestView } from '@pergola/core';
import { followIdentity, followSession, groupKey, type PageParts, RenderTracker } from '@pergola/page-cache';
import type { SiteState } from '../site.ts';
import type { HttpApplication } from '../types.ts';
import type { Rendering } from './render.ts';

/** Size limit for all parts, in bytes. */
const MAX_BYTES = 8_000_000;
/** Estimated size of the recorded reads of a part. */
const READS_BYTES = 500;

/** Request properties covered by a part's key: the origin for all parts, path and address for parts that read them. */
const inKey: ReadonlySet<string | symbol> = new Set(['origin', 'path', 'url']);

interface Kept {
  readonly parts: PageParts;
  readonly reads: RenderTracker;
  readonly state: SiteState;
}

/**
 * Returns the parts of one text from the cache, or makes them. `what` names a block or fragment of an addon, such as `block website.menu`;
 * `shared` names the group of parts whose reads are shared: by default the addon's, or a separate one for parts that are rebuilt more
 * often.
 */
export type PartMaker = (
  partName: string,
  options: Readonly<Record<string, unknown>>,
  make: (rendering: Rendering) => Promise<PageParts>,
  shared?: string,
) => Promise<PageParts>;

/**
 * Caches rendered blocks and fragments until the data they read changes. Pages that are rendered again, or for a single visitor, reuse the
 * parts that are the same for everyone. Parts that read data of their visitor or page are rendered each time.
 */
export class KeptParts {
  readonly #application: HttpApplication;
  readonly #kept = namedCache<string, Kept>('page_parts', {
    maxSize: MAX_BYTES,
    sizeCalculation: ({ parts }, key) => READS_BYTES + key.length * 2 + roughBytes(parts.parts),
  });

  constructor(application: HttpApplication) {
    this.#application = application;
  }

  /** Part maker for one text: shared reads of an addon run once, and a part that occurs twice is rendered once. */
  of(about: Rendering): PartMaker {
    if (!this.#mayKeep(about)) return async (_what, _options, make) => make(about);
    const followed = new Map<string, { readonly ctx: Ctx; readonly reads: RenderTracker }>();
    const running = new Map<string, Promise<PageParts>>();
    const base = keyOf(about);
    const { address, target } = about.info;
    return async (partName, options, make, shared) => {
      const anywhere = `${base} ${partName} ${JSON.stringify(options)}`;
      const onPath = `${anywhere} ${address.path}`;
      // The number of possible queries is unlimited.
      const atUrl = target.query === '' ? `${anywhere} =${target.path}` : null;
      const shareable = this.#kept.get(anywhere) ?? this.#kept.get(onPath);
      const cachedPart = shareable ?? (atUrl ? this.#kept.get(atUrl) : undefined);
      if (cachedPart?.state === about.info.state && cachedPart.reads.holds) {
        cachedPart.reads.passOn(about.tracker);
        if (!shareable) about.tracker?.address();
        return cachedPart.parts;
      }
      const makeAndKeep = async (): Promise<PageParts> => {
        const addon = /\w+(?=\.)/.exec(partName)?.[0] ?? '';
        const { ctx, reads } = followed.get(shared ?? addon) ?? this.#follow(about.ctx);
        followed.set(shared ?? addon, { ctx, reads });
        const read = new Set<string | symbol>();
        const view = watched(about.view, read);
        const fragment = placeOf(about.fragment, partName, options);
        const parts = await make({ ...about, ctx, view, tracker: reads, fragment });
        reads.passOn(about.tracker);
        const key = read.has('url') ? atUrl : read.has('path') ? onPath : anywhere;
        if (key !== null && read.isSubsetOf(inKey) && reads.holds) {
          this.#kept.set(key, { parts, reads, state: about.info.state });
        }
        return parts;
      };
      const partPromise = running.get(anywhere) ?? makeAndKeep();
      running.set(anywhere, partPromise);
      return partPromise;
    };
  }

  /** Not inside a transaction, which sees uncommitted data, nor for a visitor whose latest change may not have reached this process. */
  #mayKeep({ ctx, info }: Rendering): boolean {
    return !ctx.writes && !this.#application.pageCache.wroteElsewhere(info.cookies);
  }

  #follow(ctx: Ctx): { readonly ctx: Ctx; readonly reads: RenderTracker } {
    const reads = new RenderTracker(this.#application.database.changes);
    const identity = followIdentity(ctx.user, reads);
    const session = followSession(ctx.session, reads);
    return { ctx: ctx.get(contextTools).derive({ identity, session, tracker: reads }), reads };
  }
}

/** Everything a part may depend on apart from tables and its options. */
function keyOf({ ctx, info, fragment }: Rendering): string {
  return JSON.stringify([
    info.site.generation.number,
    info.host.origin,
    ctx.lang,
    ctx.timezone,
    info.attributeKeys,
    info.session.exists,
    groupKey(ctx.user.groups),
    fragment,
  ]);
}

/** Location of a part's islands, so that their ids are unique on any page that contains the part. */
function placeOf(parentFragment: string | undefined, partName: string, options: object): string {
  const optionsHash = Object.keys(options).length === 0 ? '' : hashed(JSON.stringify(options));
  return [parentFragment, partName, optionsHash].filter(Boolean).join(' ');
}

function hashed(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 6);
}

/** Wraps the request and records which properties are read. */
function watched(view: RequestView, read: Set<string | symbol>): RequestView {
  return new Proxy(view, {
    get(target, name) {
      read.add(name);
      return Reflect.get(target, name, target);
    },
  });
}
