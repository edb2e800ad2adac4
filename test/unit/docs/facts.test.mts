import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { startLimit, usualLimit } from '../../../nodes/api/paginate.ts';
import { patienceMs } from '../../../nodes/api/verdict.ts';
import { mostWindows } from '../../../nodes/PageAudience/resources/pageAnalytics.ts';
import { mostFailures } from '../../../nodes/PageAudience/run/report.ts';
import { mostRemembered } from '../../../nodes/PageAudience/ledger/nodeStore.ts';
import { mostRecords } from '../../../nodes/PageAudiencePollingTrigger/fetchNewest.ts';
import { rememberedMs } from '../../../nodes/PageAudienceTrigger/delivery/duplicates.ts';
import { sessionShape } from '../../../nodes/records/shapes.ts';
import { described } from '../../../tools/docs/descriptions.mts';
import { operations } from '../../../tools/docs/parameters.mts';
import { root } from '../../../tools/root.mts';
import { pageNames, readLine } from './pages.mts';

/* Defaults, limits and labels that the pages name are those of the code. */

/** A parameter with all that it holds. */
const listNested = (property: INodeProperties): INodeProperties[] => [
	property,
	...(property.options ?? []).flatMap((option) => {
		if ('values' in option) return option.values.flatMap(listNested);
		return 'displayName' in option ? listNested(option) : [];
	}),
];
const properties = described.flatMap((each) => each.properties.flatMap(listNested));

const defaultOf = (name: string): number => {
	const values = properties.filter((each) => each.name === name).map((each) => each.default);
	expect([...new Set(values)]).toHaveLength(1);
	return Number(values[0]);
};
const write = (number: number): string => number.toLocaleString('en-US');
const spell = (number: number): string => (number === 10 ? 'ten' : String(number));

const hours = defaultOf('lookBackHours');
const patience = patienceMs / 60_000;
const limit = defaultOf('limit');
const [largestLimit = 0] = startLimit().limits;

test.each([
	['reference', `list: ${write(largestLimit)}. If the service refuses that, ${usualLimit},`],
	['reference', `same time: ${defaultOf('concurrency')} -`],
	['reference', `data from the service: ${defaultOf('timeout') / 1000} seconds -`],
	['reference', `Retries of a request: ${defaultOf('maxRetries')} -`],
	['reference', `up to ${patience} minutes without`],
	['crm-sync', `${write(mostRemembered)} versions`],
	['crm-sync', `lists up to ${mostFailures} items`],
	['export', `you get ${limit} sessions`],
	['export', `You get ${spell(sessionShape.simplified?.length ?? 0)} columns`],
	['export', `up to ${mostWindows},`],
	['get-started', `up to ${spell(mostRecords)} recent submissions`],
	['get-started', `Return ${limit} records`],
	['triggers', `up to ${spell(mostRecords)} recent records`],
	['triggers', `found for ${hours} hours`],
	['triggers', `the sessions of the last ${hours} hours`],
	['triggers', `up to ${write(largestLimit)} records, or ${usualLimit} if`],
	['triggers', `last 1,000 deliveries, for ${rememberedMs / 3_600_000} hours`],
	['forms', `session of the last ${hours} hours`],
	['troubleshooting', `${limit} by default`],
	['troubleshooting', `After ${hours} hours`],
])('%s.md has the number of the code: %s', (page, text) => {
	expect(readLine(`${page}.md`)).toContain(text);
});

test('the README names the releases of n8n that are tested', () => {
	const older = globSync('test/compat/*/package.json', { cwd: root });
	const tested = ['tools/n8n/package.json', ...older].map((path) => {
		const text = readFileSync(join(root, path), 'utf8');
		return /"n8n": "(.+)"/.exec(text)?.[1];
	});
	const [, section] = readLine('../README.md').split('## Compatibility ');
	const [named] = section.split(' ## ');
	expect(named.match(/\d+\.\d+\.\d+/g)?.sort()).toEqual(tested.sort());
});

/** Of n8n's own nodes. */
const foreign = [
	'Options > System Message',
	'Options > Wait For Sub-Workflow Completion',
	'Operation: Append or Update Row',
	'Options > Cell Format: Let n8n format',
];

const optionLabels = properties
	.filter(({ name }) => name === 'options')
	.flatMap(({ options = [] }) => options as INodeProperties[])
	.map(({ displayName }) => displayName);
const labels = properties.map(({ displayName }) => displayName);
const choicesOf = (label: string) =>
	properties
		.filter(({ displayName }) => displayName === label)
		.flatMap(({ options = [] }) => options)
		.flatMap((option) => ('value' in option ? [option.name] : []));
const resources = operations.map(({ resource }) => resource);
const places = operations.map(({ label }) => label);

/** Why a label is not one of the panel, if it is none. */
function findFault(label: string): string | undefined {
	if (foreign.includes(label)) return undefined;
	const [path, ...rest] = label.split(': ');
	const parts = path.split(' > ');
	const name = parts.at(-1)!;
	if (parts[0] === 'Options' && parts.length > 1 && !optionLabels.includes(parts[1]))
		return `no option ${parts[1]}`;
	if (parts.length > 2 && !labels.includes(name)) return `no field ${name}`;
	if (parts.length === 2 && resources.includes(parts[0]) && !places.includes(path))
		return `no operation ${path}`;
	const known = choicesOf(name);
	const chosen = rest.join(': ');
	const isWrong = known.length > 0 && chosen && !known.includes(chosen);
	return isWrong ? `no choice ${chosen} of ${name}` : undefined;
}

test.each([...pageNames, '../README.md', '../examples/README.md'])(
	'%s names labels that the panel has',
	(page) => {
		const named = [...readLine(page).matchAll(/\*\*([^*`]+)\*\*/g)].map(([, label]) => label);
		expect(named.map(findFault).filter(Boolean)).toEqual([]);
	},
);
