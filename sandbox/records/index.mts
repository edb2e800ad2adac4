export type * from './audiences.mts';
export type * from './contacts.mts';
export type * from './pages.mts';
export * from './subscriptions.mts';
