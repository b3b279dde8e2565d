import { type ComponentType, type ErrorInfo, startTransition } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import type { Fills } from './slot.ts';
import { islandTree } from './tree.ts';

/**
 * Makes an island alive. For the loader.
 *
 * @returns Once its handlers listen, or it failed: what ends it. Then what the server rendered stands there again.
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
  // In a document that nobody sees: a copy in this one would load its pictures, even those that are not in sight.
  const before = new Document().importNode(root, true);
  const putBackNotes = takeNotes(root);
  const asRendered = (): void => root.replaceChildren(...before.cloneNode(true).childNodes);
  const settled = Promise.withResolvers<void>();
  const options = {
    identifierPrefix: prefix,
    // React takes away what it cannot render: what the server rendered comes back and can be read.
    onUncaughtError: (error: unknown, { componentStack }: ErrorInfo): void => {
      reportIsland(island, error, componentStack);
      queueMicrotask(asRendered);
      settled.resolve();
    },
    // What the server rendered differs from what the component renders here.
    onRecoverableError: (error: unknown, { componentStack }: ErrorInfo): void =>
      reportIsland(island, error instanceof Error ? (error.cause ?? error) : error, componentStack),
  };
  const element = islandTree(
    component,
    JSON.parse(data) as Record<string, unknown>,
    content?.innerHTML ?? null,
    fills,
    settled.resolve,
  );
  const begin = (): Root => {
    if (fresh === undefined) return hydrateRoot(root, element, options);
    const empty = createRoot(root, options);
    empty.render(element);
    return empty;
  };
  // React works in slices then, between which the page answers.
  const made = await new Promise<Root>((resolve) => startTransition(() => resolve(begin())));
  island.removeAttribute('data-fresh');
  await settled.promise;
  putBackNotes();
  return () => {
    made.unmount();
    asRendered();
    // It may come back: an editor undoes what it did.
    if (fresh !== undefined) island.dataset.fresh = '';
  };
}

/** Takes out the errors of a refused form, which React would not find in what it renders. The function returned puts them back. */
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

/** Says in the console which island failed, and to the development server's page, which shows where. */
function reportIsland({ dataset: { name, from } }: HTMLElement, error: unknown, componentStack?: string | null): void {
  const island = from === undefined ? `Island ${name}` : `Island ${name} in ${from}`;
  console.error(`${island}:`, error, componentStack);
  const stack = error instanceof Error ? error.stack : String(error);
  const detail = `${island}: ${stack}${componentStack ?? ''}`;
  document.dispatchEvent(new CustomEvent('pergola:error', { detail }));
}
