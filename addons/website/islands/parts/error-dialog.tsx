import { Dialog } from '@pergola/web/kit-dialog';
import { type RpcError, t } from 'pergola/browser';

/** Backend URL of a record, with a link back to the website. */
export function backendAddress(model: string, id: number | string): string {
  return `/web#return_label=Website&model=${encodeURIComponent(model)}&id=${encodeURIComponent(String(id))}`;
}

interface Props {
  readonly of: Pick<RpcError, 'title' | 'message'>;
  /** Record of the error; the dialog links to its backend form. */
  readonly model: string;
  readonly id: number;
  onClose(): void;
}

/** Error message about a record, with a link to it. */
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
