import { notify } from 'pergola/browser';
import Sortable from 'sortablejs';
import { type BlockActions, placeHolder } from './block-actions.ts';
import { isSection } from './dom/block-name.ts';
import { columnsOf } from './dom/blocks.ts';
import type { RichField } from './fields/rich-field.ts';
import type { EditSession } from './session.ts';
import { troubleOf } from './trouble.ts';

const group = 'website-blocks';
const common: Sortable.Options = {
  animation: 150,
  // Same behaviour on every device, and the dragged block can be styled.
  forceFallback: true,
  fallbackOnBody: true,
  fallbackTolerance: 4,
  ghostClass: 'ed-ghost',
  fallbackClass: 'ed-dragged',
  scroll: true,
  scrollSensitivity: 90,
  scrollSpeed: 14,
};

/**
 * Makes blocks draggable by their handles, and lets snippets be dropped between them and into columns. Returns a function that removes this
 * behaviour.
 */
export function dragBlocks(session: EditSession, actions: BlockActions, say: (text: string) => void): () => void {
  const fields = session.richFields.filter((field) => field.hasBlocks);
  let valueBefore: unknown = null;
  const takeInto = (field: RichField, list: HTMLElement): Sortable =>
    Sortable.create(list, {
      ...common,
      // Sections can't be nested.
      group: { name: group, put: (_to, _from, dragged) => list === field.root || !isSection(dragged) },
      draggable: '>*:not([data-ed-handle])',
      handle: '[data-ed-handle]',
      onStart: () => {
        field.deactivate();
        valueBefore = field.value();
        document.documentElement.toggleAttribute('data-ed-dragging', true);
      },
      onAdd: (event) => {
        const { item, from } = event;
        if (item.dataset.snippet) return takeSnippet(event, field, actions, say);
        item.classList.toggle('o-inside', list !== field.root);
        // When the block comes from another field, that field reports its own change.
        if (!field.root.contains(from)) field.restructured(withoutElement(field, item));
      },
      onEnd: ({ item }) => {
        document.documentElement.toggleAttribute('data-ed-dragging', false);
        field.restructured(valueBefore);
        const now = fields.find(({ root }) => root.contains(item));
        if (now) session.selectBlock(now, item);
      },
    });
  const texts = fields.map((field) => takeInto(field, field.root));
  let columns: Sortable[] = [];
  // Columns change, so they are looked up at the start of each drag.
  const takeIntoColumns = ({ target }: Event): void => {
    if (!(target instanceof Element) || !target.closest('[data-ed-handle], [data-snippet]')) return;
    for (const column of columns) column.destroy();
    columns = fields.flatMap((field) => columnsOf(field.root).map((column) => takeInto(field, column)));
  };
  document.addEventListener('pointerdown', takeIntoColumns, { capture: true });
  return () => {
    document.removeEventListener('pointerdown', takeIntoColumns, { capture: true });
    for (const list of [...texts, ...columns]) list.destroy();
  };
}

/** Returns the dragged entry to the drawer and inserts its snippet at the drop position. */
function takeSnippet(
  { item, clone }: Pick<Sortable.SortableEvent, 'item' | 'clone'>,
  field: RichField,
  actions: BlockActions,
  say: (text: string) => void,
): void {
  const place = placeHolder();
  item.replaceWith(place);
  clone.replaceWith(item);
  actions
    .fillPlace(field, place, item.dataset.snippet ?? '')
    .then(say, (error: unknown) => notify(troubleOf(error).message, 'alert'));
}

function withoutElement(field: RichField, element: HTMLElement): unknown {
  const { parentElement, nextSibling } = element;
  element.remove();
  const value = field.value();
  parentElement?.insertBefore(element, nextSibling);
  return value;
}

/** Makes snippets draggable from the drawer. Returns a function that removes this behaviour. */
export function dragFromDrawer(list: HTMLElement): () => void {
  const drag = (isOn: boolean) => (): void => void document.documentElement.toggleAttribute('data-ed-dragging', isOn);
  const sortable = Sortable.create(list, {
    ...common,
    group: { name: group, pull: 'clone', put: false },
    sort: false,
    draggable: '[data-snippet]',
    onStart: drag(true),
    onEnd: drag(false),
  });
  return () => sortable.destroy();
}
