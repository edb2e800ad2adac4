import type { IDataObject, INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { describeForm } from '../../parameters/convert';
import { ItemRefusedError, type Problem } from '../../parameters/problem';
import { type Checks, readValues } from '../../parameters/read';
import { enumerate } from '../../runtime/text';
import { isObject, toError } from '../../runtime/unknown';
import { liveChecks, liveName } from './liveChecks';
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

/** The checks of its fields, in the panel and in JSON. */
export const pageChecks: Checks = { ...liveChecks(pageFields), name: liveName };

/** Fields that exist only in responses, by the place that has them. */
const ofResponses: Record<string, RegExp> = {
	'': /^(pageId|tenantId|title|status|audiencesCount|(created|updated|archived|deleted)At)$/,
	actions: /^actionIndex$/,
	metadata: /^(og|twitter)Image(Url|FileId)$/,
};

interface Reading {
	problems: Problem[];
	/** What is not sent, because only responses have it. */
	removed: Set<string>;
	/** What is not sent, because neither requests nor responses are known to have it. */
	unknown: Set<string>;
	/** The whole page, as a response has it: what is not known there is not the user's mistake. */
	isWhole: boolean;
}

/**
 * A page as JSON, checked as the panel's fields are, without those that exist only in responses, so that one from there can
 * be sent.
 * @param hint tells what was removed
 * @throws {ItemRefusedError} with every problem found
 */
export function readPage(
	json: IDataObject = {},
	hint: (message: string) => void,
	required: string[] = [],
): IDataObject {
	const problems = required
		.filter((name) => json[name] === undefined)
		.map((name) => ({ parameter: `JSON > ${name}`, message: 'is required' }));
	const isWhole = json.pageId !== undefined;
	const reading = { problems, removed: new Set<string>(), unknown: new Set<string>(), isWhole };
	const page = readObject(json, pageFields, pageChecks, '', reading);
	if (problems.length > 0) throw new ItemRefusedError(problems);
	// Those that are not known come first: one may be a change that was misspelled.
	const removed = [...reading.unknown, ...reading.removed];
	if (removed.length > 0)
		hint(`Fields that cannot be sent were removed from the JSON: ${enumerate(removed, 12)}.`);
	return page;
}

/** @param place the names that lead to the object, such as `actions[0]` */
function readObject(
	given: IDataObject,
	members: INodeProperties[],
	memberChecks: Checks,
	place: string,
	reading: Reading,
): IDataObject {
	const only = ofResponses[place.replace(/\[.*/, '')];
	const read: IDataObject = {};
	for (const [name, value] of Object.entries(given)) {
		const path = place ? `${place}.${name}` : name;
		const member = members.find((each) => each.name === name);
		if (member !== undefined) {
			const sent = readMember({ member, value, memberChecks, path, reading });
			if (sent !== undefined) read[name] = sent;
		} else if (only?.test(name)) reading.removed.add(path.replace(/\[\d+\]/g, ''));
		else if (reading.isWhole) reading.unknown.add(path.replace(/\[\d+\]/g, ''));
		else refuse(reading, path, adviseName(name, members));
	}
	return read;
}

/** A field that is known, and its value. */
interface Member {
	member: INodeProperties;
	value: unknown;
	/** Of its neighbors, too. */
	memberChecks: Checks;
	path: string;
	reading: Reading;
}

function readMember(given: Member): IDataObject[string] | undefined {
	const { member, value, memberChecks, path, reading } = given;
	const { name, type, options = [] } = member;
	const own = memberChecks[name];
	const ownChecks = typeof own === 'object' ? own : {};
	if (type === 'fixedCollection') {
		const [group] = options as INodePropertyCollection[];
		return readList(value, group?.values ?? [], ownChecks, path, reading);
	}
	if (type === 'collection') {
		if (!isObject(value))
			return refuse(reading, path, `must be an object, but is ${describeForm(value)}`);
		const found = reading.problems.length;
		const read = readObject(
			value as IDataObject,
			options as INodeProperties[],
			ownChecks,
			path,
			reading,
		);
		if (Object.keys(read).length > 0) return read;
		if (reading.isWhole || reading.problems.length > found) return undefined;
		return refuse(reading, path, 'has no field that can be sent, so nothing is left to change');
	}
	// The API has null for this one alone, and "" for texts without a value.
	if (value === null && name === fields.headerActionId.name) return null;
	if (value === '' && type !== 'options' && type !== 'boolean') return value;
	return readLeaf(given);
}

function readLeaf({
	member,
	value,
	memberChecks,
	path,
	reading,
}: Member): IDataObject[string] | undefined {
	const isBlank = value === null || value === undefined || value === '';
	if (isBlank) return refuse(reading, path, 'is blank: give it a value, or remove it');
	const isList = member.typeOptions?.multipleValues === true;
	const property = { ...member, displayName: `JSON > ${path}` };
	try {
		// As one row: a list keeps the commas in its entries.
		const source = { get: () => (isList ? [value] : value), zone: 'UTC', isTool: false };
		return readValues([property], memberChecks, source)[member.name] as IDataObject[string];
	} catch (error) {
		if (!(error instanceof ItemRefusedError)) throw toError(error);
		reading.problems.push(...error.problems);
		return undefined;
	}
}

function readList(
	value: unknown,
	members: INodeProperties[],
	memberChecks: Checks,
	path: string,
	reading: Reading,
): IDataObject[] | undefined {
	if (!Array.isArray(value))
		return refuse(reading, path, `must be a list, but is ${describeForm(value)}`);
	return value.flatMap((entry: unknown, i) => {
		const at = `${path}[${i}]`;
		// The API wraps each logo.
		const isWrapped = path.endsWith('.logos');
		const row = isWrapped && isObject(entry) ? entry.image : entry;
		if (!isObject(row)) {
			refuse(
				reading,
				isWrapped ? `${at}.image` : at,
				`must be an object, but is ${describeForm(row)}`,
			);
			return [];
		}
		const found = reading.problems.length;
		const read = readObject(row as IDataObject, members, memberChecks, at, reading);
		// Not what is left of a row from a response, either: on a live page, it would replace the real one.
		if (Object.keys(read).length === 0 && reading.problems.length === found)
			refuse(reading, at, 'has no field that can be sent: fill it in or remove it');
		return [isWrapped ? { image: read } : read];
	});
}

function refuse({ problems }: Reading, path: string, message: string): undefined {
	problems.push({ parameter: `JSON > ${path}`, message });
}

function adviseName(name: string, members: INodeProperties[]): string {
	const names = members.map((member) => member.name);
	const near = names.find((each) => isNear(plain(each), plain(name)));
	const advice = near === undefined ? `The fields here are ${enumerate(names)}` : `Write "${near}"`;
	return `is not a field that can be sent. ${advice}`;
}

const plain = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');

/** Whether one letter was left out, added or replaced, or two were swapped. */
function isNear(one: string, other: string): boolean {
	let [start, end] = [0, 0];
	const shorter = Math.min(one.length, other.length);
	while (start < shorter && one[start] === other[start]) start++;
	while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
	const [a, b] = [one, other].map((text) => text.slice(start, text.length - end));
	const isSwapped = a?.length === 2 && a === [...(b ?? '')].reverse().join('');
	return isSwapped || ((a?.length ?? 0) <= 1 && (b?.length ?? 0) <= 1);
}
