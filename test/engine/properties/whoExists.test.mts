import fc from 'fast-check';
import { pageFetcher, readPages } from '../../../nodes/api/paginate.ts';
import type { RunContext } from '../../../nodes/PageAudience/operation/operation.ts';
import {
	type IdentityField,
	identify,
} from '../../../nodes/PageAudience/resources/contactFields.ts';
import {
	type MatchValues,
	openPersonFinder,
} from '../../../nodes/PageAudience/resources/personFinder.ts';
import type { Person } from '../../../sandbox/index.mts';
import { generated, withinMs } from '../../generated.mts';
import { others as witnesses, People, type PeopleStyle, search } from './people.mts';

/** Somebody's value of one field, in two of its spellings. */
interface Value {
	stored: string;
	given: string;
}

interface Scenario {
	field: IdentityField;
	/** With "search", the search is trusted. */
	lookup: 'auto' | 'list';
	style: PeopleStyle;
	/** The last one is looked for. */
	people: Array<Partial<Person>>;
	given: string;
}

// Few, so that the fields of a person, and people, share many of them.
const words = fc.constantFrom(
	'bob',
	'smith',
	'kim',
	'jo',
	'ivanova',
	'jürgen',
	'müller',
	'7',
	'93',
);
const pair = <T,>(value: fc.Arbitrary<T>, form: (value: T) => fc.Arbitrary<string>) =>
	value.chain((one): fc.Arbitrary<Value> => fc.record({ stored: form(one), given: form(one) }));

/** The text as it is, or with some letters in upper case, and composed or not. */
const inAnyCase = (text: string) =>
	fc
		.record({
			isUpper: fc.oneof(
				fc.constant([false]),
				fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
			),
			form: fc.constantFrom('NFC' as const, 'NFC' as const, 'NFD' as const),
		})
		.map(({ isUpper, form }) =>
			[...text]
				.map((letter, index) => (isUpper[index % isUpper.length] ? letter.toUpperCase() : letter))
				.join('')
				.normalize(form),
		);

const email = pair(
	fc
		.record({
			names: fc.array(words, { minLength: 1, maxLength: 3 }),
			separator: fc.constantFrom('.', '-', '+', '_', ''),
			host: fc.constantFrom('gmail.com', 'x.example', 'smith.example', 'bücher.example'),
		})
		.map(({ names, separator, host }) => `${names.join(separator)}@${host}`),
	(address) =>
		fc
			.record({
				text: inAnyCase(address),
				space: fc.constantFrom('', '', ' ', '\n', '\u200b\ufeff'),
			})
			.map(({ text, space }) => space + text + space),
);

const linkedinProfileUrl = pair(
	fc.array(words, { minLength: 1, maxLength: 3 }).map((names) => names.join('-')),
	(handle) =>
		fc
			.record({
				path: inAnyCase(`linkedin.com/in/${handle}`),
				before: fc.constantFrom('https://www.', 'http://de.', 'https://', ''),
				after: fc.constantFrom('', '/', '?trk=1', '/#about'),
				write: fc.constantFrom(
					(text: string) => text,
					encodeURI,
					encodeURIComponent,
					(text: string) => encodeURI(text).replace(/%../g, (byte) => byte.toLowerCase()),
				),
			})
			.map(({ path, before, after, write }) => write(before + path) + after),
);

const toFullWidth = (text: string) =>
	text.replace(/[!-~]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0));
const toArabic = (text: string) =>
	text.replace(/\d/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0x630));

const phoneNumber = pair(
	fc.record({
		country: fc.constantFrom('', '+49 ', '+43 '),
		number: fc.constantFrom('30 5551000', '30 555100', '171 1234567'),
		extension: fc.constantFrom('', '', '12'),
	}),
	({ country, number, extension }) => {
		const trunk = country ? fc.constantFrom('', '(0)') : fc.constant('0');
		const [area, rest] = number.split(' ');
		return fc
			.record({
				trunk,
				digits: fc.constantFrom((text: string) => text, toFullWidth, toArabic),
				separator: fc.constantFrom(' ', '', '-', ' / ', '.'),
				before: fc.constantFrom('', 'Tel. ', 'tel:', 'Mobil: '),
				word: fc.constantFrom(' ext. ', 'x', ';ext=', ' DW ', ' Durchwahl: ', ' #'),
				after: fc.constantFrom('', ' (work)', ' mobil'),
			})
			.map((form) => {
				const dialed = [country + form.trunk + area, rest].join(form.separator);
				return (
					form.before + form.digits(dialed + (extension && form.word + extension)) + form.after
				);
			});
	},
);

