import type { ReactElement } from 'react';

/**
 * Mounts a component at the end of an element whose HTML React doesn't manage.
 *
 * @returns function that unmounts it
 */
export async function showBeside(
  element: Element,
  className: string,
  component: (end: () => void) => ReactElement,
): Promise<() => void> {
  const [{ createRoot }, { ready }] = await Promise.all([import('react-dom/client'), import('pergola/browser')]);
  await ready;
  const holder = Object.assign(document.createElement('div'), { className });
  const root = createRoot(holder);
  const end = (): void => {
    root.unmount();
    holder.remove();
  };
  element.append(holder);
  root.render(component(end));
  return end;
}
