import { url } from 'pergola/browser';
import { calls } from '../calls.ts';
import { lendAttributes } from '../dom/serialize.ts';

/** What blocks show, as the server made it: kept while the page is edited, so that moving, undoing and copying need no new call. */
export class BlockContents {
  readonly #known = new Map<string, DocumentFragment>();

  /** Notes what the blocks of a page show, before the page is rebuilt. */
  learn(root: ParentNode): void {
    for (const block of root.querySelectorAll<HTMLElement>('[data-block]')) {
      if (block.parentElement?.closest('[data-block]') || block.childNodes.length === 0) continue;
      const contents = document.createDocumentFragment();
      contents.append(...block.childNodes);
      this.#known.set(keyOf(block), contents);
    }
  }

  /** Fills the empty blocks of a rebuilt part, at once where their contents are known, else when the server has made them. */
  fill(root: ParentNode): void {
    for (const block of root.querySelectorAll<HTMLElement>('[data-block]')) {
      if (block.parentElement?.closest('[data-block]') || block.childNodes.length > 0) continue;
      void this.fillOne(block);
    }
  }

  async fillOne(block: HTMLElement): Promise<void> {
    const key = keyOf(block);
    const known = this.#known.get(key);
    // The first to ask gets what the page had, with its islands alive; others a picture of it.
    if (known && known.childNodes.length > 0) {
      const copy = known.cloneNode(true) as DocumentFragment;
      put(block, [...known.childNodes]);
      this.#known.set(key, copy);
      return;
    }
    try {
      const { html } = await calls.block(block.dataset.block ?? '', optionsOf(block));
      const holder = document.createElement('template');
      holder.innerHTML = html;
      put(block, [...(holder.content.querySelector('[data-block]')?.childNodes ?? [])]);
    } catch {
      // Without contents the block still has its place; the panel says which one it is.
    }
  }

  /** Shows blocks of a kind anew: what they show changed elsewhere. */
  showAnew(root: ParentNode, kind: string): void {
    for (const block of root.querySelectorAll<HTMLElement>(`[data-block="${kind}"]`)) {
      this.#known.delete(keyOf(block));
      void this.fillOne(block);
    }
  }
}

/** Contents that nobody presses or reaches by keyboard meanwhile: a press on them is one on the block, which is what is chosen and dragged. */
function put(block: HTMLElement, contents: readonly Node[]): void {
  block.replaceChildren(...contents, ...block.querySelectorAll(':scope > [data-ed-handle]'));
  for (const child of block.children) if (!child.matches('[data-ed-handle]')) lendAttributes(child, { inert: '' });
}

function keyOf({ dataset }: HTMLElement): string {
  return `${dataset.block} ${dataset.options ?? '{}'}`;
}

/** A block's options; none where they cannot be read. */
export function optionsOf({ dataset }: HTMLElement): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(dataset.options ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Where a shared block is edited, in the language of the page. */
export function sharedBlockAddress(id: number): string {
  return `${url(`/website/saved-block/${id}`)}?enable_editor=1`;
}
