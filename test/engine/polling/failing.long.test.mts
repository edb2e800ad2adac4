import { openScene } from './scene.mts';

// Two records to a page.
const scene = openScene({ guesses: { defaultLimit: 2, maximumLimit: 2 } });

const down = (times = 1_000) => scene.sandbox.faults.add({ kind: 'status', status: 403, times });
const up = () => scene.sandbox.faults.clear();

describe('publishing', () => {
	it.each([
		[{ apiKey: 'wrong' }, 'The API key was rejected (401)'],
		[{ baseUrl: 'ftp://example.com' }, 'The Base URL in the credential is not a web address'],
		[{ baseUrl: 'http://127.0.0.1:1' }, 'The service cannot be reached'],
	])('with %j is refused with the reason', async (change, message) => {
		const workflow = scene.poll({ event: 'newSession' });
		workflow.credential = { ...scene.credential, ...change };
		await expect(workflow.activate()).rejects.toThrow(message);
		expect(workflow.staticData).toEqual({});
	});

	it('with a page that does not exist is refused, and published once it does', async () => {
		const workflow = scene.poll({ event: 'newSession', pageId: 'page_gone' });
		await expect(workflow.activate()).rejects.toThrow(
			'GET /v0/pages/page_gone/audience_sessions was not found (404)',
		);
		workflow.parameters = { ...workflow.parameters, pageId: scene.pageId };
		await workflow.activate();
		scene.addSession();
		scene.addSession();
		await workflow.tick();
		expect(workflow.items).toHaveLength(2);
	});

	it('without a page is refused', async () => {
		const workflow = scene.poll({ event: 'newSession', pageId: { mode: 'list', value: '' } });
		for (let tried = 0; tried < 3; tried++)
			await expect(workflow.activate()).rejects.toThrow('Page is required');
	});

	it('with another API key does not repeat the refusal', async () => {
		const workflow = scene.poll({ event: 'newPerson' });
		workflow.credential = { ...scene.credential, apiKey: 'wrong' };
		await expect(workflow.activate()).rejects.toThrow('401');
		workflow.credential = scene.credential;
		await workflow.activate();
		await workflow.tick();
		expect(workflow.failures).toEqual([]);
	});

	it('again, while the service is down, goes on from the state', async () => {
		const workflow = scene.poll({ event: 'newSession' });
		await workflow.activate();
		workflow.deactivate();
		down();
		// n8n tries again when the first poll throws.
		await workflow.activate().catch(async () => await workflow.activate());
		up();
		scene.addSession();
		await workflow.tick();
		expect(workflow.items).toHaveLength(1);
	});
});

describe('a service that is down while n8n starts', () => {
	it.each(['memory', 'scheduler', 'durable'] as const)(
		'does not end the trigger, is told once, and nothing is lost (%s)',
		async (engine) => {
			const workflow = scene.poll({ event: 'newSession' }, engine);
			await workflow.activate();
			await workflow.tick();
			const missed = scene.addSession();
			down();
			await workflow.kill();
			for (let polls = 0; polls < 4; polls++) await workflow.tick();
			expect(workflow.failures.map(({ message }) => message)).toEqual([
				'The API key has no access to this (403)',
			]);
			expect(workflow.log[0]).toContain('The next poll retries.');
			up();
			await workflow.tick();
			await workflow.tick();
			expect(workflow.items).toMatchObject([{ audienceSessionId: missed.audienceSessionId }]);
		},
	);

	it('does not end a trigger without a state either', async () => {
		const workflow = scene.poll({ event: 'newSession' });
		down();
		await workflow.kill();
		up();
		await workflow.tick();
		scene.addSession();
		scene.addSession();
		await workflow.tick();
		expect(workflow.items).toHaveLength(2);
	});
});

describe('an outage', () => {
	it('is told once, and the next one again', async () => {
		const workflow = scene.poll({ event: 'newSession' });
		await workflow.activate();
		for (let outages = 1; outages <= 2; outages++) {
			down();
			await workflow.tick();
			await workflow.tick();
			expect(workflow.failures).toHaveLength(outages);
			up();
			await workflow.tick();
		}
		expect(workflow.executions).toEqual([]);
	});

	it('behind a list that refuses large pages is told as what it is', async () => {
		const workflow = scene.poll({ event: 'newPerson' });
		await workflow.activate();
		// The service refuses 1,000 records and 100, and then fails.
		const outage = { kind: 'status', status: 503, skip: 2, times: 1_000 } as const;
		scene.sandbox.faults.add(outage);
		await workflow.kill();
		expect(workflow.log[0]).toContain('The service is unavailable (503)');
		up();
		scene.sandbox.faults.add(outage);
		const other = scene.poll({ event: 'newPerson' });
		await expect(other.activate()).rejects.toThrow('The service is unavailable (503)');
	}, 120_000);

	it('on the second page loses nothing and repeats nothing', async () => {
		const workflow = scene.poll({ event: 'newSession' });
		await workflow.activate();
		const sessions = [5, 4, 3, 2, 1].map((hoursAgo) => scene.addSession({ hoursAgo }));
		scene.sandbox.faults.add({ kind: 'status', status: 403, skip: 1 });
		await workflow.tick();
		expect(workflow.failures).toHaveLength(1);
		expect(workflow.items).toEqual([]);
		await workflow.tick();
		await workflow.tick();
		expect(workflow.items.map(({ audienceSessionId }) => audienceSessionId)).toEqual(
			sessions.map(({ audienceSessionId }) => audienceSessionId),
		);
	});

	it('of parameters that became invalid is told each time', async () => {
		const workflow = scene.poll({ event: 'newSession' });
		await workflow.activate();
		workflow.parameters = { ...workflow.parameters, options: { lookBackHours: 'soon' } };
		for (let tried = 0; tried < 2; tried++)
			await expect(workflow.activate('update')).rejects.toThrow(
				'Options > Look Back (Hours) must be a number',
			);
	});

	it('of the credential is told once', async () => {
		const workflow = scene.poll({ event: 'newSession' });
		await workflow.activate();
		workflow.credential = { ...scene.credential, baseUrl: 'nonsense nonsense' };
		await workflow.tick();
		await workflow.tick();
		workflow.credential = scene.credential;
		scene.addSession();
		await workflow.tick();
		expect(workflow.failures).toHaveLength(1);
		expect(workflow.items).toHaveLength(1);
	});
});
