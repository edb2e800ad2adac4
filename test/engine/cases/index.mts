import type { Sandbox } from '../../../sandbox/index.mts';
import { describeAudiences } from './audiences.mts';
import { type Case, Cases } from './case.mts';
import { describeContacts } from './contacts.mts';
import { describePages } from './pages.mts';

export type { Case };

/** One case for each operation. */
export function describeCases(sandbox: Sandbox): Case[] {
	const cases = new Cases(sandbox);
	return [...describeContacts(cases), ...describePages(cases), ...describeAudiences(cases)];
}
