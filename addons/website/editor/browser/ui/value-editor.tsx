import { useCallback } from 'react';
import type { EditSession, SessionView } from '../session.ts';
import { MediaDialog } from './media-dialog.tsx';
import { ValuePopover } from './value-popover.tsx';

/** Images of records are selected in the media dialog, other values are edited in a popover. */
export function ValueEditor({ session, view }: { session: EditSession; view: NonNullable<SessionView['value']> }) {
  const close = useCallback(() => session.openValue(null), [session]);
  if (view.field.piece.type !== 'image')
    return <ValuePopover field={view.field} element={view.element} onClose={close} />;
  return (
    <MediaDialog
      media="picture"
      isStored
      onClose={close}
      onChoose={({ id, website_url: address }) => {
        view.field.set({ attachment: id, address });
        close();
      }}
    />
  );
}
