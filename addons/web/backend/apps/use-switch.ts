import { t } from 'pergola/browser';
import { useRef, useState } from 'react';
import { fetchProgress } from './calls.ts';

/** Progress message of a switch. */
export interface Step {
  readonly text: string;
  readonly isOver: boolean;
}

export type SwitchState =
  | { readonly kind: 'asked' }
  | { readonly kind: 'running'; readonly steps: readonly Step[] }
  | { readonly kind: 'failed'; readonly problems: readonly string[] };

const POLL_MS = 350;
/** Time after which a switch that hasn't started is given up. */
const START_TIMEOUT_MS = 30_000;

/** Follows a running switch until it ends. */
export function useSwitch(name: string) {
  const [state, setState] = useState<SwitchState>({ kind: 'asked' });
  const messages = useRef<string[]>([]);
  const show = (): void =>
    setState({
      kind: 'running',
      steps: messages.current.map((text, index) => ({ text, isOver: index < messages.current.length - 1 })),
    });
  const addMessage = (text: string): void => {
    if (text && messages.current.at(-1) !== text) messages.current.push(text);
    show();
  };
  const follow = async (afterId: number): Promise<'done' | 'failed'> => {
    messages.current = [t('Started')];
    show();
    let unknownSince: number | null = null;
    for (;;) {
      // Calls may fail while the server swaps its addons; the next one gets the progress.
      const progress = await fetchProgress(name, afterId).catch(() => ({ kind: 'unknown' }) as const);
      if (progress.kind === 'done') return 'done';
      if (progress.kind === 'failed') {
        setState({ kind: 'failed', problems: progress.problems });
        return 'failed';
      }
      unknownSince = progress.kind === 'unknown' ? (unknownSince ?? Date.now()) : null;
      if (unknownSince !== null && Date.now() - unknownSince > START_TIMEOUT_MS) {
        setState({ kind: 'failed', problems: [t('No news for a while. Check the history.')] });
        return 'failed';
      }
      if (progress.kind === 'running') addMessage(progress.step);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };
  return { state, follow, fail: (problems: readonly string[]) => setState({ kind: 'failed', problems }) };
}
