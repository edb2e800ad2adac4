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

/** Of each parameter, by its name in any operation. An asterisk stands for all that is within. */
const names: Record<Answer, string> = {
	required: `accountId audienceId audienceSessionId brandId domain email identifier jsonBody limit linkedinProfileUrl name
		pageContext pageId pageLinkId payload phoneNumber source subscriptionId options.file.value.binaryPropertyName
		options.idempotency.value.key options.idempotency.value.mode options.onlyNewOrChanged.value.recordId`,
	refused: `actions.* addAnswers expected.events expected.url matchOn output payloadFields payloadMode query returnAll
		simplify specifyBody splitBy additionalFields.actionCardWidgets.* additionalFields.footerLinks.*
		additionalFields.scripts.* options.dryRun options.sendAsIs updateFields.actionCardWidgets.* updateFields.actions.*
		updateFields.footerLinks.* updateFields.metadata.* updateFields.metadataOverride.* updateFields.scripts.*
		updateFields.target.value.audienceId updateFields.target.value.targetType`,
	told: `filters.startDate filters.endDate options.include options.includeDeleted options.includeEmptyOnly
		options.includePersonActivity`,
	'not set': `outputFields type additionalFields.headerActionId additionalFields.metadata.* additionalFields.name
		additionalFields.pageType options.addAnswers options.file.value.byteOrderMark options.file.value.delimiter
		options.file.value.escapeFormulas options.file.value.format options.includeInteractions options.keepEmpty
		options.lookBackHours options.lookup options.onlyNewOrChanged.value.recordVersion
		options.onlyNewOrChanged.value.startOver options.outputFields options.waitUpToSeconds
		updateFields.actionFormIdOverride updateFields.actionFormInstructionsOverride updateFields.actionUrlOverride
		updateFields.active updateFields.brandId updateFields.customName updateFields.events updateFields.fieldsToClear
		updateFields.headerActionId updateFields.name updateFields.pageContext updateFields.pageType updateFields.path
		updateFields.supplementaryContext updateFields.tenantDomainId updateFields.url`,
	'left out': `additionalFields.domain additionalFields.email additionalFields.linkedinProfileUrl
		additionalFields.phoneNumber person.email person.linkedinProfileUrl person.name person.personId person.phoneNumber`,
	'for the run': 'options.requests.value.*',
};

/** Of those that one operation takes in another way. */
const exceptions: Record<string, Answer> = {
	// The account that it finds is changed.
	'account.upsert options.includeEmptyOnly': 'refused',
	'audienceSession.getInteractions pageId': 'not set',
	'page.search limit': 'not set',
	'pageLink.update pageId': 'not set',
};

const answers = Object.entries(names).flatMap(([answer, all]) =>
	all
		.split(/\s+/)
		.filter(Boolean)
		.map((name) => ({ name, answer: answer as Answer })),
);

/** The entry of a parameter: its name or, where an asterisk stands for what is within, the beginning of its name. */
export function findEntry(operation: string, parameter: string): [name: string, answer?: Answer] {
	const own = `${operation} ${parameter}`;
	const found = answers.find(({ name }) =>
		name.endsWith('*') ? parameter.startsWith(name.slice(0, -1)) : parameter === name,
	);
	return own in exceptions ? [own, exceptions[own]] : [found?.name ?? own, found?.answer];
}

export const allEntries = [...answers.map(({ name }) => name), ...Object.keys(exceptions)];
