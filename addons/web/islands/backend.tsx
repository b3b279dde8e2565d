import { BackendApp } from '../backend/app.tsx';
import type { Start } from '../backend/types.ts';

/** The backend's screens. */
export default function Backend(start: Start) {
  return <BackendApp start={start} />;
}
