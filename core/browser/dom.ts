/** Tells other islands and behaviours of the page that something happened: `emit('website_sale.cart', { quantity: 3 })`. */
export function emit(name: string, detail: unknown = null): void {
  document.dispatchEvent(new CustomEvent(name, { detail }));
}

/** Hears what others emit; answers how to stop. */
export function on<T = unknown>(name: string, listener: (detail: T) => void): () => void {
  const heard = (event: Event): void => listener((event as CustomEvent<T>).detail);
  document.addEventListener(name, heard);
  return () => document.removeEventListener(name, heard);
}

/** Whether the visitor asked for less motion. */
export function reducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/**
 * Runs `mount` for every element of the selector, now and when it is added later; what it answers runs when the element is gone. Answers how to
 * stop, which ends them all.
 */
export function onElement<E extends HTMLElement>(
  selector: string,
  mount: (element: E) => undefined | (() => void),
): () => void {
  const mounted = new Map<E, undefined | (() => void)>();
  const look = (): void => {
    for (const element of document.querySelectorAll<E>(selector))
      if (!mounted.has(element)) mounted.set(element, mount(element));
    for (const [element, end] of mounted) {
      if (element.isConnected) continue;
      mounted.delete(element);
      end?.();
    }
  };
  const observer = new MutationObserver(look);
  observer.observe(document.documentElement, { childList: true, subtree: true });
  look();
  return () => {
    observer.disconnect();
    for (const end of mounted.values()) end?.();
    mounted.clear();
  };
}
