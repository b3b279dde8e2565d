import { type ComponentType, type ErrorInfo, startTransition } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import type { Fills } from './slot.ts';
import { islandTree } from './tree.ts';

/**
 * Hydrates an island; used by the loader.
 *
 * @returns an unmount function that restores the server's HTML. Resolves once the island's handlers listen or it has failed.
 */
export async function mountIsland(
  island: HTMLElement,
  component: ComponentType<Record<string, unknown>>,
  fills: readonly Fills[],
): Promise<() => void> {
  const { fresh, prefix } = island.dataset;
  const root = island.querySelector<HTMLElement>(':scope > pergola-root') ?? island;
  const data = island.querySelector(':scope > script[type="application/json"]')?.textContent ?? '{}';
  const content = root.querySelector('pergola-content') ?? island.querySelector(':scope > template');
  // Copied into an inert document: a copy in this one would load its images, even those outside the viewport.
  const original = new Document().importNode(root, true);
  const putBackNotes = takeNotes(root);
  const asRendered = (): void => root.replaceChildren(...original.cloneNode(true).childNodes);
  const mounted = Promise.withResolvers<void>();
  const options = {
    identifierPrefix: prefix,
    // React removes content it can't render, so the server's HTML is restored for reading.
    onUncaughtError: (error: unknown, { componentStack }: ErrorInfo): void => {
      reportIsland(island, error, componentStack);
      queueMicrotask(asRendered);
      mounted.resolve();
    },
    // The server's HTML differs from what the component renders in the browser.
    onRecoverableError: (error: unknown, { componentStack }: ErrorInfo): void =>
      reportIsland(island, error instanceof Error ? (error.cause ?? error) : error, componentStack),
  };
  const element = islandTree(
    component,
    JSON.parse(data) as Record<string, unknown>,
    content?.innerHTML ?? null,
    fills,
    mounted.resolve,
  );
  const begin = (): Root => {
    if (fresh === undefined) return hydrateRoot(root, element, options);
    const empty = createRoot(root, options);
    empty.render(element);
    return empty;
  };
  // As a transition, React renders in slices and the page stays responsive.
  const reactRoot = await new Promise<Root>((resolve) => startTransition(() => resolve(begin())));
  island.removeAttribute('data-fresh');
  await mounted.promise;
  putBackNotes();
  return () => {
    reactRoot.unmount();
    asRendered();
    // The island may return, when an editor undoes a change.
    if (fresh !== undefined) island.dataset.fresh = '';
  };
}

/** Removes the errors of a rejected form, which would fail hydration. The returned function restores them. */
function takeNotes(root: HTMLElement): () => void {
  const notes = [...root.querySelectorAll('[data-form-note]')].map((note) => {
    const { previousElementSibling: previous, parentElement: parent } = note;
    note.remove();
    return () => (previous ? previous.after(note) : parent?.prepend(note));
  });
  return () => {
    for (const putBack of notes) putBack();
  };
}

/** Reports in the console which island failed, and to the development server's page, which shows where. */
function reportIsland({ dataset: { name, from } }: HTMLElement, error: unknown, componentStack?: string | null): void {
  const island = from === undefined ? `Island ${name}` : `Island ${name} in ${from}`;
  console.error(`${island}:`, error, componentStack);
  const stack = error instanceof Error ? error.stack : String(error);
  const detail = `${island}: ${stack}${componentStack ?? ''}`;
  document.dispatchEvent(new CustomEvent('pergola:error', { detail }));
}
