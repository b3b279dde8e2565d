import { keepsStill } from '../snippets/browser/behaviour.ts';
import { whenSeen } from '../snippets/browser/when-seen.ts';

/** A row of logos (`.s_logos_run`) that passes by without end, with a button that stops it; it stands still where less motion is wanted. */
export default function logos(list: HTMLElement): undefined | (() => void) {
  if (keepsStill(list)) return undefined;
  return whenSeen(list, async () => {
    const { showLogoRun } = await import('../islands/parts/logo-run.tsx');
    return showLogoRun(list);
  });
}
