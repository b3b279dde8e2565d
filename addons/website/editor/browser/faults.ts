import { t } from 'pergola/browser';
import type { FaultCount, FaultRule } from '../checks.ts';
import { hardToRead } from './contrast.ts';

/** Something that is wrong with the page for those who visit it, and where. */
export interface Fault {
  readonly rule: FaultRule;
  readonly text: string;
  readonly element: HTMLElement | null;
  /** What it is about, where no element says so. */
  readonly place?: string | undefined;
  /** Where it is mended, when that is not on this page. */
  readonly href?: string | undefined;
}

/** Pictures of more bytes than this are heavy for a phone on the road. */
const HEAVY_BYTES = 500_000;
/** Links that are tried in one go. */
const MOST_LINKS = 100;

/** What axe looks for, by the rule it breaks here. */
const axeRules: ReadonlyMap<string, FaultRule> = new Map([
  ['image-alt', 'alt'],
  ['color-contrast', 'contrast'],
  ['heading-order', 'headings'],
  ['empty-heading', 'headings'],
  ['link-name', 'names'],
  ['button-name', 'names'],
  ['label', 'names'],
  ['select-name', 'names'],
  ['frame-title', 'names'],
  ['list', 'other'],
  ['listitem', 'other'],
  ['td-headers-attr', 'other'],
  ['empty-table-header', 'other'],
]);

/** Looks through a part of the page, as it is shown: slow, some seconds. */
export async function findFaults(root: HTMLElement): Promise<Fault[]> {
  const [seen, dead, heavy] = await Promise.all([seenFaults(root), deadLinks(root), heavyPictures(root)]);
  return [...seen, ...mainHeading(root), ...plainPictures(root), ...dead, ...heavy];
}

/** How often each rule is broken. */
export function countFaults(faults: readonly Fault[]): FaultCount[] {
  return [...Map.groupBy(faults, ({ rule }) => rule)].map(([rule, all]) => ({ rule, count: all.length }));
}

/** What axe finds. Of texts it looks at those only that seem hard to read: on a long page it takes seconds to find out what stands on what. */
async function seenFaults(root: HTMLElement): Promise<Fault[]> {
  const { default: axe } = await import('axe-core');
  const broken = async (parts: Node[], rules: readonly string[]) => {
    if (parts.length === 0) return [];
    const { violations, incomplete } = await axe.run(parts, {
      runOnly: { type: 'rule', values: [...rules] },
      resultTypes: ['violations', 'incomplete'],
      elementRef: true,
      selectors: false,
      preload: false,
    });
    // Nor is a text well read that lies under something.
    const covered = incomplete.map(({ id, nodes }) => ({
      id,
      nodes: nodes.filter(({ any }) => any.some(({ data }) => data?.messageKey === 'bgOverlap')),
    }));
    return [...violations, ...covered].flatMap(({ id, nodes }) => nodes.map(({ element = null }) => ({ id, element })));
  };
  // axe says nothing of what is behind a window: one is taken for none where no pointer would meet it.
  const windows = [...document.querySelectorAll<HTMLElement>('dialog[open]')];
  for (const { style } of windows) style.pointerEvents = 'none';
  const found = [];
  try {
    const others = [...axeRules.keys()].filter((rule) => rule !== 'color-contrast');
    found.push(...(await broken(hardToRead(root), ['color-contrast'])), ...(await broken([root], others)));
  } finally {
    for (const { style } of windows) style.pointerEvents = '';
  }
  const texts: Readonly<Record<string, string>> = {
    alt: t('This picture has no description.'),
    contrast: t('This text is hard to tell from its ground.'),
    'heading-order': t('This heading skips a level.'),
    headings: t('This heading is empty.'),
    names: t('This has no name that can be read out.'),
    other: t('This list or table is not put together as it should be.'),
  };
  return found.map(({ id, element }) => {
    const rule = axeRules.get(id) ?? 'other';
    return { rule, text: texts[id] ?? texts[rule] ?? '', element };
  });
}

/** A page is called by its first heading, wherever on it that stands. */
function mainHeading(root: HTMLElement): Fault[] {
  if (document.querySelector('h1')) return [];
  const element = root.querySelector<HTMLElement>('h2, h3, h4, h5, h6');
  return [{ rule: 'headings', text: t('The page has no main heading (level 1).'), element }];
}

/** Pictures that say nothing, without saying that they are mere decoration; what the server fills is its addon's matter. */
function plainPictures(root: HTMLElement): Fault[] {
  const plain = root.querySelectorAll<HTMLElement>('img[alt=""]:not([role="presentation"])');
  return [...plain]
    .filter((picture) => picture.closest('[data-block], a:not(:has(> img:only-child))') === null)
    .map((element) => ({
      rule: 'alt',
      text: t('Describe the picture, or say that it is mere decoration.'),
      element,
    }));
}

/** Links to places of this site where a visitor finds nothing. */
async function deadLinks(root: HTMLElement): Promise<Fault[]> {
  const links = [...root.querySelectorAll<HTMLAnchorElement>('a[href]')].filter(
    ({ origin, href }) => origin === location.origin && href !== '',
  );
  const places = Map.groupBy(links, ({ href }) => href);
  const found = await Promise.all(
    [...places].slice(0, MOST_LINKS).map(async ([href, all]): Promise<Fault[]> => {
      const { pathname, search, hash } = new URL(href);
      // While it is not published, a visitor finds the page itself nowhere.
      const isHere = pathname === location.pathname;
      const isDead = isHere
        ? hash !== '' && document.getElementById(decodeURIComponent(hash.slice(1))) === null
        : !(await isThere(pathname + search));
      return isDead
        ? all.map((element) => ({
            rule: 'links',
            text: t('This link leads nowhere: {path}', { path: pathname + hash }),
            element,
          }))
        : [];
    }),
  );
  return found.flat();
}

/** As a visitor who has not signed in finds it. */
async function isThere(path: string): Promise<boolean> {
  const answer = await fetch(path, { method: 'HEAD', credentials: 'omit' }).catch(() => null);
  return answer === null || (answer.status !== 404 && answer.status !== 410);
}

async function heavyPictures(root: HTMLElement): Promise<Fault[]> {
  const pictures = [...root.querySelectorAll('img')];
  // What nobody has scrolled to is not loaded yet. The page is kept as it stands, so it stands as it did afterwards.
  const waiting = pictures.filter((picture) => picture.matches('[loading=lazy]'));
  for (const picture of waiting) picture.loading = 'eager';
  await Promise.allSettled(waiting.map((picture) => picture.decode()));
  for (const picture of waiting) picture.loading = 'lazy';
  return pictures.flatMap((element): Fault[] => {
    const [entry] = performance.getEntriesByName(element.currentSrc, 'resource');
    const bytes = entry && 'encodedBodySize' in entry ? Number(entry.encodedBodySize) : 0;
    if (bytes <= HEAVY_BYTES) return [];
    return [
      { rule: 'pictures', text: t('This picture is heavy: {kb} KB.', { kb: Math.round(bytes / 1000) }), element },
    ];
  });
}
