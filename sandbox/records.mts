export type * from './records/audiences.mts';
export type * from './records/contacts.mts';
export type * from './records/pages.mts';
export * from './records/subscriptions.mts';
