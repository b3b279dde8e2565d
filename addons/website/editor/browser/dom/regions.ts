import { isBlank, isFlow, isInline } from './flow.ts';

/** Marks a wrapper that the editor added around a run of text next to structure; removed on save. */
export const RUN = 'data-ed-run';

/** Text edited as a unit. */
export interface Region {
  readonly element: HTMLElement;
  /** `flow`: paragraphs, headings, lists. `line`: a single line, such as a button label. */
  readonly kind: 'flow' | 'line';
}

/**
 * Finds the editable texts of a field. Runs of text next to structure get a wrapper without visible effect; in flex and grid containers,
 * where a wrapper would change the layout, each element becomes its own region.
 *
 * ```
 * <div class="container">          <div class="container">
 *   <h2>…</h2>            ┐          <div data-ed-run>  ← region (flow)
 *   <p>…</p>              ┘   →        <h2>…</h2><p>…</p>
 *   <div class="row">                </div>
 *     <div class="col">              <div class="row">
 *       <h3>…</h3><p>…</p>             <div class="col">…</div>  ← region (flow)
 * ```
 */
export function findRegions(root: HTMLElement): Region[] {
  const makers: RegionMaker[] = [];
  collect(root, makers);
  // Reads all layouts before adding wrappers: each wrapper would force another layout.
  return makers.flatMap((make) => make());
}

/** Creates the regions of an element. */
type RegionMaker = () => readonly Region[];

const locked = '[data-block], [data-ed-handle], video, audio, svg, picture, iframe, hr, img, br, table:empty';

function collect(container: HTMLElement, makers: RegionMaker[]): void {
  const nodes = [...container.childNodes].filter((node) => !isBlank(node) && !isHandle(node));
  const isLines = nodes.every(isInline);
  // The text editor would wrap an image next to paragraphs in its own paragraph, with its margins.
  const isText = (node: Node): boolean => isFlow(node) && (isLines || !isPictureOnly(node));
  if (nodes.every(isText)) {
    if (nodes.length === 0 && !mayBeEmpty(container)) return;
    const isLine = nodes.length > 0 ? isLines : isLineElement(container);
    if (nodes.length > 0 && nodes.every(isNoText)) return;
    makers.push(() => [{ element: container, kind: isLine ? 'line' : 'flow' }]);
    return;
  }
  const isSeparate = isLaidOut(container);
  let run: Node[] = [];
  const endRun = (): void => {
    const nodes = run;
    if (nodes.length > 0 && !nodes.every(isNoText)) makers.push(() => regionsOfRun(nodes, isSeparate));
    run = [];
  };
  for (const node of nodes) {
    if (isText(node)) run.push(node);
    else {
      endRun();
      if (node instanceof HTMLElement && !node.matches(locked)) collect(node, makers);
    }
  }
  endRun();
}

function regionsOfRun(run: readonly Node[], isSeparate: boolean): Region[] {
  if (isSeparate) return run.flatMap(regionsApart);
  const [first] = run;
  const wrapper = document.createElement('div');
  wrapper.setAttribute(RUN, '');
  first?.parentNode?.insertBefore(wrapper, first);
  wrapper.append(...run);
  return [{ element: wrapper, kind: 'flow' }];
}

function regionsApart(node: Node): Region[] {
  if (!(node instanceof HTMLElement) || node.matches(locked)) return [];
  if (node.localName === 'ul' || node.localName === 'ol') return [...node.children].flatMap(regionsApart);
  const isLine = isLineElement(node) || [...node.childNodes].every(isInline);
  return [{ element: node, kind: isLine ? 'line' : 'flow' }];
}

function isHandle(node: Node): boolean {
  return node instanceof Element && (node.hasAttribute('data-ed-handle') || node.hasAttribute('data-ed-place'));
}

/** Images and horizontal rules, which typing would replace. */
function isNoText(node: Node): boolean {
  return isPictureOnly(node) || (node as Element).localName === 'hr';
}

/** Images, optionally in a link, which are selected and replaced as a whole. */
function isPictureOnly(node: Node): boolean {
  if (!(node instanceof Element)) return isBlank(node);
  return (
    node.localName === 'img' ||
    (isInline(node) && (node.textContent ?? '').trim() === '' && node.querySelector('img') !== null)
  );
}

/**
 * Elements that hold a single line and no blocks. Lists and quotes are edited from inside, except in flex and grid containers, where `regionsApart` splits their
 * items.
 */
function isLineElement(element: Element): boolean {
  return /^(p|h[1-6]|a|span|button|summary|figcaption|caption|label|dt|strong|em|small|cite|b|i|time|td|th)$/.test(
    element.localName,
  );
}

function mayBeEmpty(element: HTMLElement): boolean {
  return (
    /(^|\s)(col|container)/.test(element.className) ||
    /^(td|th|p|h[1-6]|li|figcaption)$/.test(element.localName) ||
    element.hasAttribute('data-oe-field')
  );
}

function isLaidOut(element: HTMLElement): boolean {
  return /^(inline-)?(flex|grid)$/.test(getComputedStyle(element).display);
}
