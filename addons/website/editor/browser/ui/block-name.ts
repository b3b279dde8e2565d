import { t } from '#core/browser';
import type { Drawer } from '../calls.ts';
import { describeBlock } from '../dom/blocks.ts';

/** Labels of snippets and blocks by id, once the drawer is there. */
const labels = new WeakMap<Document, ReadonlyMap<string, string>>();

/** Lets blocks be called what the drawer calls them. */
export function learnNames({ snippets, blocks }: Drawer, page: Document = document): void {
  labels.set(page, new Map([...blocks, ...snippets].map(({ id, label }) => [id, label])));
}

/** What a block is called: its snippet's name, its kind, or its first words. */
export function nameOfBlock(block: HTMLElement): string {
  const known = labels.get(block.ownerDocument);
  const { name, heading } = describeBlock(block);
  const id = block.dataset.block ?? name;
  const label = id ? known?.get(id) : undefined;
  if (label) return label;
  if (block.parentElement?.classList.contains('row')) return t('Column');
  const kind = {
    section: t('Section'),
    figure: block.querySelector('blockquote') ? t('Quote') : t('Picture'),
    li: t('Item'),
    details: block.parentElement?.classList.contains('s_tabs') ? t('Tab') : t('Question'),
    table: t('Table'),
    div: t('Group'),
  }[block.localName];
  return kind ?? heading?.slice(0, 24) ?? t('Text');
}
