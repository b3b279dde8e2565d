import Sortable from 'sortablejs';
import { notify } from '#core/browser';
import { type BlockActions, placeHolder } from './block-actions.ts';
import type { RichField } from './fields/rich-field.ts';
import type { EditSession } from './session.ts';
import { troubleOf } from './trouble.ts';

const group = 'website-blocks';
const common: Sortable.Options = {
  animation: 150,
  // The same on every device, and the dragged block can be styled.
  forceFallback: true,
  fallbackOnBody: true,
  fallbackTolerance: 4,
  ghostClass: 'ed-ghost',
  fallbackClass: 'ed-dragged',
  scroll: true,
  scrollSensitivity: 90,
  scrollSpeed: 14,
};

/** Lets blocks of a rich text be dragged by their handles, and snippets be dropped between them; answers how to end that. */
export function dragBlocks(
  session: EditSession,
  field: RichField,
  actions: BlockActions,
  say: (text: string) => void,
): () => void {
  let before: unknown = null;
  const sortable = Sortable.create(field.root, {
    ...common,
    group: { name: group, put: true, pull: true },
    draggable: '>*:not([data-ed-handle])',
    handle: '[data-ed-handle]',
    onStart: () => {
      field.deactivate();
      before = field.value();
      document.documentElement.toggleAttribute('data-ed-dragging', true);
    },
    onEnd: () => {
      document.documentElement.toggleAttribute('data-ed-dragging', false);
      field.restructured(before);
    },
    onAdd: ({ item, clone }) => {
      const snippet = item.dataset.snippet;
      if (!snippet) {
        // From another text of the page: that one tells of its own change.
        field.restructured(withoutElement(field, item));
        return;
      }
      // The drawer's entry goes back to where it was; what comes here is what it stands for.
      const place = placeHolder();
      item.replaceWith(place);
      clone.replaceWith(item);
      actions.fillPlace(field, place, snippet).then(say, (error: unknown) => notify(troubleOf(error).message, 'alert'));
    },
    onSort: () => session.selectBlock(field, null),
  });
  return () => sortable.destroy();
}

function withoutElement(field: RichField, element: HTMLElement): unknown {
  const next = element.nextSibling;
  element.remove();
  const value = field.value();
  field.root.insertBefore(element, next);
  return value;
}

/** Lets snippets be dragged out of the drawer; answers how to end that. */
export function dragFromDrawer(list: HTMLElement): () => void {
  const sortable = Sortable.create(list, {
    ...common,
    group: { name: group, pull: 'clone', put: false },
    sort: false,
    draggable: '[data-snippet]',
    onStart: () => document.documentElement.toggleAttribute('data-ed-dragging', true),
    onEnd: () => document.documentElement.toggleAttribute('data-ed-dragging', false),
  });
  return () => sortable.destroy();
}
