import { t } from 'pergola/browser';

export type Users = readonly { readonly id: number; readonly name: string; readonly website_url: string }[];

/** Explains why an item wasn't deleted: the records that use it, with links. */
export function StillUsed({ users, onClose }: { users: Users; onClose(): void }) {
  return (
    <div className="alert alert-warning ed-used" role="alert">
      <p>{t('This can’t be deleted because it’s still used here:')}</p>
      <ul>
        {users.map(({ id, name, website_url: url }) => (
          <li key={`${id} ${name}`}>{url ? <a href={url}>{name}</a> : name}</li>
        ))}
      </ul>
      <button type="button" className="btn btn-sm btn-outline-secondary" onClick={onClose}>
        {t('OK')}
      </button>
    </div>
  );
}

/** Last deleted item, with an undo button. */
export function DeletedNote({ name, onPutBack }: { name: string; onPutBack: (() => void) | null }) {
  return (
    <div className="alert alert-info ed-used" role="status">
      <p className="mb-2">{t('“{name}” was deleted.', { name })}</p>
      {onPutBack ? (
        <button type="button" className="btn btn-sm btn-outline-secondary" onClick={onPutBack}>
          {t('Undo')}
        </button>
      ) : null}
    </div>
  );
}
