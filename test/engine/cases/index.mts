import { resources } from '../../../nodes/PageAudience/PageAudience.node.ts';
import type { Sandbox } from '../../../sandbox/index.mts';
import { describeAudiences } from './audiences.mts';
import { type Case, Cases } from './case.mts';
import { describeContacts } from './contacts.mts';
import { describePages } from './pages.mts';

export type { Case };

/** Every operation of one endpoint as `resource.operation`. Those of several requests have tests of their own. */
export const operationNames = resources.flatMap(({ option, operations }) =>
	operations
		.filter(({ uses }) => uses === undefined)
		.map((operation) => `${option.value}.${operation.option.value}`),
);

/** One case for each operation. */
export function describeCases(sandbox: Sandbox): Case[] {
	const cases = new Cases(sandbox);
	return [...describeContacts(cases), ...describePages(cases), ...describeAudiences(cases)];
}

export function findCase(sandbox: Sandbox, operation: string): Case {
	const found = describeCases(sandbox).find((each) => each.operation === operation);
	if (!found) throw new Error(`There is no case for ${operation}`);
	return found;
}
