import './tour.css';
import { runTour } from '../islands/parts/tour/tour.tsx';

/** Resumes the running tour at its current step. `page.ts` inserts the `[data-tour]` element. */
export default function tour(): () => void {
  const running = runTour();
  return () => void running.then((stop) => stop());
}
