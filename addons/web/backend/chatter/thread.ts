/** Thread of a record, as returned by the server. Types only, shared by server and browser. */

/** A file on a record or message. */
export interface ShownFile {
  readonly id: number;
  readonly name: string;
  readonly mimetype: string | null;
  readonly size: number;
}

/** A message in a thread. */
interface ShownMessage {
  readonly id: number;
  readonly date: Date;
  readonly author: string | null;
  readonly authorId: number | null;
  readonly mine: boolean;
  readonly subject: string | null;
  /** Sanitised HTML. */
  readonly body: string;
  /** Visible to employees only. */
  readonly internal: boolean;
  readonly type: string;
  /** Emails by which it was sent, with the delivery status of each. */
  readonly mails: readonly ShownMail[];
  readonly files: readonly ShownFile[];
}

/** An email to one recipient. */
export interface ShownMail {
  readonly id: number;
  readonly name: string | null;
  /** Empty for followers, whose addresses are private. */
  readonly email: string;
  readonly state: 'queued' | 'held' | 'handed_over' | 'delivered' | 'refused' | 'bounced' | 'withdrawn';
  /** Reply of the mail server if it refused the email. */
  readonly error: string | null;
}

/** A recipient proposed by the record, such as the customer of an order. */
export interface ProposedRecipient {
  readonly email: string;
  readonly name: string;
  readonly ticked: boolean;
}

/** A change of a tracked field, with readable values. */
export interface ShownChange {
  readonly id: number;
  readonly date: Date;
  readonly by: string | null;
  readonly field: string;
  readonly label: string;
  readonly type: string;
  /** Of a datetime field: its declared zone, or null for the reader's. */
  readonly timezone: string | null;
  /** Empty if the field had no value. */
  readonly before: string;
  readonly after: string;
  /** Whether the caller may restore the previous value. */
  readonly restorable: boolean;
}

/** Messages, files, followers and changes of a record. */
export interface ThreadView {
  readonly messages: readonly ShownMessage[];
  readonly messageCount: number;
  readonly changes: readonly ShownChange[];
  readonly files: readonly ShownFile[];
  readonly followers: readonly { readonly partnerId: number; readonly name: string; readonly me: boolean }[];
  readonly following: boolean;
  readonly recipients: readonly ProposedRecipient[];
  readonly may: { readonly write: boolean };
}

/** The record that a thread belongs to. */
export interface ThreadOf {
  readonly model: string;
  readonly id: number;
}
