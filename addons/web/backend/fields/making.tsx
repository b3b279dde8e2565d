import { type ComponentType, createContext, type ReactNode, Suspense, useContext, useState } from 'react';
import type { Picked } from './record-picker.tsx';

/** Props of a record form in a dialog, on top of another form. */
export interface RecordDialogProps {
  readonly model: string;
  readonly id: number | 'new';
  /** Initial name of a new record. */
  readonly name?: string;
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Effect of saving, if it does more than store the record. */
  readonly action?: string;
  /** Whether saving it sends mail. */
  readonly mails?: boolean;
  onClose(): void;
  onSaved(picked: Picked): void;
}

const RecordDialogContext = createContext<ComponentType<RecordDialogProps>>(() => null);

/** Provides the dialog to the fields of a form. Importing it there would be circular, because fields open forms. */
export const RecordDialogProvider = RecordDialogContext.Provider;

/** Returns the dialog in which a field opens a record. */
export function useRecordDialog(): ComponentType<RecordDialogProps> {
  return useContext(RecordDialogContext);
}

/**
 * Dialog that creates a related record on top of the current form. `ask` opens it with an initial name; `onMade` receives the new record.
 */
export function useMaking(
  model: string,
  onMade: (record: Picked) => void,
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
        onSaved={(record) => {
          setName(null);
          onMade(record);
        }}
      />
    </Suspense>
  );
  return { ask: setName, dialog };
}
