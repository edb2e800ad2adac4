import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../../docs');

export const pageNames = readdirSync(folder).filter((name) => name.endsWith('.md'));

export const readPage = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** The page as one line, so that wrapped text is found. */
export const readLine = (name: string): string => readPage(name).replace(/\s+/g, ' ');
