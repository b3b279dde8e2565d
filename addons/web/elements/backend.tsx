import { createRoot } from 'react-dom/client';
import { ready } from '#core/browser';
import { BackendApp } from '../backend/app.tsx';
import type { Start } from '../backend/types.ts';

/** Draws the backend's screens in their page, once its texts are there. */
export default function backend(place: HTMLElement): () => void {
  const root = createRoot(place);
  const start = JSON.parse(document.getElementById('backend-start')?.textContent ?? '{}') as Start;
  void ready.then(() => root.render(<BackendApp start={start} />));
  return () => root.unmount();
}
