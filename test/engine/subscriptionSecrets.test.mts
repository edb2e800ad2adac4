import type { INodeParameters } from 'n8n-workflow';
import type { Run } from './engine.mts';
import { openStage } from './stage.mts';

/* Whoever sees an execution must not be able to start a workflow, or to read where events went before. */

const stage = openStage();
const secret = '0123456789abcdef'.repeat(4);
const ofTrigger = `https://n8n.example/webhook/1/webhook?a=1&token=${secret}&back=7b22${secret}`;
const shown = 'https://n8n.example/webhook/1/webhook?a=1&token=***&back=***';
const ofOthers = 'https://receiver.example/hook?token=of-the-receiver';

let ids: string[];
beforeEach(() => {
	const subscriptions = stage.sandbox.store.subscriptions.all().slice(0, 2);
	Object.assign(subscriptions[0], { url: ofTrigger, active: true });
	subscriptions[1].url = ofOthers;
	ids = subscriptions.map(({ subscriptionId }) => subscriptionId);
});

const run = async (
	parameters: INodeParameters,
	items = ids.map((id) => ({ id })),
	more: Partial<Run> = {},
) =>
	await stage.run(
		{ resource: 'webhookSubscription', subscriptionId: '={{ $json.id }}', ...parameters },
		items,
		more,
	);

describe.each<[who: string, more: Partial<Run>]>([
	['a workflow', {}],
	['an AI tool', { asTool: true }],
])('%s', (_, more) => {
	test.each<[operation: string, parameters: INodeParameters]>([
		['get', {}],
		['getAll', {}],
		['update', { updateFields: { events: ['form.submitted'] } }],
	])('gets a URL from %s without the secrets of a trigger', async (operation, parameters) => {
		const { output, error, contextData, hints } = await run(
			{ operation, ...parameters },
			undefined,
			more,
		);
		expect(error).toBeUndefined();
		const urls = output.map(({ json }) => json.url);
		expect(urls).toContain(shown);
		expect(urls).toContain(ofOthers);
		expect(JSON.stringify([output, contextData, hints])).not.toContain(secret.slice(16));
		// The subscription itself is unchanged.
		expect(stage.sandbox.store.subscriptions.get(ids[0])?.url).toBe(ofTrigger);
	});
});

test('a URL hides the secrets of a trigger in every field of a subscription', async () => {
	const [{ subscriptionId }] = stage.sandbox.store.subscriptions.all();
	stage.sandbox.faults.add({
		kind: 'status',
		status: 200,
		body: {
			subscriptionId,
			url: ofTrigger,
			destination: { url: ofTrigger, timeout: 1.5, retries: null },
			earlier: [{ urls: [ofTrigger, ofOthers] }],
		},
	});
	const { output } = await run({ operation: 'get' }, [{ id: subscriptionId }]);
	expect(output[0].json).toEqual({
		subscriptionId,
		url: shown,
		destination: { url: shown, timeout: 1.5, retries: null },
		earlier: [{ urls: [shown, ofOthers] }],
	});
});

test('Check compares the real URL, and shows none', async () => {
	const check = async (url: string) =>
		await run({ operation: 'check', expected: { url } }, [{ id: ids[0] }]);
	const { output } = await check(ofTrigger);
	expect(output[0].json).toMatchObject({ healthy: true, problems: [] });
	const other = await check(ofTrigger.replace(secret, secret.replace('0', '1')));
	expect(other.output[0].json.healthy).toBe(false);
	expect(JSON.stringify(other.output)).toContain('the rest of its URL differs');
	expect(JSON.stringify([output, other.output])).not.toContain(secret.slice(16));
	const { error } = await check(shown);
	expect(error?.message).toContain('Expected > URL contains *** in place of a secret');
	expect(error?.message).toContain('Leave out the query to accept any.');
});

test.each([{}, { dryRun: true }])(
	'Update refuses a URL that was copied from an output (%j)',
	async (options) => {
		const { error } = await run({ operation: 'update', updateFields: { url: shown }, options });
		expect(error?.message).toContain('Update Fields > URL contains *** in place of a secret');
		expect(error?.message).toContain('Publish the workflow of the trigger to register its URL');
		expect(stage.sandbox.requests).toEqual([]);
	},
);

test('a URL of another receiver is updated with its query, and a dry run hides what a trigger has in its own', async () => {
	const update = { operation: 'update', updateFields: { url: '={{ $json.url }}' } };
	const items = [
		{ id: ids[0], url: ofOthers },
		{ id: ids[1], url: ofTrigger },
	];
	const preview = await run({ ...update, options: { dryRun: true } }, items);
	expect(preview.output.map(({ json }) => json.request)).toMatchObject([
		{ body: { url: ofOthers } },
		{ body: { url: shown } },
	]);
	const { output } = await run(update, items);
	expect(output.map(({ json }) => json.url)).toEqual([ofOthers, shown]);
	expect(ids.map((id) => stage.sandbox.store.subscriptions.get(id)?.url)).toEqual([
		ofOthers,
		ofTrigger,
	]);
});

test('a message that quotes a URL hides the same', async () => {
	const broken = ofTrigger.replace('https://', '');
	const invalid = await run({ operation: 'update', updateFields: { url: broken } }, [
		{ id: ids[0] },
	]);
	expect(invalid.error?.message).toContain('must be a full URL');
	stage.sandbox.faults.add({
		kind: 'status',
		status: 422,
		body: { message: `The destination ${ofTrigger} does not respond` },
	});
	const refused = await run({ operation: 'update', updateFields: { active: true } }, [
		{ id: ids[0] },
	]);
	expect(refused.error?.description).toContain(`The destination ${shown} does not respond`);
	const said = [invalid, refused].map(({ error }) => [
		error?.message,
		error?.description,
		error?.context,
	]);
	expect(JSON.stringify(said)).not.toContain(secret.slice(0, 6));
});
