import { type ComponentType, createContext, type ReactNode, Suspense, useContext, useState } from 'react';
import type { Picked } from './record-picker.tsx';

/** A record's form in a window, over another form. */
export interface RecordDialogProps {
  readonly model: string;
  readonly id: number | 'new';
  /** What a new one is called at first. */
  readonly name?: string;
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** What saving it does, where that is more than keeping a record. */
  readonly action?: string;
  /** Whether saving it sends mail. */
  readonly mails?: boolean;
  onClose(): void;
  onSaved(picked: Picked): void;
}

const RecordDialogContext = createContext<ComponentType<RecordDialogProps>>(() => null);

/** Hands the window to the fields in it: a form's fields open forms, so they do not import them. */
export const RecordDialogProvider = RecordDialogContext.Provider;

/** The window in which a field opens a record. */
export function useRecordDialog(): ComponentType<RecordDialogProps> {
  return useContext(RecordDialogContext);
}

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
  const RecordDialog = useRecordDialog();
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
