import './tour.css';
import { runTour } from '../snippets/browser/tour/runner.ts';

/** Where a tour is under way (`[data-tour]`, put there by `page.ts`): guides on from the step that was reached. */
export default function tour(): () => void {
  const running = runTour();
  return () => void running.then((stop) => stop());
}
