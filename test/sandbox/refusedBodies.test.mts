import { openSandbox } from '../openSandbox.mts';
import { log, sendBody, text } from './bodies.mts';
import { page } from './endpoints.mts';

const sandbox = openSandbox();

const personId = `prospect_${text(26)}`;
const kebab = '^[a-z0-9]+(-[a-z0-9]+)*$';
const nameTooLong = 'body/name must NOT have more than 255 characters';
const nameTooShort = 'body/name must NOT have fewer than 1 characters';
const more = 'must NOT have additional properties';

const refused: [operationId: string, body: object, breach: string][] = [
	[
		'createPersonLog',
		{ ...log, source: undefined },
		"body/source must have required property 'source'",
	],
	['createPersonLog', { ...log, payload: undefined }, 'body/payload must have required property'],
	['createPersonLog', { ...log, source: '' }, 'body/source must NOT have fewer than 1 characters'],
	['createPersonLog', { ...log, source: text(101) }, 'body/source must NOT have more than 100'],
	['createPersonLog', { ...log, type: text(101) }, 'body/type must NOT have more than 100'],
	['createPersonLog', { ...log, source: 'Web' }, `body/source must match pattern "${kebab}"`],
	['createPersonLog', { ...log, source: 'a--b' }, `body/source must match pattern "${kebab}"`],
	['createPersonLog', { ...log, type: '-a' }, `body/type must match pattern "${kebab}"`],
	['createPersonLog', { ...log, type: 'a_b' }, `body/type must match pattern "${kebab}"`],
	['createPersonLog', { ...log, type: null }, 'body/type must be string'],
	['createPersonLog', { ...log, payload: [] }, 'body/payload must be object'],
	['createPersonLog', { ...log, payload: 'a' }, 'body/payload must be object'],
	['createPersonLog', { ...log, personId: text(26) }, 'body/personId must match pattern'],
	['createPersonLog', { ...log, personId: `${personId}x` }, 'body/personId must match pattern'],
	[
		'createPersonLog',
		{ ...log, personId: `prospect_${'X'.repeat(26)}` },
		'body/personId must match',
	],
	['createPersonLog', { ...log, email: null }, 'body/email must be string'],
	['createPersonLog', { ...log, phoneNumber: '' }, 'body/phoneNumber must NOT have fewer than 1'],
	[
		'createPersonLog',
		{ ...log, linkedinProfileUrl: '' },
		'body/linkedinProfileUrl must NOT have fewer',
	],
	[
		'createPersonLog',
		{ ...log, idempotencyKey: '' },
		'body/idempotencyKey must NOT have fewer than 1',
	],
	[
		'createPersonLog',
		{ ...log, idempotencyKey: text(256) },
		'body/idempotencyKey must NOT have more',
	],
	['createPersonLog', { ...log, name: '' }, nameTooShort],
	['createPersonLog', { ...log, name: text(256) }, nameTooLong],
	['createPerson', {}, "body/name must have required property 'name'"],
	['createPerson', { name: '' }, nameTooShort],
	['createPerson', { name: text(256) }, nameTooLong],
	['createPerson', { name: 7 }, 'body/name must be string'],
	['createPerson', { name: 'a', domain: '' }, 'body/domain must NOT have fewer than 1 characters'],
	['createPerson', { name: 'a', phoneNumber: '' }, 'body/phoneNumber must NOT have fewer than 1'],
	[
		'createPerson',
		{ name: 'a', linkedinProfileUrl: '' },
		'body/linkedinProfileUrl must NOT have fewer',
	],
	['createPerson', { name: 'a', personId }, `body/personId ${more}`],
	['createAccount', {}, 'body/domain must have required property'],
	['createAccount', { domain: '' }, 'body/domain must NOT have fewer than 1 characters'],
	['createAccount', { domain: 'd', name: '' }, nameTooShort],
	['createAccount', { domain: 'd', name: text(256) }, nameTooLong],
	['createAccount', { domain: 'd', name: null }, 'body/name must be string'],
	['updateAccount', {}, 'body/name must have required property'],
	['updateAccount', { name: '' }, nameTooShort],
	['updateAccount', { name: text(256) }, nameTooLong],
	['updateAccount', { name: 'a', domain: 'd' }, `body/domain ${more}`],
	...['actions', 'actionCardWidgets', 'brandId', 'name', 'pageContext', 'scripts'].map(
		(name): [string, object, string] => [
			'createPage',
			{ ...page, [name]: undefined },
			`body/${name} must have required property '${name}'`,
		],
	),
	...['createPage', 'updatePage'].flatMap((operationId): [string, object, string][] => [
		[operationId, { ...page, name: '' }, nameTooShort],
		[operationId, { ...page, pageContext: '' }, 'body/pageContext must NOT have fewer than 1'],
		[
			operationId,
			{ ...page, pageType: 'blog' },
			'body/pageType must be equal to one of the allowed',
		],
		[operationId, { ...page, actions: [{ actionIndex: 0 }] }, `body/actions/0/actionIndex ${more}`],
		[operationId, { ...page, metadata: { ogImageUrl: '' } }, `body/metadata/ogImageUrl ${more}`],
		[
			operationId,
			{ ...page, metadata: { ogImageFileId: '' } },
			`body/metadata/ogImageFileId ${more}`,
		],
		[
			operationId,
			{ ...page, metadata: { twitterImageUrl: '' } },
			`body/metadata/twitterImageUrl ${more}`,
		],
		[
			operationId,
			{ ...page, metadata: { twitterImageFileId: '' } },
			`body/metadata/twitterImageFileId ${more}`,
		],
		[operationId, { ...page, metadata: null }, 'body/metadata must be object'],
		[operationId, { ...page, metadata: { keywords: 'a' } }, 'body/metadata/keywords must be array'],
		[
			operationId,
			{ ...page, scripts: [{ enabled: 'true' }] },
			'body/scripts/0/enabled must be boolean',
		],
		[
			operationId,
			{ ...page, actionCardWidgets: [{ logos: [{ url: '' }] }] },
			`logos/0/url ${more}`,
		],
		[operationId, { ...page, footerLinks: [{ links: [{ id: 1 }] }] }, 'links/0/id must be string'],
		[operationId, { ...page, status: 'draft' }, `body/status ${more}`],
		[operationId, { ...page, title: 'x' }, `body/title ${more}`],
		[operationId, { ...page, footerLinks: null }, 'body/footerLinks must be array'],
	]),
	['createPage', { ...page, headerActionId: null }, 'body/headerActionId must be string'],
	['updateAudience', { customName: null }, 'body/customName must be string'],
	['updateAudience', { status: 'draft' }, `body/status ${more}`],
	[
		'updateAudience',
		{ metadataOverride: { ogImageUrl: '' } },
		`metadataOverride/ogImageUrl ${more}`,
	],
	['restoreAudience', { status: 'draft' }, `body/status ${more}`],
	['updatePageLink', { path: '' }, 'body/path must NOT have fewer than 1 characters'],
	['updatePageLink', { path: null }, 'body/path must be string'],
	['updatePageLink', { target: { pageId: '' } }, `body/target/pageId ${more}`],
	['updatePageLink', { deletedAt: null }, `body/deletedAt ${more}`],
	['updateWebhookSubscription', { url: 'not a url' }, 'body/url must match format "uri"'],
	['updateWebhookSubscription', { url: '/hooks' }, 'body/url must match format "uri"'],
	['updateWebhookSubscription', { events: null }, 'body/events must be array'],
	[
		'updateWebhookSubscription',
		{ events: ['form.sent'] },
		'body/events/0 must be equal to one of the allowed',
	],
	['updateWebhookSubscription', { active: 'true' }, 'body/active must be boolean'],
	['updateWebhookSubscription', { subscriptionId: 'a' }, `body/subscriptionId ${more}`],
];

test.each(refused)('%s rejects %j', async (operationId, body, breach) => {
	const before = JSON.stringify([...sandbox.store.pages, ...sandbox.store.subscriptions]);
	const { status, data } = await sendBody(sandbox, operationId, body);
	expect(status).toBe(400);
	expect(data.message).toContain(breach);
	expect(JSON.stringify([...sandbox.store.pages, ...sandbox.store.subscriptions])).toBe(before);
});
