import '../look/browser/panel.css';

/**
 * Opens the panel “Look” beside the page. `?look=here`, by which the backend leads here, opens it at once and is taken out of the address; `?look=3` is for
 * the website with this id.
 */
export default function look(button: HTMLElement): () => void {
  const open = async (website?: number): Promise<void> => {
    button.closest('details')?.removeAttribute('open');
    const { openLookPanel } = await import('../look/browser/panel.tsx');
    openLookPanel(website);
  };
  const press = (): void => void open();
  button.addEventListener('click', press);
  const address = new URL(location.href);
  const look = address.searchParams.get('look');
  if (look !== null) {
    address.searchParams.delete('look');
    history.replaceState(history.state, '', address);
    void open(Number(look) || undefined);
  }
  return () => button.removeEventListener('click', press);
}
