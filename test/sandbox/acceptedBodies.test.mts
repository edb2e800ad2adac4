import { openSandbox } from '../openSandbox.mts';
import { log, sendBody, text } from './bodies.mts';
import { page } from './endpoints.mts';

const sandbox = openSandbox();

const image = { altText: '', url: '', fileId: '', assetId: '' };

const accepted: [operationId: string, body: object][] = [
	['createPersonLog', { ...log, source: text(1), type: text(1) }],
	['createPersonLog', { ...log, source: text(100), type: text(100) }],
	['createPersonLog', { ...log, source: 'a-1-b', type: '0' }],
	['createPersonLog', { source: 'web', payload: {} }],
	['createPersonLog', { ...log, payload: { deep: { list: [1, null, 'a'] } } }],
	['createPersonLog', { ...log, idempotencyKey: text(1), name: text(1) }],
	['createPersonLog', { ...log, idempotencyKey: text(255), name: text(255) }],
	['createPersonLog', { ...log, email: '', phoneNumber: '+', linkedinProfileUrl: 'l' }],
	['createPerson', { name: text(1), email: '', domain: 'd', phoneNumber: '1' }],
	['createPerson', { name: text(255), linkedinProfileUrl: 'l' }],
	['createPerson', { name: '\u{1F600}'.repeat(255) }],
	['createAccount', { domain: 'd', name: text(1) }],
	['createAccount', { domain: 'e', name: text(255) }],
	['updateAccount', { name: text(1) }],
	['updateAccount', { name: text(255) }],
	['createPage', { ...page, name: 'n', pageContext: 'c', brandId: '' }],
	['createPage', { ...page, pageType: undefined }],
	['createPage', { ...page, actions: [{}], actionCardWidgets: [{}], scripts: [{}] }],
	['createPage', { ...page, actionCardWidgets: [{ logos: [{}] }], footerLinks: [{ links: [{}] }] }],
	['createPage', { ...page, actionCardWidgets: [{ type: '', title: '', logos: [{ image }] }] }],
	['createPage', { ...page, footerLinks: [{}], headerActionId: '', metadata: {} }],
	['updatePage', {}],
	['updatePage', { ...page, headerActionId: null }],
	['updateAudience', {}],
	['updateAudience', { actionFormIdOverride: '', customName: '', metadataOverride: {} }],
	['updatePageLink', {}],
	['updatePageLink', { path: '/', tenantDomainId: null, target: {} }],
	['updatePageLink', { tenantDomainId: '', target: { targetType: '', audienceId: '' } }],
	['updateWebhookSubscription', {}],
	['updateWebhookSubscription', { events: [], active: false, url: 'http://localhost:5678/a?b=c' }],
];

test.each(accepted)('%s accepts %j', async (operationId, body) => {
	const { status, expected, data } = await sendBody(sandbox, operationId, body);
	expect([status, data]).toEqual([expected, expect.any(Object)]);
});
