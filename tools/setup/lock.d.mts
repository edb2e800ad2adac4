export function withLock<Result>(path: string, work: () => Promise<Result>): Promise<Result>;
