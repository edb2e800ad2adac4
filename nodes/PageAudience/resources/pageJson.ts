import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../api/request';
import { describeValue } from '../../parameters/convert';
import { ItemRefusedError, type Problem } from '../../parameters/problem';
import { pageType } from './pageFields';

const responseOnly = [
	'pageId',
	'tenantId',
	'title',
	'status',
	'audiencesCount',
	'createdAt',
	'updatedAt',
	'archivedAt',
	'deletedAt',
];
const metadataResponseOnly = [
	'ogImageUrl',
	'ogImageFileId',
	'twitterImageUrl',
	'twitterImageFileId',
];

/**
 * A page as JSON, checked, and without the fields that exist only in responses, so that one from there can be sent.
 * @throws {ItemRefusedError}
 */
export function readPage(json: IDataObject = {}, required: string[] = []): IDataObject {
	const body = withoutResponseFields(json);
	checkPage(body, required);
	return body;
}

function withoutResponseFields(page: IDataObject): IDataObject {
	const body = without(page, responseOnly);
	if (Array.isArray(body.actions)) {
		body.actions = body.actions.map((action) =>
			isObject(action) ? without(action as IDataObject, ['actionIndex']) : action,
		);
	}
	if (isObject(body.metadata))
		body.metadata = without(body.metadata as IDataObject, metadataResponseOnly);
	return body;
}

function without(record: IDataObject, names: string[]): IDataObject {
	return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

/** Checks a body against what the API documents for its fields. */
function checkPage(body: IDataObject, required: string[]): void {
	const problems: Problem[] = [];
	const say = (name: string, message: string) =>
		problems.push({ parameter: `JSON > ${name}`, message });
	const types: string[] = pageType.options.map(({ value }) => value);

	for (const name of required) if (body[name] === undefined) say(name, 'is required');
	for (const name of ['name', 'pageContext', 'brandId']) {
		const value = body[name];
		if (value === undefined) continue;
		if (typeof value !== 'string') say(name, 'must be text');
		else if (value === '' && name !== 'brandId') say(name, 'cannot be empty');
		else if (value.trim() === '' && name === 'name') say(name, 'cannot be blank');
	}
	const { pageType: type } = body;
	if (type !== undefined && !(typeof type === 'string' && types.includes(type))) {
		say('pageType', `must be one of ${types.join(', ')}, but is ${describeValue(type)}`);
	}
	for (const name of ['actions', 'actionCardWidgets', 'footerLinks', 'scripts']) {
		if (body[name] !== undefined && !Array.isArray(body[name])) say(name, 'must be an array');
	}
	if (problems.length) throw new ItemRefusedError(problems);
}
