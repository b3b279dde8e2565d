import { t } from 'pergola/browser';
import type { Drawer } from '../calls.ts';
import { blockPath, describeBlock, topBlocks } from './blocks.ts';
import { RUN } from './regions.ts';

/** Labels of snippets and blocks by id, available after the drawer has loaded. */
const labels = new WeakMap<Document, ReadonlyMap<string, string>>();
const sections = new WeakMap<Document, ReadonlySet<string>>();

/** Uses the drawer's labels as block names. */
export function setBlockNames({ snippets, blocks }: Drawer, page: Document = document): void {
  labels.set(page, new Map([...blocks, ...snippets].map(({ id, label }) => [id, label])));
  sections.set(page, new Set(snippets.flatMap(({ id, tab }) => (tab === 'structure' ? [id] : []))));
}

/** Returns whether a block or drawer item is a whole section, which can't be nested. */
export function isSection({ dataset: { snippet, block, name }, ownerDocument }: HTMLElement): boolean {
  const id = snippet ?? block ?? name;
  return id === undefined || (sections.get(ownerDocument)?.has(id) ?? false);
}

/** Name of a block: its snippet's label, its type, or its first words. */
export function nameOfBlock(block: HTMLElement): string {
  const names = labels.get(block.ownerDocument);
  const { name, heading } = describeBlock(block);
  const id = block.dataset.block ?? name;
  const label = (id ? names?.get(id) : undefined) ?? nameByClass(block, names);
  if (label) return label;
  if (block.parentElement?.classList.contains('row')) return t('Column');
  const kind = {
    section: block.querySelector('h1, h2, h3, h4, h5, h6')?.textContent.trim().slice(0, 24) || t('Section'),
    figure: block.querySelector('blockquote') ? t('Quote') : t('Image'),
    li: t('Item'),
    details: block.parentElement?.classList.contains('s_tabs') ? t('Tab') : t('Question'),
    table: t('Table'),
    div: t('Group'),
  }[block.localName];
  return kind ?? heading?.slice(0, 24) ?? t('Text');
}

/** Hand-written sections only have snippet classes: `s_hero`, `s_steps_section`. */
function nameByClass({ localName, classList }: HTMLElement, labels?: ReadonlyMap<string, string>): string | undefined {
  if (localName !== 'section') return undefined;
  const names = [...classList].map((className) => labels?.get(className.replace(/^s_(.+?)(_section)?$/, 'website.$1')));
  return names.find((name) => name !== undefined);
}

/** Name of a text: its block and its role there, as in “Three Columns, Column 2: Heading”. */
export function nameOfText(root: HTMLElement, text: HTMLElement, field: string): string {
  const path = blockPath(root, text).filter((block) => (block !== text || !isLine(text)) && !block.hasAttribute(RUN));
  return t('{block}: {part}', { block: nameOfPlace(path) || field, part: kindOfText(text) });
}

/** Name of the innermost block of a path: “Three Columns, Column 2”. */
function nameOfPlace(path: readonly HTMLElement[]): string {
  const inner = path.at(-1);
  if (!inner) return '';
  const ancestors = path.slice(0, -1);
  const outer = ancestors.findLast((block) => block.dataset.name) ?? ancestors[0];
  const name = nameOfBlock(inner);
  const namesakes = topBlocks(inner.parentElement ?? inner).filter((block) => nameOfBlock(block) === name);
  const numbered = namesakes.length > 1 ? `${name} ${namesakes.indexOf(inner) + 1}` : name;
  return outer ? `${nameOfBlock(outer)}, ${numbered}` : numbered;
}

function isLine(text: HTMLElement): boolean {
  return !text.matches('section, div, li, figure');
}

function kindOfText(text: HTMLElement): string {
  const only = text.firstElementChild;
  const element = only?.textContent.trim() === text.textContent.trim() ? only : text;
  if (/^h[1-6]$/.test(element.localName)) return t('Heading');
  if (element.localName === 'a') return element.classList.contains('btn') ? t('Button') : t('Link');
  if (text.localName === 'summary') return t('Title');
  if (/^t[dh]$/.test(text.localName)) return t('Cell');
  return /caption$/.test(text.localName) ? t('Caption') : t('Text');
}
