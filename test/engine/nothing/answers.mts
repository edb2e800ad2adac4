/**
 * What becomes of an item for which a parameter is blank. Where it says nothing in words, such as `null` or `{{id}}`, the
 * item is refused, unless the answer says more.
 *
 * - `required`: the item fails, as it does when the panel has no value.
 * - `refused`: the item fails. Blank would read other records, or change what was meant.
 * - `told`: as if it were not set, and a hint names the items.
 * - `not set`: as if it were not set. No record is read or written that was not meant.
 * - `left out`: not set, and words that say nothing are left out and told.
 * - `for the run`: only the first item is asked.
 */
export type Answer = 'required' | 'refused' | 'told' | 'not set' | 'left out' | 'for the run';

export type Answers = Partial<Record<Answer, string>>;

/** The answers of an operation: its own, and those of parameters that it shares with others. */
function join(...parts: Answers[]): Answers {
	const joined: Answers = {};
	for (const part of [run, ...parts])
		for (const [answer, names] of Object.entries(part) as Array<[Answer, string]>)
			joined[answer] = `${joined[answer] ?? ''} ${names}`;
	return joined;
}

/** Members of a collection, or cells of a row. */
const within = (name: string, members: string): string =>
	members
		.split(/\s+/)
		.map((member) => `${name}.${member}`)
		.join(' ');

const limits = 'options.requests.value';
const run: Answers = { 'for the run': within(limits, 'maxRetries timeout') };
const writes: Answers = { refused: 'options.dryRun' };
const asIs: Answers = { refused: 'options.sendAsIs' };
const simplified: Answers = { refused: 'simplify output', 'not set': 'outputFields' };
const list: Answers = {
	required: 'limit options.file.value.binaryPropertyName',
	refused: 'returnAll',
	'not set': `options.keepEmpty options.outputFields ${within('options.file.value', 'byteOrderMark delimiter escapeFormulas format')}`,
	'for the run': `${limits}.pageSize`,
};

const metadata = `author canonicalUrl description keywords ogDescription ogImageAlt ogSiteName ogTitle ogType ogUrl robots
	themeColor title twitterCard twitterCreator twitterDescription twitterImageAlt twitterSite twitterTitle`;

const ofNewPeople = 'domain email linkedinProfileUrl phoneNumber';

/** The lists of a page, in the parameter that holds them. */
const actions = within('actions.action[]', 'actionId actionType buttonTitle purpose url');
const rows = [
	within('actionCardWidgets.widget[]', 'type title'),
	within('actionCardWidgets.widget[].logos.logo[]', 'altText url fileId assetId'),
	within('footerLinks.group[]', 'id title'),
	within('footerLinks.group[].links.link[]', 'id text url'),
	within('scripts.script[]', 'content description enabled injectionPoint name'),
].join(' ');

