import { useSyncExternalStore } from 'react';

/** What is left of each variant whose stock counts, and which of them are in the visitor's cart. */
export interface Stock {
  readonly levels: Readonly<Record<string, number>>;
  readonly mine: readonly number[];
}

/** Addresses of a variant's own picture. */
export interface VariantPicture {
  readonly src: string;
  readonly large: string;
}

/** Something that the islands of a product's page know together, whichever wakes first. Set by effects alone, so that the server keeps nothing. */
function shared<T>(none: T) {
  let value = none;
  const listeners = new Set<() => void>();
  const listen = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    set(next: T): void {
      value = next;
      for (const listener of listeners) listener();
    },
    use: (): T =>
      useSyncExternalStore(
        listen,
        () => value,
        () => none,
      ),
  };
}

/** The variant that is chosen; 0 for none. */
export const chosenVariant = shared(0);
export const stock = shared<Stock | null>(null);
/** What the chosen variant looks like, where it looks different. */
export const variantPicture = shared<VariantPicture | null>(null);
