import { requireEach, requireEqual, textsOf } from '../complete.mts';
import type { Lab, NodeMaker } from '../lab.mts';
import type { Sample, Side, Subject } from '../subject.mts';
import { chain, httpListParameters, httpNode, ownNode } from '../workflows.mts';

const count = 20_000;
const pageSize = 100;
const names = { own: 'Page Audience, Return All', http: 'HTTP Request node', bare: 'Bare loop' };

/** All persons in pages of 100, each requested with the cursor of the page before. */
export async function pages(lab: Lab): Promise<Subject> {
	const parameters = { resource: 'person', operation: 'getAll', returnAll: true, options: {} };
	const bare = async (): Promise<Listed> => {
		const { ms, ids } = await lab.bareLoop.ask('listPersons', pageSize);
		return { value: ms, ids };
	};
	const sides = [
		listSide(
			lab,
			names.own,
			await nodeList(lab, names.own, ({ credential }) => ownNode(parameters, credential)),
		),
		listSide(
			lab,
			names.http,
			await nodeList(lab, names.http, ({ credential }) =>
				httpNode(httpListParameters(lab.address.url, pageSize), credential),
			),
		),
		listSide(lab, names.bare, bare),
	];
	return {
		title: `${count} persons in pages of ${pageSize}`,
		unit: 'ms',
		sides: sides.map(({ name, list }) => ({ name, run: async () => await list(count) })),
		goals: [{ side: names.own, against: names.bare, atMost: 1.25 }],
		warmUp: async () => {
			for (const { list } of sides) await list(1_000);
		},
	};
}

type Listed = Sample & { ids: string[] };
type ListSide = Pick<Side, 'name'> & { list(count: number): Promise<Sample> };

function listSide(lab: Lab, name: string, list: () => Promise<Listed>): ListSide {
	const listAndCheck = async (some: number): Promise<Sample> => {
		await lab.service.ask('reset');
		await lab.service.ask('fillPersons', some);
		const { ids, ...sample } = await list();
		const { peakInFlight, requests, refused } = await lab.service.ask('traffic');
		requireEach('Persons in the output', await lab.service.ask('personIds'), ids);
		requireEqual('Requests', some / pageSize, requests);
		requireEqual('Refused requests', 0, refused);
		return { ...sample, peakInFlight };
	};
	return { name, list: listAndCheck };
}

async function nodeList(
	lab: Lab,
	name: string,
	makeNode: NodeMaker,
): Promise<() => Promise<Listed>> {
	const run = await lab.publish((n8n) => chain(`${name}, persons`, [makeNode(n8n)]));
	return async () => {
		const { ms, items, reading } = await run({});
		// The HTTP Request node outputs one item per page.
		const records = items.flatMap((item) =>
			Array.isArray(item.items) ? (item.items as typeof items) : [item],
		);
		return { value: ms, ids: textsOf(records, 'personId'), cpuMs: reading.cpuMs };
	};
}
