import { sleep } from 'n8n-workflow';
import { type Edit, engines, hourMs, morePages, setUpPolling } from './pollingSetup.mts';
import { existingRecords } from '../../groups.mts';

const open = setUpPolling();

const denied = 'The API key or this n8n has no access to this (403)';
const noAddress = 'The Base URL in the credential is not a web address';
const gone = (page: string) => `Page "${page}" was not found (404)`;

const down: Edit = (setup) => setup.respond({ status: 403, body: { message: 'no' } });

describe('publishing', () => {
	/** The status of each page, if it fails. */
	const respond =
		(...statuses: Array<number | undefined>): Edit =>
		({ service }) => {
			service.onRequest = ({ path }) => {
				const status = statuses[Number(/page_(\d)/.exec(path)?.[1]) - 1];
				return status === undefined ? status : { status, body: { message: 'no' } };
			};
		};
	/** What to do, of the first page that failed. */
	const advice =
		'. The response said: "no". Use a key that has the rights for it. If it has them, ask the service to let n8n\'s IP address through.';
	const startDate = 'Options > Existing Records > Start Date';
	const future = existingRecords('2199-01-01');

	test.each<[message: string, fail: Edit]>([
		[
			`Page "page_1": ${denied}; ${gone('page_2')}; ${gone('page_3')}${advice}`,
			respond(403, 404, 404),
		],
		[`Page "page_1": ${denied}; Page "page_2": ${denied}${advice}`, respond(403, 403)],
		[
			'The API key was rejected (401). The response said: "no". Check the API Key and the Base URL in the credential.',
			respond(401, 401, 401),
		],
		[noAddress, ({ workflow }) => (workflow.credential.baseUrl = 'ftp://api.example')],
		[
			'Options > More Pages > Page 2 is blank: fill it in or remove it',
			(setup) => setup.setOptions(morePages('page_2', ' ')),
		],
		[`${startDate} is required`, (setup) => setup.setOptions(existingRecords(''))],
		[
			`${startDate} is in the future`,
			({ workflow }) => (workflow.parameters = { event: 'newPerson', options: future }),
		],
	])('is refused each time with the reason, and possible afterwards: %s', async (message, fail) => {
		const options = { ...existingRecords(), ...morePages('page_2', 'page_3') };
		const setup = open({ event: 'newSession', options });
		const { workflow } = setup;
		const { parameters, credential } = structuredClone({ ...workflow });
		setup.addMany(2);
		fail(setup);
		for (let tried = 0; tried < 6; tried++)
			await expect(workflow.activate()).rejects.toMatchObject({ message });
		expect(workflow.staticData).toEqual({});
		workflow.parameters = parameters;
		Object.assign(workflow.credential, credential);
		setup.recover();
		await setup.publish();
		await setup.poll();
		expect(setup.ids).toEqual(['record 0', 'record 1']);
		expect(workflow.failed).toEqual([]);
	});

	test('again, while the service is down, goes on from what is known, but with no further page', async () => {
		const setup = await open({ event: 'newSession' }).publish();
		const { workflow } = setup;
		workflow.deactivate();
		down(setup);
		setup.setOptions(morePages('page_2'));
		for (const mode of ['activate', 'update', 'update'] as const)
			await expect(workflow.activate(mode)).rejects.toThrow(denied);
		setup.setOptions(morePages());
		// n8n tries again when the first poll throws.
		await workflow.activate().catch(async () => await workflow.activate());
		setup.recover();
		setup.add('new');
		await setup.poll();
		expect(setup.ids).toEqual(['new']);
	});
});

describe.each(engines)('an outage (%s)', (engine) => {
	test('is told once, the next one again, and one that n8n starts in ends no trigger', async () => {
		const setup = await open({ event: 'newSession', engine }).publish();
		const { workflow, service } = setup;
		const credential = { ...workflow.credential };
		const other = 'https://other.example';
		const outages: Array<[message: string, begin: () => unknown]> = [
			[noAddress, () => (workflow.credential.baseUrl = 'no address')],
			[gone('page_1'), () => (workflow.credential.baseUrl = other)],
			[denied, () => down(setup)],
			[denied, async () => await Promise.all([down(setup), workflow.kill()])],
		];
		await setup.poll();
		for (const [n, [, begin]] of outages.entries()) {
			setup.add(`before ${n}`);
			service.onRequest = ({ origin }) =>
				origin === other ? { status: 404, body: 'no' } : undefined;
			await begin();
			await setup.poll(10);
			setup.add(`after ${n}`);
			Object.assign(workflow.credential, credential);
			setup.recover();
			await setup.poll();
		}
		expect(workflow.failed).toEqual(outages.map(([message]) => message));
		expect(workflow.log).toContain(
			`Page Audience Polling Trigger: ${denied}. The next poll retries.`,
		);
		expect(setup.ids).toEqual(outages.flatMap((_, n) => [`before ${n}`, `after ${n}`]));
	});

	test('of an expression that yields nothing, such as a deleted variable, is told once, and a start of n8n in it ends no trigger', async () => {
		const setup = await open({ event: 'newSession', engine }).publish();
		const { workflow } = setup;
		setup.add('first');
		await setup.poll();
		const { parameters } = workflow;
		const pageId = { __rl: true, mode: 'id', value: '={{ undefined }}' };
		workflow.parameters = { ...parameters, pageId };
		await workflow.kill();
		setup.add('second');
		for (let polls = 0; polls < 20; polls++) {
			await sleep(10_000);
			await workflow.tick();
		}
		expect(workflow.failed).toEqual(['Page is required, but its expression is blank']);
		workflow.parameters = parameters;
		await workflow.kill();
		await setup.poll(2);
		expect(setup.ids).toEqual(['first', 'second']);
	});
});

