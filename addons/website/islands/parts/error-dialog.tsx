import { type RpcError, t } from 'pergola/browser';
import { Dialog } from '#addons/web/kit';

/** The address of a record in the backend, with the way back here. */
export function backendAddress(model: string, id: number | string): string {
  return `/web#return_label=Website&model=${encodeURIComponent(model)}&id=${encodeURIComponent(String(id))}`;
}

interface Props {
  readonly of: Pick<RpcError, 'title' | 'message'>;
  /** The record it is about; its form in the backend is offered. */
  readonly model: string;
  readonly id: number;
  onClose(): void;
}

/** Says what went wrong with a record, and where it can be looked at. */
export function ErrorDialog({ of: { title, message }, model, id, onClose }: Props) {
  const foot = (
    <>
      <a className="btn btn-outline-secondary me-auto" href={backendAddress(model, id)}>
        {t('Open in the backend')}
      </a>
      <button type="button" className="btn btn-primary" onClick={onClose}>
        {t('Close')}
      </button>
    </>
  );
  return (
    <Dialog title={title} className="error-dialog" foot={foot} onClose={onClose}>
      <p className="mb-0">{message}</p>
    </Dialog>
  );
}
