import { t } from 'pergola/browser';
import { calls } from './calls.ts';
import { blockPath, insideOf, moveAction, neighbour, renameGroups, topBlocks } from './dom/blocks.ts';
import { copyOf } from './dom/serialize.ts';
import type { RichField } from './fields/rich-field.ts';
import type { EditSession, SessionView } from './session.ts';

/** Actions on whole blocks, each one step of the history. Returned messages are announced to screen readers. */
export class BlockActions {
  readonly #session: EditSession;

  constructor(session: EditSession) {
    this.#session = session;
  }

  /** Moves the selected block past its neighbour, or from the end of its column into the next one. */
  move(direction: 'up' | 'down'): string {
    const { block } = this.#session.view;
    if (!block) return '';
    const { field, element } = block;
    const go = moveAction(field.root, element, direction);
    field.restructure(() => go?.());
    this.#session.selectBlock(field, element);
    element.scrollIntoView({ block: 'nearest' });
    if (!go) return direction === 'up' ? t('It’s already first.') : t('It’s already last.');
    const siblings = element.parentElement ? topBlocks(element.parentElement) : [];
    return t('Moved to position {n} of {all}.', { n: siblings.indexOf(element) + 1, all: siblings.length });
  }

  duplicate(): string {
    const { block } = this.#session.view;
    if (!block) return '';
    const { field, element } = block;
    const copy = copyOf(element);
    field.deactivate();
    field.restructure(() => {
      element.after(copy);
      renameGroups(copy, field.root);
      this.#session.contents.fill(copy.parentElement ?? copy);
    });
    this.#session.selectBlock(field, copy);
    copy.scrollIntoView({ block: 'nearest' });
    return t('Copied.');
  }

  remove(): string {
    const { block } = this.#session.view;
    if (!block) return '';
    const { field, element } = block;
    const next = neighbour(element, 'down') ?? neighbour(element, 'up');
    field.restructure(() => element.remove());
    this.#session.selectBlock(field, next?.isConnected ? next : null);
    return t('Removed. Press Undo to restore it.');
  }

  /** Selects the block around the selected one. */
  widen(): void {
    const { block } = this.#session.view;
    if (!block) return;
    const path = blockPath(block.field.root, block.element);
    const outer = path.at(-2);
    if (outer) this.#session.selectBlock(block.field, outer);
  }

  /**
   * Inserts a snippet after the selected block or at the end of the page, or with `inside` at the end of the selected column.
   * @throws RpcError
   */
  async insert(snippet: string, { inside = false } = {}): Promise<string> {
    const { block } = this.#session.view;
    const field = block?.field ?? this.#session.richFields.find((candidate) => candidate.hasBlocks);
    if (!field) return t('This block doesn’t fit on this page.');
    const outermost = block ? blockPath(field.root, block.element)[0] : undefined;
    const column = inside ? columnAt(block) : null;
    const place = placeHolder();
    const last = topBlocks(field.root).at(-1);
    field.deactivate();
    if (column) insideOf(column).append(place);
    else if (outermost) outermost.after(place);
    else if (last) last.after(place);
    else field.root.append(place);
    return this.fillPlace(field, place, snippet);
  }

  /**
   * Replaces an empty placeholder element with a snippet. Removes the placeholder on failure.
   * @throws RpcError
   */
  async fillPlace(field: RichField, place: HTMLElement, snippet: string): Promise<string> {
    try {
      const { html } = await calls.snippet(snippet);
      const holder = document.createElement('template');
      holder.innerHTML = html;
      const block = holder.content.firstElementChild as HTMLElement | null;
      field.restructure(() => {
        this.#session.contents.learn(holder.content);
        if (block) {
          // In a column, the column provides the padding.
          if (place.parentElement !== field.root) block.classList.add('o-inside');
          place.replaceWith(block);
          renameGroups(block, field.root);
        }
        this.#session.contents.fill(field.root);
      });
      if (block) this.#shown(field, block);
      return t('Inserted.');
    } finally {
      place.remove();
    }
  }

  #shown(field: RichField, inserted: HTMLElement): void {
    field.activateIn(inserted, 'start');
    this.#session.selectBlock(field, inserted);
    inserted.scrollIntoView({ block: 'nearest' });
  }
}

/** Innermost column at or around the selection. */
export function columnAt(block: SessionView['block']): HTMLElement | null {
  const path = block ? blockPath(block.field.root, block.element) : [];
  return path.findLast((element) => element.parentElement?.classList.contains('row')) ?? null;
}

/** Placeholder for a block that is still loading; not part of the content. */
export function placeHolder(): HTMLElement {
  const place = document.createElement('div');
  place.className = 'ed-coming';
  place.setAttribute('data-ed-place', '');
  return place;
}
