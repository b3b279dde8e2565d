import { Selection } from '@tiptap/pm/state';
import type { EditorProps } from '@tiptap/pm/view';
import { notify, t } from '#core/browser';
import { sayWithElements } from './office.ts';

/** What is pasted from elsewhere comes without its looks: other programs' fonts and colours have no place on this site. */
export function plainPaste(html: string, leftOut: (pictures: number) => void = () => {}): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  // Copied within the editor, it knows what it is.
  if (body.querySelector('[data-pm-slice]')) return html;
  for (const gone of body.querySelectorAll('script, style, meta, link, title, head, noscript, template')) gone.remove();
  const strange = [...body.querySelectorAll('img')].filter((image) => !isOwn(image.getAttribute('src') ?? ''));
  for (const image of strange) image.remove();
  if (strange.length > 0) leftOut(strange.length);
  sayWithElements(body);
  for (const element of body.querySelectorAll('*')) {
    for (const { name } of [...element.attributes]) if (!keptOnPaste.has(name)) element.removeAttribute(name);
    if (element.getAttribute('dir') === 'ltr') element.removeAttribute('dir');
  }
  return body.innerHTML;
}

const keptOnPaste = new Set(['href', 'src', 'alt', 'title', 'start', 'colspan', 'rowspan', 'lang', 'dir']);

/** Pictures of other sites are not shown on this one. */
export function isOwn(address: string): boolean {
  const url = URL.parse(address, document.baseURI);
  return url !== null && url.origin === location.origin && !address.startsWith('data:');
}

/** How an editor takes what is pasted or dropped: texts without their looks, pictures by themselves. */
export function takingPictures(
  take: (files: readonly File[]) => void,
): Pick<EditorProps, 'transformPastedHTML' | 'handlePaste' | 'handleDrop'> {
  const takeFrom = (data: DataTransfer | null): boolean => {
    const pictures = picturesIn(data);
    if (pictures.length > 0) take(pictures);
    return pictures.length > 0;
  };
  return {
    transformPastedHTML: (html) => plainPaste(html, tellLeftOut),
    // Word and Excel give a picture of what was copied beside the words themselves.
    handlePaste: (_view, event) => !event.clipboardData?.getData('text/plain').trim() && takeFrom(event.clipboardData),
    handleDrop: (view, event) => {
      const at = view.posAtCoords({ left: event.clientX, top: event.clientY });
      if (at && picturesIn(event.dataTransfer).length > 0)
        view.dispatch(view.state.tr.setSelection(Selection.near(view.state.doc.resolve(at.pos))));
      return takeFrom(event.dataTransfer);
    },
  };
}

function tellLeftOut(n: number): void {
  notify(t('Pictures that did not come along: {n}. Put them in with “Picture”.', { n }));
}

/** The pictures among the files that are pasted or dropped. */
export function picturesIn(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
}
