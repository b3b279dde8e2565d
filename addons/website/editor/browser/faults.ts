import { t } from 'pergola/browser';
import type { FaultCount, FaultRule } from '../checks.ts';
import { hardToRead } from './contrast.ts';

/** Issue for visitors of the page, and its location. */
export interface Fault {
  readonly rule: FaultRule;
  readonly text: string;
  readonly element: HTMLElement | null;
  /** Description of the location if there is no element. */
  readonly place?: string | undefined;
  /** Address where the issue can be fixed, if not on this page. */
  readonly href?: string | undefined;
}

/** Images above this size in bytes are slow to load on mobile networks. */
const HEAVY_BYTES = 500_000;
/** Maximum links checked per run. */
const MOST_LINKS = 100;

/** axe rules and the rules they are reported as. */
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

/** Checks a part of the page as displayed. Takes several seconds. */
export async function findFaults(root: HTMLElement): Promise<Fault[]> {
  const [seen, dead, heavy] = await Promise.all([seenFaults(root), deadLinks(root), heavyPictures(root)]);
  return [...seen, ...mainHeading(root), ...plainPictures(root), ...dead, ...heavy];
}

/** Number of issues per rule. */
export function countFaults(faults: readonly Fault[]): FaultCount[] {
  return [...Map.groupBy(faults, ({ rule }) => rule)].map(([rule, all]) => ({ rule, count: all.length }));
}

/** Issues found by axe. Checks the contrast only of texts from `hardToRead`: resolving backgrounds takes seconds on a long page. */
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
    // Text covered by another element is hard to read, too.
    const covered = incomplete.map(({ id, nodes }) => ({
      id,
      nodes: nodes.filter(({ any }) => any.some(({ data }) => data?.messageKey === 'bgOverlap')),
    }));
    return [...violations, ...covered].flatMap(({ id, nodes }) => nodes.map(({ element = null }) => ({ id, element })));
  };
  // axe skips elements covered by a dialog. It ignores dialogs that don't receive pointer events.
  const windows = [...document.querySelectorAll<HTMLElement>('dialog[open]')];
  for (const { style } of windows) style.pointerEvents = 'none';
  const issues = [];
  try {
    const otherRules = [...axeRules.keys()].filter((rule) => rule !== 'color-contrast');
    issues.push(...(await broken(hardToRead(root), ['color-contrast'])), ...(await broken([root], otherRules)));
  } finally {
    for (const { style } of windows) style.pointerEvents = '';
  }
  const texts: Readonly<Record<string, string>> = {
    alt: t('This image has no alternative text.'),
    contrast: t('This text has too little contrast.'),
    'heading-order': t('This heading skips a level.'),
    headings: t('This heading is empty.'),
    names: t('This element has no accessible name.'),
    other: t('This list or table has an invalid structure.'),
  };
  return issues.map(({ id, element }) => {
    const rule = axeRules.get(id) ?? 'other';
    return { rule, text: texts[id] ?? texts[rule] ?? '', element };
  });
}

/** The first heading anywhere on the page becomes its title. */
function mainHeading(root: HTMLElement): Fault[] {
  if (document.querySelector('h1')) return [];
  const element = root.querySelector<HTMLElement>('h2, h3, h4, h5, h6');
  return [{ rule: 'headings', text: t('The page has no main heading (level 1).'), element }];
}

/** Images with empty alternative text that aren't marked as decorative. Skips server-rendered blocks, which are up to their addons. */
function plainPictures(root: HTMLElement): Fault[] {
  const plain = root.querySelectorAll<HTMLElement>('img[alt=""]:not([role="presentation"])');
  return [...plain]
    .filter((picture) => picture.closest('[data-block], a:not(:has(> img:only-child))') === null)
    .map((element) => ({
      rule: 'alt',
      text: t('Add alternative text, or mark the image as decorative.'),
      element,
    }));
}

/** Links to missing pages or anchors on this site. */
async function deadLinks(root: HTMLElement): Promise<Fault[]> {
  const links = [...root.querySelectorAll<HTMLAnchorElement>('a[href]')].filter(
    ({ origin, href }) => origin === location.origin && href !== '',
  );
  const places = Map.groupBy(links, ({ href }) => href);
  const issues = await Promise.all(
    [...places].slice(0, MOST_LINKS).map(async ([href, all]): Promise<Fault[]> => {
      const { pathname, search, hash } = new URL(href);
      // An unpublished page itself isn't found by visitors.
      const isHere = pathname === location.pathname;
      const isDead = isHere
        ? hash !== '' && document.getElementById(decodeURIComponent(hash.slice(1))) === null
        : !(await isThere(pathname + search));
      return isDead
        ? all.map((element) => ({
            rule: 'links',
            text: t('Broken link: {path}', { path: pathname + hash }),
            element,
          }))
        : [];
    }),
  );
  return issues.flat();
}

/** Requests the path as an anonymous visitor. */
async function isThere(path: string): Promise<boolean> {
  const answer = await fetch(path, { method: 'HEAD', credentials: 'omit' }).catch(() => null);
  return answer === null || (answer.status !== 404 && answer.status !== 410);
}

async function heavyPictures(root: HTMLElement): Promise<Fault[]> {
  const pictures = [...root.querySelectorAll('img')];
  // Lazy images below the fold aren't loaded yet. The page's HTML is saved, so the attribute is restored afterwards.
  const waiting = pictures.filter((picture) => picture.matches('[loading=lazy]'));
  for (const picture of waiting) picture.loading = 'eager';
  await Promise.allSettled(waiting.map((picture) => picture.decode()));
  for (const picture of waiting) picture.loading = 'lazy';
  return pictures.flatMap((element): Fault[] => {
    const [entry] = performance.getEntriesByName(element.currentSrc, 'resource');
    const bytes = entry && 'encodedBodySize' in entry ? Number(entry.encodedBodySize) : 0;
    if (bytes <= HEAVY_BYTES) return [];
    return [{ rule: 'pictures', text: t('This image is large: {kb} KB.', { kb: Math.round(bytes / 1000) }), element }];
  });
}
