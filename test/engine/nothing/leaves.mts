import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { makeParameters, type operations } from '../../../tools/docs/parameters.mts';
import type { Sandbox } from '../../../sandbox/index.mts';
import { requestLimits } from '../../groups.mts';
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

/** Chooses what has to be chosen so that the panel shows the parameter. */
export function showLeaf(target: object, { path, properties }: Omit<Leaf, 'name'>) {
	for (const [i, { displayOptions: { show = {} } = {} }] of properties.entries())
		for (const [name, [wanted] = []] of Object.entries(show)) {
			if (name === '@tool') continue;
			// A field of a group depends on one beside it.
			const isInGroup = properties[i - 1]?.type === 'fixedCollection' && !name.startsWith('/');
			setAt(target, isInGroup ? [...path.slice(0, -1), name] : [name.replace('/', '')], wanted);
		}
}

/** Values of options, and of the fields of their groups. None is the default, but for the look-up: another one sends other requests. */
const goodOptions: IDataObject = {
	...{ binaryPropertyName: 'file', delimiter: ';', format: 'jsonl', key: 'sample', lookup: 'auto' },
	...{ lookBackHours: 24, maxRetries: 0, mode: 'content', pageSize: 7, recordId: '1' },
	...{ recordVersion: '1', startOver: 'again', timeout: 9_999, waitUpToSeconds: 0 },
};

function goodOption({ name, type }: INodeProperties) {
	if (type === 'boolean') return false;
	return name.startsWith('include') ? 'true' : goodOptions[name];
}

const identities = {
	email: 'sample@sample.example',
	linkedinProfileUrl: 'https://www.linkedin.com/in/sample',
	phoneNumber: '+49 30 1234567',
};

/** Every parameter of an operation, filled in with records that exist, so that the one in question is shown and sent. */
export function fillIn(
	sandbox: Sandbox,
	{ name, operation }: (typeof operations)[number],
	{ path, properties }: Leaf,
): { parameters: INodeParameters; asTool: boolean } {
	const made = makeParameters(operation);
	Object.assign(made, {
		...{ resource: name.split('.')[0], operation: operation.value },
		...{ identifier: 'sample', jsonBody: page, limit: 2, payload: '{"a":1}' },
		...{ output: 'raw', returnAll: false, simplify: true },
		options: requestLimits({ concurrency: 1, maxRetries: 0 }),
	});
	const asTool = properties.some(({ displayOptions: { show = {} } = {} }) => '@tool' in show);
	const [first, second] = path;
	const last = String(path.at(-1));
	if (second === 'onlyNewOrChanged') setAt(made, ['options', second, 'value', 'recordId'], '1');
	showLeaf(made, { path, properties });
	if (first === 'options') setAt(made, path, goodOption(properties.at(-1)!));
	if (asTool && 'payloadMode' in made) made.payloadMode = 'json';
	if ('matchOn' in made) matchOnOther(made, String(second));
	if (last === 'fieldsToClear') clearOne(made, properties.at(-1)!);
	if (last === 'outputFields') setAt(made, path, listValues(properties.at(-1)!).slice(0, 1));
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
	const { [cleared]: _, ...others } = made.updateFields as Place;
	made.updateFields = { ...others, fieldsToClear: [cleared] };
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
