/** Buttons pressed before the loader ran, recorded by the inline script in the page's head (`packages/islands/head.ts`). */
const { pergolaPressed: pressed, onPergolaPress: onPress } = window as {
  readonly pergolaPressed?: Set<HTMLElement>;
  readonly onPergolaPress?: (event: MouseEvent) => void;
};

/** Stops recording: from now on, islands and behaviours record presses themselves (`early.ts`). */
export function stopRecording(): void {
  if (onPress) removeEventListener('click', onPress, true);
}

/** Removes and returns the recorded buttons within an element or island, except those of an inner island. */
export function takePressed(element: HTMLElement): HTMLElement[] {
  const taken = [...(pressed ?? [])].filter(
    (button) =>
      element.contains(button) &&
      (element.localName !== 'pergola-island' || button.closest('pergola-island') === element),
  );
  for (const button of taken) pressed?.delete(button);
  return taken;
}
