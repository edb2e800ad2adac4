export function pathStartingWith(folder: string): NodeJS.ProcessEnv;
export function stopWithNpm(): void;
export function isAlive(pid: number): boolean;
