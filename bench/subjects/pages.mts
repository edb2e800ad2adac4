import { requireEach, requireEqual, textsOf } from '../complete.mts';
import type { Lab, NodeMaker } from '../lab.mts';
import type { Sample, Subject } from '../subject.mts';
import { chain, httpListParameters, httpNode, ownNode } from '../workflows.mts';

const count = 20_000;
const pageSize = 100;
const names = { own: 'Page Audience, Return All', http: 'HTTP Request node', bare: 'Bare loop' };

/** All persons of a service that allows 100 at a time. Each page is requested with the cursor of the page before. */
export async function pages(lab: Lab): Promise<Subject> {
	return await listPersons(lab, pageSize, [{ side: names.own, against: names.bare, atMost: 1.25 }]);
}

/** The same of a service that allows 1,000 at a time. Only this package finds that out by itself. */
export async function largePages(lab: Lab): Promise<Subject> {
	return await listPersons(lab, 1_000, [{ side: names.own, against: names.http, atMost: 1 / 3 }]);
}

async function listPersons(lab: Lab, largest: number, goals: Subject['goals']): Promise<Subject> {
	const parameters = { resource: 'person', operation: 'getAll', returnAll: true, options: {} };
	const listed = `persons, ${largest} at a time`;
	const own = await nodeList(lab, `${names.own}, ${listed}`, ({ credential }) =>
		ownNode(parameters, credential),
	);
	const http = await nodeList(lab, `${names.http}, ${listed}`, ({ credential }) =>
		httpNode(httpListParameters(lab.address.url, pageSize), credential),
	);
	const bare = async (): Promise<Listed> => {
		const { ms, ids } = await lab.bareLoop.ask('listPersons', pageSize);
		return { value: ms, ids };
	};
	// The first request asks for 1,000 records, which the service rejects where it allows fewer.
	const rejected = largest < 1_000 ? 1 : 0;
	const sides = [
		{ name: names.own, list: listAndCheck(lab, largest, own, largest, rejected) },
		{ name: names.http, list: listAndCheck(lab, largest, http, pageSize) },
		{ name: names.bare, list: listAndCheck(lab, largest, bare, pageSize) },
	];
	return {
		title: `${count} persons from a service that allows ${largest} at a time`,
		unit: 'ms',
		sides: sides.map(({ name, list }) => ({ name, run: async () => await list(count) })),
		goals,
		warmUp: async () => {
			for (const { list } of sides) await list(1_000);
		},
	};
}

type Listed = Sample & { ids: string[] };

const listAndCheck =
	(lab: Lab, largest: number, list: () => Promise<Listed>, page: number, rejected = 0) =>
	async (some: number): Promise<Sample> => {
		await lab.service.ask('reset');
		await lab.service.ask('allowLimit', largest);
		await lab.service.ask('fillPersons', some);
		const { ids, ...sample } = await list();
		const { peakInFlight, requests, refused } = await lab.service.ask('traffic');
		requireEach('Persons in the output', await lab.service.ask('personIds'), ids);
		requireEqual('Requests', some / page + rejected, requests);
		requireEqual('Refused requests', rejected, refused);
		return { ...sample, peakInFlight };
	};

async function nodeList(
	lab: Lab,
	workflowName: string,
	makeNode: NodeMaker,
): Promise<() => Promise<Listed>> {
	const run = await lab.publish((n8n) => chain(workflowName, [makeNode(n8n)]));
	return async () => {
		const { ms, items, reading } = await run({});
		// The HTTP Request node outputs one item per page.
		const records = items.flatMap((item) =>
			Array.isArray(item.items) ? (item.items as typeof items) : [item],
		);
		return { value: ms, ids: textsOf(records, 'personId'), cpuMs: reading.cpuMs };
	};
}
