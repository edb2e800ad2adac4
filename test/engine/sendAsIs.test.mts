import type { IDataObject } from 'n8n-workflow';
import { setUpActionNode } from './actionNodeSetup.mts';

const setup = setUpActionNode();

const sentBy = () =>
	setup.sandbox.requests
		.filter(({ method }) => method !== 'GET')
		.map(({ body }) => body as IDataObject);

const createOrGet = {
	resource: 'person',
	operation: 'createOrGet',
	matchOn: 'phoneNumber',
	phoneNumber: '={{ $json.phone }}',
	name: 'Ada',
	additionalFields: { email: '={{ $json.email }}', domain: '={{ $json.domain }}' },
};

test('what is refused goes out with Send As Is, trimmed, and is one person for each text', async () => {
	const items = [
		{ phone: ' 1-800-FLOWERS ', email: 'kein@kein.de', domain: 'web.de' },
		{ phone: '1-800-flowers', email: 'kein@kein.de', domain: 'web.de' },
	];
	const asIs = { ...createOrGet, options: { sendAsIs: true, concurrency: 1 } };
	const { output } = await setup.run(asIs, items);
	expect(output.map(({ json }) => json.outcome)).toEqual(['created', 'found']);
	expect(sentBy()).toMatchObject([
		{ phoneNumber: '1-800-FLOWERS', email: 'kein@kein.de', domain: 'web.de' },
	]);
});

test('a person is created without a domain, an email or a phone that says nothing, and it is told', async () => {
	setup.sandbox.requests.length = 0;
	const create = {
		resource: 'person',
		operation: 'create',
		name: 'Grace',
		additionalFields: { email: 'n/a', phoneNumber: '+49', domain: 'https://www.facebook.com/acme' },
	};
	const { output, hints } = await setup.run(create, [{}]);
	expect(sentBy()).toEqual([{ name: 'Grace' }]);
	expect(output[0].json.leftOut).toEqual(['domain', 'email', 'phoneNumber']);
	expect(hints.join(' ')).toContain('everyone can have a page');
});

test('a field of a template within a text goes to the page, and is told', async () => {
	setup.sandbox.requests.length = 0;
	const update = {
		resource: 'audience',
		operation: 'update',
		pageId: 'page_1',
		audienceId: 'audience_1',
		updateFields: { customName: 'Hi {{first_name}}', actionUrlOverride: 'sms:+491701234567' },
	};
	const { hints } = await setup.run(update, [{}], { onError: 'continueErrorOutput' });
	expect(sentBy()).toMatchObject([
		{ customName: 'Hi {{first_name}}', actionUrlOverride: 'sms:+491701234567' },
	]);
	expect(hints.join(' ')).toContain("{{first_name}}");
});