const values: Record<IdentityField, fc.Arbitrary<Value>> = {
	email,
	linkedinProfileUrl,
	phoneNumber,
};

const person: fc.Arbitrary<Partial<Person>> = fc
	.record({
		names: fc.array(words, { minLength: 1, maxLength: 2 }),
		isCapital: fc.boolean(),
		email: fc.option(email, { nil: undefined, freq: 9 }),
		linkedinProfileUrl: fc.option(linkedinProfileUrl, { nil: undefined }),
		phoneNumber: fc.option(phoneNumber, { nil: undefined }),
		hasDomain: fc.boolean(),
	})
	.map(({ names, isCapital, hasDomain, ...identities }) => {
		const first = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
		const host = identities.email?.stored.trim().toLowerCase().split('@')[1];
		return {
			name: (isCapital ? names.map(first) : names).join(' '),
			slug: names.join('-'),
			domain: hasDomain && host ? host : null,
			email: identities.email?.stored ?? null,
			linkedinProfileUrl: identities.linkedinProfileUrl?.stored ?? null,
			phoneNumber: identities.phoneNumber?.stored ?? null,
		};
	});

const style: fc.Arbitrary<PeopleStyle> = fc.record({
	search,
	lagMs: fc.constant(0),
	maximum: fc.constantFrom(3, 10, 100),
	existing: fc.constant('duplicate' as const),
	totalCount: fc.constantFrom('counted' as const, 'null' as const),
});

const scenarios = fc
	.constantFrom('email' as const, 'email' as const, 'linkedinProfileUrl', 'phoneNumber')
	.chain((field) =>
		fc
			.record({
				lookup: fc.constantFrom('auto' as const, 'auto' as const, 'list' as const),
				style,
				value: values[field],
				one: person,
				others: fc.array(fc.oneof(person, fc.constantFrom(...witnesses)), { maxLength: 8 }),
			})
			.map(({ lookup, style: given, value, one, others }): Scenario => {
				const key = identify(field, value.stored);
				const people = others.filter((other) => identify(field, other[field] ?? '') !== key);
				people.push({ ...one, [field]: value.stored });
				return { field, lookup, style: given, people, given: value.given };
			}),
	);

/** A run that asks the people. */
function openRun(people: People, values: MatchValues[]): RunContext<MatchValues> {
	const send: RunContext['send'] = async (request) => {
		const query: Record<string, string> = {};
		for (const [name, value] of Object.entries(request.query ?? {}))
			if (value !== undefined) query[name] = String(value);
		const { method, path, body: sent } = request;
		const { status, body } = people.answer({ method, path: `/v0${path}`, query, body: sent });
		return await Promise.resolve({
			responded: true,
			status,
			headers: {},
			body,
			request,
			apiKey: '',
		});
	};
	return {
		all: values,
		n8n: undefined as never,
		maxRetries: 0,
		isDryRun: false,
		send,
		list: async function* (request) {
			const accepted = { largest: 3 };
			const fetchPage = pageFetcher(request, send);
			const pages = readPages({ paging: 'cursor', wanted: Infinity, accepted, fetchPage });
			for await (const { records } of pages) yield* records;
		},
		once: (_, make) => make(),
		wait: async () => await Promise.resolve(),
	};
}

async function judge({ field, lookup, style: given, people, given: value }: Scenario) {
	const service = new People(given);
	for (const each of people) service.add(each);
	const [wanted] = service.find(field, value);
	expect(identify(field, value)).toBe(identify(field, wanted[field] ?? ''));

	const look = async (text: string) => {
		const values: MatchValues = { matchOn: field, [field]: text, options: { lookup } };
		return await openPersonFinder(openRun(service, [values])).find(values);
	};
	expect(await look(value)).toMatchObject({ personId: wanted.personId });
	const unknown = field === 'phoneNumber' ? '+1 212 5550199' : 'zoe.99@none.example';
	expect(await look(unknown)).toBeUndefined();
}

const settings = generated(2_000);
test(
	'whoever is there is found, or nobody is created, whatever the search matches and however values are stored',
	async () => {
		await fc.assert(fc.asyncProperty(scenarios, judge), settings);
	},
	withinMs(settings),
);
