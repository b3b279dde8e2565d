import './tour.css';
import { runTour } from '../islands/parts/tour/tour.tsx';

/** Where a tour is under way (`[data-tour]`, put there by `page.ts`): guides on from the step that was reached. */
export default function tour(): () => void {
  const running = runTour();
  return () => void running.then((stop) => stop());
}
