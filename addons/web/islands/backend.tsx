import { BackendApp } from '../backend/app.tsx';
import type { Start } from '../backend/types.ts';

/** Screens of the backend. */
export default function Backend(start: Start) {
  return <BackendApp start={start} />;
}
