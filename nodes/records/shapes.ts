import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../runtime/unknown';

export interface RecordShape {
	id: string;
	fields: readonly string[];
	/** For a record with more than ten fields. In the order of the output. */
	simplified?: readonly string[];
}

/**
 * @param fields every documented field apart from the ID
 * @param simplified the fields that Simplify keeps
 */
function shape(id: string, fields: string, simplified?: string): RecordShape {
	return {
		id,
		fields: [id, ...fields.trim().split(/\s+/)],
		simplified: simplified === undefined ? undefined : [id, ...simplified.trim().split(/\s+/)],
	};
}

/** An account as the search returns it. */
export const accountSearchItemShape = shape(
	'accountId',
	'tenantId domain name createdAt updatedAt latestActivityAt linkedPersonsCount',
);

export const activityShape = shape(
	'activityId',
	`
		activityType accountId accountLogId personId personLogId personName source type payload idempotencyKey
		createdAt updatedAt deletedAt
	`,
	'activityType accountId personId personName source type payload createdAt updatedAt',
);

export const audienceShape = shape(
	'audienceId',
	`
		pageId tenantId status computedName customName effectiveName isNewPageAgent prospectId
		prospectRouteKey actionFormIdOverride actionFormInstructionsOverride actionUrlOverride
		supplementaryContext latestVersion publishedVersion effectiveMetadata metadataOverride createdAt
		archivedAt
	`,
	`
		pageId effectiveName customName status actionUrlOverride prospectId
		publishedVersionNumber createdAt archivedAt
	`,
);

export const sessionShape = shape(
	'audienceSessionId',
	`
		analyticsSessionId audienceId pageId pageTitle pageUrl computationStatus formSubmissionId
		formSubmissionEmail formSubmissionPhone formSubmissionIdentifier formSubmissionIdentifierType
		hasConversion hasFormSubmit isBounce maxScrollDepthPercentage questionsAskedCount totalClicksCount
		timeSpentSeconds sessionStartedAt sessionEndedAt utmCampaign utmContent utmMedium utmSource utmTerm
	`,
	`
		audienceId pageId formSubmissionId formSubmissionEmail formSubmissionPhone hasConversion
		timeSpentSeconds sessionStartedAt utmSource
	`,
);

export const versionShape = shape(
	'versionId',
	`
		versionNumber audienceId tenantId status isNewPageAgent supplementaryContext createdAt queuedAt
		becameDraftAt publishedAt cancelledAt obsoleteAt archivedAt queueDurationMs
	`,
	`
		audienceId versionNumber status isNewPageAgent supplementaryContext createdAt publishedAt archivedAt
		queueDurationMs
	`,
);

export const pageShape = shape(
	'pageId',
	`
		tenantId brandId name title pageContext pageType status actions actionCardWidgets footerLinks scripts
		audiencesCount headerActionId metadata createdAt updatedAt archivedAt deletedAt
	`,
	'name title status pageType brandId headerActionId audiencesCount createdAt updatedAt',
);

export const personShape = shape(
	'personId',
	'tenantId name email domain slug phoneNumber linkedinProfileUrl createdAt updatedAt',
);

/** The fields to choose from. */
export function listFieldOptions({ fields }: RecordShape) {
	return [...fields].sort().map((name) => ({ name: toTitle(name), value: name }));
}

/** The label of a field: "Form Submission ID" for `formSubmissionId`. */
export function toTitle(name: string): string {
	return name
		.replace(/([A-Z])/g, ' $1')
		.replace(/^./, (first) => first.toUpperCase())
		.replace(/\b(?:Id|Url|Utm)\b/g, (word) => word.toUpperCase())
		.replace(/\bLinkedin\b/g, 'LinkedIn');
}

/** What Simplify returns, for models that build workflows. */
export const describeSimplified = ({ simplified = [] }: RecordShape): string =>
	`${simplified.join(', ')}, and what other parameters add`;

/** A field that the record lacks is left out. */
export function pickFields(record: IDataObject, fields: readonly string[]): IDataObject {
	const picked: IDataObject = {};
	for (const field of fields) {
		const value = field === 'publishedVersionNumber' ? readVersionNumber(record) : record[field];
		if (value !== undefined) picked[field] = value;
	}
	return picked;
}

/** Adds the node's own fields without replacing a field that the API sent. */
export function addFields(record: IDataObject, added: IDataObject): IDataObject {
	const missing = Object.entries(added).filter(([name]) => !(name in record));
	return { ...record, ...Object.fromEntries(missing) };
}

/** The one field that only a simplified record has. null without a published version. */
function readVersionNumber({ publishedVersion: version }: IDataObject): IDataObject[string] {
	return (isObject(version) ? (version as IDataObject).versionNumber : null) ?? null;
}
