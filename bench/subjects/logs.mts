import type { JsonObject } from '../../tools/n8n/execution.mts';
import { requireEach, requireEqual, textsOf } from '../complete.mts';
import { makeContacts, toPersonLog } from '../contacts.mts';
import type { Lab, NodeMaker } from '../lab.mts';
import type { Sample, Side, Subject } from '../subject.mts';
import {
	bareSender,
	chain,
	httpLogParameters,
	httpNode,
	logParameters,
	ownNode,
	splitContacts,
} from '../workflows.mts';

const count = 1_000;
const contacts = makeContacts(count);
const warmUpContacts = makeContacts(100);
const http = 'HTTP Request node';

/** Person logs for 1,000 contacts, with the node's defaults and with a higher concurrency. */
export async function logs(lab: Lab): Promise<Subject> {
	const defaults = await ownSide(lab, 'Page Audience, defaults', {});
	const wide = await ownSide(lab, 'Page Audience, concurrency 50', { concurrency: 50 });
	const helper = await nodeSide(lab, "Only n8n's helper, 50 at once", ({ credential }) =>
		bareSender(50, credential),
	);
	const bare = bareSide(lab, 50);
	const sides = [defaults, wide, helper, await httpSide(lab), bareSide(lab, 10), bare];
	return {
		title: `${count} person logs`,
		unit: 'ms',
		sides: sides.map(({ side }) => side),
		goals: [
			{ side: defaults.side.name, against: http, atMost: 0.6 },
			{ side: wide.side.name, against: http, atMost: 0.2 },
			{ side: wide.side.name, against: bare.side.name, atMost: 1.5 },
			{ side: wide.side.name, against: helper.side.name, atMost: 1.25 },
		],
		warmUp: async () => await warmUp(sides),
	};
}

type Contacts = typeof contacts;
type LogSide = { side: Side; send(contacts: Contacts): Promise<Sample> };

/** `send` returns the IDs of the logs in the order of the contacts. */
function logSide(
	lab: Lab,
	name: string,
	send: (contacts: Contacts) => Promise<{ ids: string[] } & Sample>,
): LogSide {
	const sendAndCheck = async (some: Contacts): Promise<Sample> => {
		await lab.service.ask('reset');
		const { ids, ...sample } = await send(some);
		const { peakInFlight, requests, refused } = await lab.service.ask('traffic');
		const stored = await lab.service.ask('logs');
		requireEach('Logs in the service', textsOf(some, 'id'), textsOf(stored, 'crmId'));
		requireEqual('Requests', some.length, requests);
		requireEqual('Refused requests', 0, refused);
		const contactOf = new Map(stored.map(({ personLogId, crmId }) => [personLogId, crmId]));
		const answered = ids.map((id) => contactOf.get(id));
		requireEqual('Order of the output', textsOf(some, 'id').join(), answered.join());
		return { ...sample, peakInFlight };
	};
	return { send: sendAndCheck, side: { name, run: async () => await sendAndCheck(contacts) } };
}

async function nodeSide(lab: Lab, name: string, makeNode: NodeMaker): Promise<LogSide> {
	const run = await lab.publish((n8n) => chain(name, [splitContacts, makeNode(n8n)]));
	return logSide(lab, name, async (some) => {
		const { ms, items, reading } = await run({ contacts: some });
		return { value: ms, ids: textsOf(items, 'personLogId'), cpuMs: reading.cpuMs };
	});
}

const ownSide = async (lab: Lab, name: string, options: JsonObject): Promise<LogSide> =>
	await nodeSide(lab, name, ({ credential }) => ownNode(logParameters(options), credential));

const httpSide = async (lab: Lab): Promise<LogSide> =>
	await nodeSide(lab, http, ({ credential }) =>
		httpNode(httpLogParameters(lab.address.url), credential),
	);

function bareSide(lab: Lab, atOnce: number): LogSide {
	return logSide(lab, `Bare loop, ${atOnce} at once`, async (some) => {
		const { ms, ids } = await lab.bareLoop.ask('postLogs', some.map(toPersonLog), atOnce);
		return { value: ms, ids };
	});
}

async function warmUp(sides: LogSide[]): Promise<void> {
	for (const { send } of sides) await send(warmUpContacts);
}
