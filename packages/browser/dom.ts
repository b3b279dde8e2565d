/** Emits an event to other islands and behaviours of the page: `emit('website_sale.cart', { quantity: 3 })`. */
export function emit(name: string, detail: unknown = null): void {
  document.dispatchEvent(new CustomEvent(name, { detail }));
}

/** Listens for events emitted by others. Returns a function that unsubscribes. */
export function on<T = unknown>(name: string, listener: (detail: T) => void): () => void {
  const handler = (event: Event): void => listener((event as CustomEvent<T>).detail);
  document.addEventListener(name, handler);
  return () => document.removeEventListener(name, handler);
}

/** Whether the visitor prefers reduced motion. */
export function reducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
