import { restoreAttributes } from './serialize.ts';

/** The page as visitors will see it, including unsaved changes, without editor elements and scripts. */
export function previewOf(page: Document): string {
  const root = page.documentElement.cloneNode(true) as HTMLElement;
  for (const editorElement of root.querySelectorAll(
    '.ed-root, .editor-bar, [data-editor-place], script, [data-ed-handle], [data-ed-place], .page-tools, .back-to-top',
  ))
    editorElement.remove();
  for (const element of [root, ...root.querySelectorAll('*')]) {
    restoreAttributes(element);
    for (const { name } of [...element.attributes])
      if (/^(data-ed-|data-editing$|contenteditable$|inert$|autofocus$)/.test(name)) element.removeAttribute(name);
  }
  return `<!doctype html>${root.outerHTML}`;
}
