import Sortable from 'sortablejs';
import { notify } from '#core/browser';
import { type BlockActions, insideOf, placeHolder } from './block-actions.ts';
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
    onAdd: (event) => {
      // From another text of the page: that one tells of its own change.
      if (event.item.dataset.snippet) takeSnippet(event, field, actions, say);
      else field.restructured(withoutElement(field, event.item));
    },
    onSort: () => session.selectBlock(field, null),
  });
  return () => sortable.destroy();
}

/** While a snippet is dragged, it can be dropped into columns as well; answers how to end that. Whole sections stand by themselves. */
export function openColumns(session: EditSession, actions: BlockActions, say: (text: string) => void): () => void {
  const columns = session.richFields.flatMap((field) => {
    const found = field.hasBlocks ? [...field.root.querySelectorAll<HTMLElement>('.row > *')] : [];
    return found
      .filter((column) => column.closest('[data-block]') === null)
      .map((column) =>
        Sortable.create(insideOf(column), {
          ...common,
          group: {
            name: group,
            put: (_to, _from, { dataset: { snippet, tab } }) => snippet !== undefined && tab !== 'structure',
          },
          draggable: '>*:not([data-ed-handle])',
          // What stands in it is not dragged by it.
          handle: '[data-snippet]',
          onAdd: (event) => takeSnippet(event, field, actions, say),
        }),
      );
  });
  return () => {
    for (const column of columns) column.destroy();
  };
}

/** The drawer's entry goes back to where it was; what comes here is what it stands for. */
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
  const next = element.nextSibling;
  element.remove();
  const value = field.value();
  field.root.insertBefore(element, next);
  return value;
}

/** Lets snippets be dragged out of the drawer; `begin` hears of each time, and answers what is done at its end. Answers how to end that. */
export function dragFromDrawer(list: HTMLElement, begin: () => () => void): () => void {
  let end = (): void => {};
  const sortable = Sortable.create(list, {
    ...common,
    group: { name: group, pull: 'clone', put: false },
    sort: false,
    draggable: '[data-snippet]',
    onStart: () => {
      document.documentElement.toggleAttribute('data-ed-dragging', true);
      end = begin();
    },
    onEnd: () => {
      document.documentElement.toggleAttribute('data-ed-dragging', false);
      end();
    },
  });
  return () => sortable.destroy();
}