export const answers: Record<string, Answers> = {
	'account.create': join(asIs, { required: 'domain', 'not set': 'additionalFields.name' }, writes),
	'account.get': join(asIs, {
		required: 'domain',
		told: 'options.includeEmptyOnly',
		'not set': 'options.keepEmpty',
	}),
	'account.getActivity': join(
		{ required: 'accountId', told: 'options.includeDeleted options.includePersonActivity' },
		list,
		simplified,
	),
	'account.search': join({ refused: 'query', told: 'options.includeEmptyOnly' }, list),
	'account.update': join(asIs, { required: 'accountId name' }, writes),
	'account.upsert': join(
		asIs,
		{ required: 'domain name', refused: 'options.includeEmptyOnly' },
		writes,
	),
	'audience.archive': join({ required: 'pageId audienceId' }, simplified, writes),
	'audience.getAll': join({ required: 'pageId' }, list, simplified),
	'audience.getVersions': join(
		{ required: 'pageId audienceId', told: 'options.include' },
		list,
		simplified,
	),
	'audience.restore': join({ required: 'pageId audienceId' }, simplified, writes),
	'audience.update': join(
		asIs,
		{
			required: 'pageId audienceId',
			'not set': within(
				'updateFields',
				'actionFormIdOverride actionFormInstructionsOverride actionUrlOverride customName fieldsToClear supplementaryContext',
			),
		},
		simplified,
		writes,
		{ refused: within('updateFields.metadataOverride', metadata) },
	),
	'audienceSession.getByFormSubmission': join(
		{
			required: 'pageId identifier',
			refused: 'addAnswers',
			'not set': within(
				'options',
				'includeInteractions lookBackHours outputFields waitUpToSeconds',
			),
		},
		simplified,
	),
	'audienceSession.getInteractions': join({
		'not set': 'pageId options.addAnswers options.keepEmpty',
		required: 'audienceSessionId',
	}),
	'audienceSession.getAll': join(
		{
			required: 'pageId',
			told: 'filters.startDate filters.endDate',
			'not set': 'options.addAnswers options.includeInteractions',
		},
		list,
		simplified,
	),
	'page.create': join(
		asIs,
		{
			refused: `specifyBody ${actions} ${within('additionalFields', rows)}`,
			required: 'jsonBody name brandId pageContext',
			'not set': 'additionalFields.headerActionId additionalFields.pageType',
		},
		simplified,
		writes,
		{ 'not set': within('additionalFields.metadata', metadata) },
	),
	'page.getAnalyticsSummary': join({
		required: 'pageId',
		refused: 'splitBy',
		told: 'filters.startDate filters.endDate',
	}),
	'page.search': join({ refused: 'query', 'not set': 'limit options.keepEmpty' }),
	'page.update': join(
		asIs,
		{
			required: 'pageId jsonBody',
			refused: `specifyBody ${within('updateFields', `${actions} ${rows}`)}`,
			'not set': within(
				'updateFields',
				'brandId fieldsToClear headerActionId name pageContext pageType',
			),
		},
		simplified,
		writes,
		{ refused: within('updateFields.metadata', metadata) },
	),
	'pageLink.update': join(
		asIs,
		{
			required: 'pageLinkId',
			'not set': 'pageId updateFields.fieldsToClear updateFields.path updateFields.tenantDomainId',
			refused: 'updateFields.target.value.targetType updateFields.target.value.audienceId',
		},
		writes,
	),
	'person.create': join(
		asIs,
		{
			required: 'name',
			'left out': within('additionalFields', ofNewPeople),
		},
		writes,
	),
	'person.createOrGet': join(
		asIs,
		{
			refused: 'matchOn',
			required: 'email linkedinProfileUrl phoneNumber name',
			'not set': 'options.lookup',
			'left out': within('additionalFields', ofNewPeople),
		},
		writes,
	),
	'person.get': join(asIs, {
		refused: 'matchOn',
		required: 'email linkedinProfileUrl phoneNumber',
		'not set': 'options.keepEmpty options.lookup',
	}),
	'person.getAll': join(list),
	'person.search': join({ refused: 'query' }, list),
	'personLog.create': join(
		asIs,
		{
			required: `source payload ${within('options', 'idempotency.value.key idempotency.value.mode onlyNewOrChanged.value.recordId')}`,
			'not set': `type ${within('options.onlyNewOrChanged.value', 'recordVersion startOver')}`,
			'left out': within('person', 'email linkedinProfileUrl name personId phoneNumber'),
			refused: 'payloadMode payloadFields',
		},
		writes,
	),
	'webhookSubscription.check': join({
		required: 'subscriptionId',
		refused: 'expected.events expected.url',
	}),
	'webhookSubscription.get': join({ required: 'subscriptionId' }),
	'webhookSubscription.getAll': join({ 'not set': 'options.keepEmpty' }),
	'webhookSubscription.update': join(
		{
			required: 'subscriptionId',
			'not set': 'updateFields.active updateFields.events updateFields.url',
		},
		writes,
	),
};
