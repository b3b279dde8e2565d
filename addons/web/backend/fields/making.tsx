import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Picked } from './record-picker.tsx';

/** The whole form of a new record, loaded when it is asked for. */
const RecordDialog = lazy(async () => ({ default: (await import('../form/record-dialog.tsx')).RecordDialog }));

/**
 * A window in which a new record of a model is made, over the form that wants it. `ask` opens it with a name to begin with; what was made is
 * handed to `onMade`.
 */
export function useMaking(
  model: string,
  onMade: (picked: Picked) => void,
  defaults: Readonly<Record<string, unknown>> = {},
): { readonly ask: (name: string) => void; readonly dialog: ReactNode } {
  const [name, setName] = useState<string | null>(null);
  const dialog = name !== null && (
    <Suspense>
      <RecordDialog
        model={model}
        id="new"
        name={name}
        defaults={defaults}
        onClose={() => setName(null)}
        onSaved={(picked) => {
          setName(null);
          onMade(picked);
        }}
      />
    </Suspense>
  );
  return { ask: setName, dialog };
}
