import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { liveName } from '../../cells/livePage';
import { ItemRefusedError, type Problem } from '../../parameters/problem';
import { type Checks, tellWayOut, wayOut } from '../../parameters/read';
import { enumerate } from '../../runtime/text';
import { isObject, toError } from '../../runtime/unknown';
import type { InputSource } from '../operation/operation';
import { checkOfText, liveChecks } from './liveChecks';
import { metadataParameter } from './metadata';
import * as fields from './pageFields';
import * as parts from './pageParts';

/** What a page has, in JSON as in the panel. */
const pageFields: INodeProperties[] = [
	fields.pageName,
	fields.brandId,
	fields.pageContext,
	fields.pageType,
	fields.headerActionId,
	parts.actions,
	parts.actionCardWidgets,
	parts.footerLinks,
	parts.scripts,
	metadataParameter,
];

const names = pageFields.map(({ name }) => name);

/** The checks of its fields in the panel. */
export const pageChecks: Checks = { ...liveChecks(pageFields), name: liveName };

/** Fields that exist only in responses, by their path without the numbers of entries. */
const ofResponses =
	/^(?:pageId|tenantId|title|status|audiencesCount|(?:created|updated|archived|deleted)At|actions\.actionIndex|metadata\.(?:og|twitter)Image(?:Url|FileId))$/;

/**
 * A page as JSON, without what exists only in responses, so that one from there can be sent. The service judges what is
 * within its fields; only what a visitor would see or click is checked here. As it is, only its URLs are.
 * @param hint tells what was removed
 * @throws {ItemRefusedError} with every problem found
 */
export function readPage(
	json: IDataObject = {},
	{ hint, sendAsIs }: Pick<InputSource, 'hint' | 'sendAsIs'>,
	required: string[] = [],
): IDataObject {
	const problems: Problem[] = [];
	const removed = new Set<string>();
	const unknown = new Set<string>();
	// What is not known there is not the user's mistake.
	const isFromResponse = json.pageId !== undefined;
	const refuse = (path: string, reason: string, remedy = ''): undefined =>
		void problems.push({ parameter: `JSON > ${path}`, message: reason + remedy, reason });
	const read = (value: unknown, path: string): unknown => {
		if (Array.isArray(value)) return value.map((each, at) => read(each, `${path}[${at}]`));
		if (isObject(value)) {
			const kept = readObject(value as IDataObject, path);
			if (Object.keys(kept).length > 0 || Object.keys(value).length === 0) return kept;
			// What is left of an entry from a response would replace the real one.
			return path.endsWith(']') ? refuse(path, 'has no field that can be sent', wayOut) : undefined;
		}
		const check = typeof value === 'string' ? checkOfText(path.split('.').at(-1) ?? '') : undefined;
		try {
			return (sendAsIs ? check?.asIs : check)?.(value as string) ?? value;
		} catch (error) {
			return refuse(path, toError(error).message, tellWayOut(check?.asIs, value));
		}
	};
	const readObject = (object: IDataObject, place: string): IDataObject => {
		const kept: IDataObject = {};
		for (const [name, value] of Object.entries(object)) {
			const path = place ? `${place}.${name}` : name;
			const kind = path.replace(/\[\d+\]/g, '');
			const isKnown = sendAsIs || place !== '' || names.includes(name);
			const sent = isKnown ? (read(value, path) as IDataObject[string]) : undefined;
			if (ofResponses.test(kind) && !sendAsIs) removed.add(kind);
			else if (sent !== undefined) kept[name] = sent;
			else if (isFromResponse && !isKnown) unknown.add(kind);
			else if (!isKnown)
				refuse(path, `is not a field that can be sent. The fields are ${enumerate(names)}`, wayOut);
		}
		return kept;
	};
	for (const name of required) if (json[name] === undefined) refuse(name, 'is required');
	const page = readObject(json, '');
	if (problems.length > 0) throw new ItemRefusedError(problems);
	// Those that are not known come first: one may be a change that was misspelled.
	const told = [...unknown, ...removed];
	if (told.length > 0)
		hint(`Fields that cannot be sent were removed from the JSON: ${enumerate(told, 12)}.`);
	return page;
}
