import '../look/browser/panel.css';

/** Opens the panel “Look” beside the page. `?look=1`, by which the backend leads here, opens it at once and is taken out of the address. */
export default function look(button: HTMLElement): () => void {
  const open = async (): Promise<void> => {
    button.closest('details')?.removeAttribute('open');
    const { openLookPanel } = await import('../look/browser/panel.tsx');
    openLookPanel();
  };
  button.addEventListener('click', open);
  const address = new URL(location.href);
  if (address.searchParams.has('look')) {
    address.searchParams.delete('look');
    history.replaceState(history.state, '', address);
    void open();
  }
  return () => button.removeEventListener('click', open);
}
