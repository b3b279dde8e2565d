import { url } from 'pergola/browser';
import { calls } from '../calls.ts';
import { overrideAttributes } from '../dom/serialize.ts';

/** Server-rendered contents of blocks, cached while editing so that move, undo and copy need no request. */
export class BlockContents {
  readonly #known = new Map<string, DocumentFragment>();

  /** Remembers the contents of all blocks before the page is rebuilt. */
  learn(root: ParentNode): void {
    for (const block of root.querySelectorAll<HTMLElement>('[data-block]')) {
      if (block.parentElement?.closest('[data-block]') || block.childNodes.length === 0) continue;
      const contents = document.createDocumentFragment();
      contents.append(...block.childNodes);
      this.#known.set(keyOf(block), contents);
    }
  }

  /** Fills the empty blocks of a rebuilt part, from the cache or with a request. */
  fill(root: ParentNode): void {
    for (const block of root.querySelectorAll<HTMLElement>('[data-block]')) {
      if (block.parentElement?.closest('[data-block]') || block.childNodes.length > 0) continue;
      void this.fillOne(block);
    }
  }

  async fillOne(block: HTMLElement): Promise<void> {
    const key = keyOf(block);
    const cached = this.#known.get(key);
    // The first block gets the original nodes with live islands; further blocks get a static copy.
    if (cached && cached.childNodes.length > 0) {
      const copy = cached.cloneNode(true) as DocumentFragment;
      put(block, [...cached.childNodes]);
      this.#known.set(key, copy);
      return;
    }
    try {
      const { html } = await calls.block(block.dataset.block ?? '', optionsOf(block));
      const holder = document.createElement('template');
      holder.innerHTML = html;
      put(block, [...(holder.content.querySelector('[data-block]')?.childNodes ?? [])]);
    } catch {
      // The block stays in place without contents; the panel shows its type.
    }
  }

  /** Reloads all blocks of a type after their data changed elsewhere. */
  reloadBlocks(root: ParentNode, kind: string): void {
    for (const block of root.querySelectorAll<HTMLElement>(`[data-block="${kind}"]`)) {
      this.#known.delete(keyOf(block));
      void this.fillOne(block);
    }
  }
}

/** Contents are inert while editing: a click on them reaches the block, which is selected and dragged. */
function put(block: HTMLElement, contents: readonly Node[]): void {
  block.replaceChildren(...contents, ...block.querySelectorAll(':scope > [data-ed-handle]'));
  for (const child of block.children) if (!child.matches('[data-ed-handle]')) overrideAttributes(child, { inert: '' });
}

function keyOf({ dataset }: HTMLElement): string {
  return `${dataset.block} ${dataset.options ?? '{}'}`;
}

/** Options of a block; empty if they can't be parsed. */
export function optionsOf({ dataset }: HTMLElement): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(dataset.options ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Address for editing a shared block in the page's language. */
export function sharedBlockAddress(id: number): string {
  return `${url(`/website/saved-block/${id}`)}?enable_editor=1`;
}
