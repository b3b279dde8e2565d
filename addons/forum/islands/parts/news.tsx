interface Props {
  /** What is new; null for nothing. */
  readonly text: string | null;
  show(): void;
}

/** A notice over the page, which moves nothing, and is read out when it comes. */
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
