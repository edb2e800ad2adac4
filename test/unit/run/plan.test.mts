import { path } from '../../../nodes/api/path.ts';
import { usualOptions } from '../../../nodes/PageAudience/operation/sharedParameters.ts';
import { isDryRun, isValid, isWriting, type Plan } from '../../../nodes/PageAudience/run/plan.ts';

const checked = {
	values: { options: usualOptions },
	request: { method: 'GET' as const, path: path`/persons` },
	json: {},
};
const write = { ...checked, changes: [] };
const operation = {} as never;

test.each<[what: string, plan: Plan, isDry: boolean, writes: boolean]>([
	['a preview', { kind: 'preview', ...checked }, true, false],
	['a read', { kind: 'read', ...checked, operation }, false, false],
	['a list', { kind: 'list', ...checked, operation }, false, false],
	['a file', { kind: 'file', ...checked, operation, format: 'csv' }, false, false],
	['a write', { kind: 'send', ...write, operation }, false, true],
	['a look before a write', { kind: 'ensure', ...write, operation, isDryRun: false }, false, true],
	['a dry look', { kind: 'ensure', ...write, operation, isDryRun: true }, true, false],
])('%s', (_, plan, isDry, writes) => {
	expect([isDryRun(plan), isWriting(plan), isValid(plan)]).toEqual([isDry, writes, true]);
});

test('an item that is withheld does nothing', () => {
	const plan: Plan = { kind: 'withheld', error: new Error('Name is required') };
	expect([isDryRun(plan), isWriting(plan), isValid(plan)]).toEqual([false, false, false]);
});
