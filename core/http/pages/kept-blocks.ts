import { namedCache, roughBytes } from '../../base/index.ts';
import { groupKey, type PageParts, RenderTracker } from '../../cache/index.ts';
import { type Ctx, internals, type RequestView } from '../../context/index.ts';
import type { SiteState } from '../site.ts';
import type { HttpApplication } from '../types.ts';
import type { RenderAbout } from './render.ts';

/** Bytes that the blocks may take. */
const MOST_BYTES = 8_000_000;
/** What a block was made from takes about so much. */
const READS_BYTES = 500;

/** What of a request is part of a block's key. */
const inKey: ReadonlySet<string | symbol> = new Set(['origin', 'path']);

interface Kept {
  readonly parts: PageParts;
  readonly reads: RenderTracker;
  readonly state: SiteState;
}

/** Makes the blocks of one text, or finds them made. */
export type BlockMaker = (
  id: string,
  options: Readonly<Record<string, unknown>>,
  make: (about: RenderAbout) => Promise<PageParts>,
) => Promise<PageParts>;

/**
 * Keeps rendered blocks until something they were made from changes: pages that are made anew, or for one visitor only, share the blocks that are the
 * same for all. A block that reads what belongs to its visitor or its page is made each time.
 */
export class KeptBlocks {
  readonly #application: HttpApplication;
  readonly #kept = namedCache<string, Kept>('blocks', {
    maxSize: MOST_BYTES,
    sizeCalculation: ({ parts }, key) => READS_BYTES + key.length * 2 + roughBytes(parts.parts),
  });

  constructor(application: HttpApplication) {
    this.#application = application;
  }

  /** For the blocks of one text; what they share within an addon is read once. */
  of(about: RenderAbout): BlockMaker {
    if (!this.#mayKeep(about)) return async (_id, _options, make) => make(about);
    const followed = new Map<string, { readonly ctx: Ctx; readonly reads: RenderTracker }>();
    const base = keyOf(about);
    return async (id, options, make) => {
      const anywhere = JSON.stringify([base, id, options]);
      const here = anywhere + about.info.address.path;
      const known = this.#kept.get(anywhere) ?? this.#kept.get(here);
      if (known?.state === about.info.state && known.reads.holds) {
        known.reads.passOn(about.tracker);
        return known.parts;
      }
      const addon = id.slice(0, id.indexOf('.'));
      const { ctx, reads } = followed.get(addon) ?? this.#follow(about.ctx, addon);
      followed.set(addon, { ctx, reads });
      const read = new Set<string | symbol>();
      const view = watched(about.view, read);
      const parts = await make({ ...about, ctx, view, tracker: reads });
      reads.passOn(about.tracker);
      if (read.isSubsetOf(inKey) && reads.holds) {
        this.#kept.set(read.has('path') ? here : anywhere, { parts, reads, state: about.info.state });
      }
      return parts;
    };
  }

  /** Not within a transaction, which sees what others do not; nor for somebody whose change this process may not have heard of. */
  #mayKeep({ ctx, info }: RenderAbout): boolean {
    return !ctx.writes && !this.#application.pageCache.wroteElsewhere(info.cookies);
  }

  #follow(ctx: Ctx, addon: string): { readonly ctx: Ctx; readonly reads: RenderTracker } {
    const reads = new RenderTracker(this.#application.database.changes);
    return { ctx: internals(ctx).followed(addon, reads), reads };
  }
}

/** Everything a block may depend on that no table tells, besides its options. */
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

/** The request, with what is read of it noted. */
function watched(view: RequestView, read: Set<string | symbol>): RequestView {
  return new Proxy(view, {
    get(target, name) {
      read.add(name);
      return Reflect.get(target, name, target);
    },
  });
}
