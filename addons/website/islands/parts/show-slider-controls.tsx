import { showBeside } from './show-beside.ts';
import { SliderControls } from './slider-controls.tsx';

/** Mounts the slider controls at the end of the slider. */
export function showSliderControls(slider: HTMLElement, track: HTMLElement): Promise<() => void> {
  const { optInterval } = slider.dataset;
  const interval = optInterval === undefined ? undefined : Number(optInterval);
  return showBeside(slider, 'slider-controls', () => <SliderControls track={track} interval={interval} />);
}
