import type { JsonObject } from '../../tools/n8n/execution.mts';
import { requireEach, requireEqual, textsOf } from '../complete.mts';
import type { Lab } from '../lab.mts';
import type { Sample, Subject } from '../subject.mts';
import { chain, ownNode } from '../workflows.mts';

const count = 10_000;
const pageSize = 100;
const names = {
	own: 'Page Audience, defaults',
	sequential: 'Page Audience, concurrency 1',
	bare: 'Bare loop, page by page',
};

/** The activity of one account by offset, whose pages can be requested in parallel. */
export async function activities(lab: Lab): Promise<Subject> {
	const bare = async (accountId: string): Promise<Listed> => {
		const { ms, ids } = await lab.bareLoop.ask('listActivities', accountId, pageSize);
		return { value: ms, ids };
	};
	const sides = [
		{ name: names.own, list: await nodeList(lab, names.own, {}) },
		{ name: names.sequential, list: await nodeList(lab, names.sequential, { concurrency: 1 }) },
		{ name: names.bare, list: bare },
	].map(({ name, list }) => ({
		name,
		list: async (some: number) => await listAndCheck(lab, name, some, list),
	}));
	return {
		title: `${count} activities of an account by offset, ${pageSize} at a time`,
		unit: 'ms',
		sides: sides.map(({ name, list }) => ({ name, run: async () => await list(count) })),
		goals: [{ side: names.own, against: names.sequential, atMost: 1 / 3 }],
		warmUp: async () => {
			for (const { list } of sides) await list(1_000);
		},
	};
}

type Listed = Sample & { ids: string[] };

async function listAndCheck(
	lab: Lab,
	name: string,
	some: number,
	list: (accountId: string) => Promise<Listed>,
): Promise<Sample> {
	await lab.service.ask('reset');
	const accountId = await lab.service.ask('fillActivities', some);
	const { ids, ...sample } = await list(accountId);
	const { peakInFlight, requests, refused } = await lab.service.ask('traffic');
	requireEach('Activities in the output', await lab.service.ask('activityIds', accountId), ids);
	// The node's first request asks for 1,000 records, which the service rejects.
	const rejected = name === names.bare ? 0 : 1;
	requireEqual('Requests', some / pageSize + rejected, requests);
	requireEqual('Refused requests', rejected, refused);
	return { ...sample, peakInFlight };
}

async function nodeList(
	lab: Lab,
	name: string,
	options: JsonObject,
): Promise<(accountId: string) => Promise<Listed>> {
	const parameters = {
		resource: 'account',
		operation: 'getActivity',
		accountId: { __rl: true, mode: 'id', value: '={{ $json.body.accountId }}' },
		returnAll: true,
		options,
	};
	const run = await lab.publish(({ credential }) =>
		chain(`${name}, activities`, [ownNode(parameters, credential)]),
	);
	return async (accountId) => {
		const { ms, items, reading } = await run({ accountId });
		return { value: ms, ids: textsOf(items, 'activityId'), cpuMs: reading.cpuMs };
	};
}
