import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { operations } from '../../../tools/docs/parameters.mts';
import { makeParameters } from '../../../tools/docs/parameters.mts';
import type { Sandbox } from '../../../sandbox/index.mts';
import { describeValues } from '../cases/case.mts';

/** A parameter that holds a value, which may be a member of a collection or a cell of a row. */
export interface Leaf {
	/** As the table of answers names it, such as `actions.action[].url`. */
	name: string;
	path: Array<string | number>;
	/** The parameter and those around it. */
	properties: INodeProperties[];
}

/** All parameters that can have an expression. n8n ignores one in place of a whole collection or of its rows. */
export function listLeaves(
	properties: INodeProperties[],
	path: Leaf['path'] = [],
	around: INodeProperties[] = [],
): Leaf[] {
	return properties.flatMap((property): Leaf[] => {
		const { type, noDataExpression, typeOptions, options = [] } = property;
		const own = [...path, property.name];
		const all = [...around, property];
		if (type === 'notice' || noDataExpression) return [];
		if (type === 'collection') return listLeaves(options as INodeProperties[], own, all);
		if (type !== 'fixedCollection')
			return [{ name: own.join('.').replaceAll('.0', '[]'), path: own, properties: all }];
		const groups = options as Array<{ name: string; values: INodeProperties[] }>;
		return groups.flatMap(({ name, values }) =>
			listLeaves(values, [...own, name, ...(typeOptions?.multipleValues ? [0] : [])], all),
		);
	});
}

type Place = Record<string | number, unknown>;

export const getAt = (target: object, path: Leaf['path']): unknown =>
	path.reduce<unknown>((value, name) => (value as Place | undefined)?.[name], target);

export function setAt(target: object, [name, ...rest]: Leaf['path'], value: unknown): void {
	const place = target as Place;
	if (rest.length > 0)
		setAt((place[name] ??= typeof rest[0] === 'number' ? [] : {}) as object, rest, value);
	else place[name] = value;
}

/** Values that are not the defaults, but for the look-up: another one sends other requests. */
const goodOptions: IDataObject = {
	...{ addAnswers: false, byteOrderMark: false, delimiter: ';', dryRun: false },
	...{ escapeFormulas: false, includeEmptyOnly: 'true', keepEmpty: false, lookBackHours: 24 },
	...{ lookup: 'auto', maxRetries: 0, pageSize: 7, startOver: 'again', timeout: 9_999 },
	waitUpToSeconds: 0,
};

const identities = {
	email: 'sample@sample.example',
	linkedinProfileUrl: 'https://www.linkedin.com/in/sample',
	phoneNumber: '+49 30 1234567',
};

/** Every parameter of an operation, filled in with records that exist, so that the one in question is shown and sent. */
export function fillIn(
	sandbox: Sandbox,
	operation: string,
	{ path, properties }: Leaf,
): { parameters: INodeParameters; asTool: boolean } {
	const found = operations.find(({ name }) => name === operation);
	if (!found) throw new Error(`There is no operation ${operation}`);
	const made = makeParameters(found.operation);
	Object.assign(made, {
		...{ identifier: 'sample', idempotency: 'auto', includeInteractions: false, jsonBody: page },
		...{ limit: 2, payload: '{"a":1}' },
		...{ output: 'raw', recordId: '1', recordVersion: '1' },
		...{ returnAll: false, simplify: true },
		options: { concurrency: 1, maxRetries: 0 },
	});
	let asTool = false;
	for (const { displayOptions } of properties)
		for (const [name, allowed = []] of Object.entries(displayOptions?.show ?? {}))
			if (name === '@tool') asTool = true;
			else made[name.replace('/', '')] = allowed[0];
	const [first, second] = path;
	if (first === 'options') setAt(made, path, goodOptions[String(second)]);
	if (asTool && 'payloadMode' in made) made.payloadMode = 'json';
	if ('matchOn' in made) matchOnOther(made, String(second));
	if (first === 'fieldsToClear') clearOne(made, properties[0]);
	if (first === 'outputFields') made.outputFields = listValues(properties[0]).slice(0, 1);
	return { parameters: withRecords(sandbox, made), asTool };
}

const page = JSON.stringify({
	...{ name: 'n', brandId: 'b', pageContext: 'c' },
	actions: [{ url: '/a' }],
});

/** What is matched on is not added a second time. */
function matchOnOther(made: Place, added: string): void {
	if (added in identities) made.matchOn = added === 'email' ? 'phoneNumber' : 'email';
	const { [made.matchOn as 'email']: _, ...others } = identities;
	Object.assign(made, identities, { additionalFields: { domain: 'sample.example', ...others } });
}

const listValues = ({ options = [] }: INodeProperties): string[] =>
	options.flatMap((option) => ('value' in option ? [String(option.value)] : []));

function clearOne(made: Place, property: INodeProperties): void {
	const [cleared] = listValues(property);
	made.fieldsToClear = [cleared];
	delete made[cleared];
	delete (made.updateFields as Place | undefined)?.[cleared];
}

function withRecords(sandbox: Sandbox, made: object): INodeParameters {
	const values = describeValues(sandbox, 0);
	const ids: Record<string, string> = {
		...{ accountId: values.account, audienceId: values.audience, pageId: values.page },
		...{ audienceSessionId: values.session, pageLinkId: values.link },
		...{ personId: values.person, subscriptionId: values.subscription },
	};
	const text = JSON.stringify(made, (name, value: unknown) => {
		const { [name]: id } = ids;
		if (id === undefined) return value;
		return typeof value === 'object' ? { ...value, value: id } : id;
	});
	return JSON.parse(text) as INodeParameters;
}