test('an outage of days is told once a day', async () => {
	const setup = await open({ event: 'newPerson' }).publish();
	await setup.poll();
	down(setup);
	for (const told of [1, 1, 2, 2, 3]) {
		await setup.poll(2);
		expect(setup.workflow.failures).toHaveLength(told);
		await sleep(13 * hourMs);
	}
});

describe.each(engines)('with an API key that the service keeps rejecting (%s)', (engine) => {
	const reject = { status: 401, body: 'no' };
	const limit = { status: 429, headers: { 'retry-after': '600' }, body: 'no' };

	test.each([reject, limit])(
		'polls pause for longer each time, and the outage is told once: %j',
		async (reply) => {
			const setup = await open({ event: 'newSession', engine }).publish();
			const { workflow } = setup;
			await setup.poll();
			const sent = setup.requests.length;
			setup.respond(reply);
			setup.add('new');
			await setup.poll(8 * 60);
			expect(setup.requests.length - sent).toBeLessThan(24);
			expect(workflow.failures).toHaveLength(1);
			setup.recover();
			await setup.poll(31);
			expect(setup.ids).toEqual(['new']);
			// The next outage begins with short pauses.
			setup.respond(reply);
			const before = setup.requests.length;
			await setup.poll(2);
			expect(setup.requests.length).toBeGreaterThan(before);
			expect(workflow.failures).toHaveLength(2);
		},
	);

	test('publishing asks the service at once, and so does the next poll after the key was corrected', async () => {
		const setup = await open({ event: 'newSession', engine }).publish();
		const { workflow, service } = setup;
		await setup.poll();
		service.onRequest = ({ headers }) => (headers['x-api-key'] === 'right' ? undefined : reject);
		await setup.poll(20);
		const sent = setup.requests.length;
		await workflow.activate();
		expect(setup.requests.length).toBeGreaterThan(sent);
		setup.add('new');
		workflow.credential.apiKey = 'right';
		await setup.poll();
		expect(setup.ids).toEqual(['new']);
	});
});

test('an outage leaves it to the next poll to retry, and publishing does not', async () => {
	const setup = open({ event: 'newSession' });
	const fail = () => setup.respond({ status: 501, body: { message: 'Busy. Retry later.' } });
	const said = 'The response said: "Busy. Retry later.".';
	fail();
	const told = expect.stringContaining(`Retry later. ${said}`) as string;
	await expect(setup.publish()).rejects.toMatchObject({ message: told, description: told });
	setup.recover();
	await setup.publish();
	await setup.poll();
	fail();
	await setup.poll(2);
	const description = expect.stringContaining(`The next poll retries. ${said}`) as string;
	expect(setup.workflow.failures).toMatchObject([{ description }]);
});

test('n8n that starts in an outage, and knows nothing, notes what exists after it', async () => {
	const setup = open({ event: 'newPerson' });
	setup.addMany(2);
	down(setup);
	await setup.workflow.kill();
	setup.recover();
	await setup.poll();
	setup.add('new');
	await setup.poll();
	expect(setup.ids).toEqual(['new']);
});

test('a start of n8n that has lost what earlier polls knew is told once, and no other start', async () => {
	const setup = await open({ event: 'newPerson' }).publish();
	const { workflow } = setup;
	await workflow.kill();
	await setup.poll(2);
	expect(workflow.log).toEqual([]);
	workflow.staticData = { global: { count: 1 } };
	await workflow.kill();
	await setup.poll(2);
	const told = 'n8n has no earlier poll: the trigger starts, or starts over.';
	expect(workflow.log).toEqual([`Page Audience Polling Trigger: ${told}`]);
});

test('the API key, pasted into a field, stands in no message and no line of the log', async () => {
	const secret = 'pk_live_0123456789abcdef';
	const setup = open({ event: 'newSession', options: morePages(secret) });
	const { workflow } = setup;
	workflow.credential.apiKey = ` ${secret}\n`;
	const fail = () => setup.respond({ status: 404, body: {} }, new RegExp(secret));
	fail();
	const failure: unknown = await workflow.activate().catch((error: unknown) => error);
	setup.recover();
	await workflow.activate();
	fail();
	await setup.poll(2);
	const error = JSON.stringify(failure, Object.getOwnPropertyNames(failure));
	for (const told of [error, workflow.log.join()]) {
		expect(told).toContain('***');
		expect(told).not.toContain(secret);
	}
});
