import { keepsStill } from '../snippets/browser/behaviour.ts';
import { whenSeen } from '../snippets/browser/when-seen.ts';

/** Endless row of logos (`.s_logos_run`) with a pause button. Doesn't move if the visitor prefers reduced motion. */
export default function logos(list: HTMLElement): undefined | (() => void) {
  if (keepsStill(list)) return undefined;
  return whenSeen(list, async () => {
    const { showLogoRun } = await import('../islands/parts/logo-run.tsx');
    return showLogoRun(list);
  });
}
