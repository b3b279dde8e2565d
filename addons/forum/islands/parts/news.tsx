interface Props {
  /** Text of the notice, or null to hide it. */
  readonly text: string | null;
  show(): void;
}

/** Notice shown on top of the page, without moving content, and announced by screen readers. */
export function News({ text, show }: Props) {
  return (
    <div className="forum-news" role="status" data-slot="forum-news">
      {text !== null && (
        <button className="btn btn-primary" type="button" onClick={show}>
          {text}
        </button>
      )}
    </div>
  );
}
