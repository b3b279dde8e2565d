import { showBeside } from './show-beside.ts';
import { SliderControls } from './slider-controls.tsx';

/** Puts the controls of a row of slides at the end of its slider. */
export function showSliderControls(slider: HTMLElement, track: HTMLElement): Promise<() => void> {
  const { optInterval } = slider.dataset;
  const interval = optInterval === undefined ? undefined : Number(optInterval);
  return showBeside(slider, 'slider-controls', () => <SliderControls track={track} interval={interval} />);
}
