import { hash } from 'node:crypto';
import { type Ctx, contextTools, namedCache, type RequestView, roughBytes } from '@pergola/core';
import { followIdentity, followSession, groupKey, type PageParts, RenderTracker } from '@pergola/page-cache';
import type { SiteState } from '../site.ts';
import type { HttpApplication } from '../types.ts';
import type { RenderAbout } from './render.ts';

/** Bytes that the parts may take. */
const MOST_BYTES = 8_000_000;
/** What a part was made from takes about so much. */
const READS_BYTES = 500;

/** What of a request is part of a part's key: its origin for all, path and address for those that read them. */
const inKey: ReadonlySet<string | symbol> = new Set(['origin', 'path', 'url']);

interface Kept {
  readonly parts: PageParts;
  readonly reads: RenderTracker;
  readonly state: SiteState;
}

/**
 * Makes the parts of one text, or finds them made. `what` is a block or a fragment of an addon, `block website.menu`; `shared` names those with
 * which it shares what was read: the parts of its addon, unless it is to be made anew more often than they are.
 */
export type PartMaker = (
  what: string,
  options: Readonly<Record<string, unknown>>,
  make: (about: RenderAbout) => Promise<PageParts>,
  shared?: string,
) => Promise<PageParts>;

/**
 * Keeps rendered blocks and fragments until something they were made from changes: pages that are made anew, or for one visitor only, share the parts that
 * are the same for all. A part that reads what belongs to its visitor or its page is made each time.
 */
export class KeptParts {
  readonly #application: HttpApplication;
  readonly #kept = namedCache<string, Kept>('page_parts', {
    maxSize: MOST_BYTES,
    sizeCalculation: ({ parts }, key) => READS_BYTES + key.length * 2 + roughBytes(parts.parts),
  });

  constructor(application: HttpApplication) {
    this.#application = application;
  }

  /** For the parts of one text; what they share within an addon is read once, and what stands in it twice is made once. */
  of(about: RenderAbout): PartMaker {
    if (!this.#mayKeep(about)) return async (_what, _options, make) => make(about);
    const followed = new Map<string, { readonly ctx: Ctx; readonly reads: RenderTracker }>();
    const begun = new Map<string, Promise<PageParts>>();
    const base = keyOf(about);
    const { address, target } = about.info;
    return async (what, options, make, shared) => {
      const anywhere = `${base} ${what} ${JSON.stringify(options)}`;
      const onPath = `${anywhere} ${address.path}`;
      // Of queries there is no end.
      const atUrl = target.query === '' ? `${anywhere} =${target.path}` : null;
      const shareable = this.#kept.get(anywhere) ?? this.#kept.get(onPath);
      const known = shareable ?? (atUrl ? this.#kept.get(atUrl) : undefined);
      if (known?.state === about.info.state && known.reads.holds) {
        known.reads.passOn(about.tracker);
        if (!shareable) about.tracker?.address();
        return known.parts;
      }
      const makeAndKeep = async (): Promise<PageParts> => {
        const addon = /\w+(?=\.)/.exec(what)?.[0] ?? '';
        const { ctx, reads } = followed.get(shared ?? addon) ?? this.#follow(about.ctx);
        followed.set(shared ?? addon, { ctx, reads });
        const read = new Set<string | symbol>();
        const view = watched(about.view, read);
        const fragment = placeOf(about.fragment, what, options);
        const parts = await make({ ...about, ctx, view, tracker: reads, fragment });
        reads.passOn(about.tracker);
        const key = read.has('url') ? atUrl : read.has('path') ? onPath : anywhere;
        if (key !== null && read.isSubsetOf(inKey) && reads.holds) {
          this.#kept.set(key, { parts, reads, state: about.info.state });
        }
        return parts;
      };
      const made = begun.get(anywhere) ?? makeAndKeep();
      begun.set(anywhere, made);
      return made;
    };
  }

  /** Not within a transaction, which sees what others do not; nor for somebody whose change this process may not have heard of. */
  #mayKeep({ ctx, info }: RenderAbout): boolean {
    return !ctx.writes && !this.#application.pageCache.wroteElsewhere(info.cookies);
  }

  #follow(ctx: Ctx): { readonly ctx: Ctx; readonly reads: RenderTracker } {
    const reads = new RenderTracker(this.#application.database.changes);
    const identity = followIdentity(ctx.user, reads);
    const session = followSession(ctx.session, reads);
    return { ctx: ctx.get(contextTools).derive({ identity, session, tracker: reads }), reads };
  }
}

/** Everything a part may depend on that no table tells, besides its options. */
function keyOf({ ctx, info, fragment }: RenderAbout): string {
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

/** Where islands of a part stand: their ids are those of no other part of a page that it is put into. */
function placeOf(within: string | undefined, what: string, options: object): string {
  const which = Object.keys(options).length === 0 ? '' : hashed(JSON.stringify(options));
  return [within, what, which].filter(Boolean).join(' ');
}

function hashed(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 6);
}

/** The request, with what is read of it noted. */
function watched(view: RequestView, read: Set<string | symbol>): RequestView {
  return new Proxy(view, {
    get(target, name) {
      read.add(name);
      return Reflect.get(target, name, target);
    },
  });
}
