import fc from 'fast-check';
import {
	identify,
	type IdentityField,
} from '../../../nodes/PageAudience/resources/contactFields.ts';
import { guessChoices, type Guesses } from '../../../sandbox/guesses.mts';
import { SandboxInProcess } from '../../../sandbox/inProcess.mts';
import type { Person } from '../../../sandbox/index.mts';
import { Randomness } from '../../../sandbox/store/randomness.mts';
import type { WireRequest } from './wire.mts';

/** How the service finds and creates people. The API's description leaves all of it open. */
export interface PeopleStyle {
	/** What a search looks at; undefined for one that finds nobody. */
	search?: Pick<Guesses, 'personSearch'>;
	/** How long a search misses a new person. */
	lagMs: number;
	/** The largest page. */
	maximum: number;
	/** What becomes of somebody who exists. */
	existing: Guesses['existingPerson'];
	totalCount: Guesses['totalCountOfPersons'];
}

const emails = ['p0@x.example', 'bob@gmail.com', 'jürgen@bücher.example', 'a+news@x.example'];
const handles = ['nathan-smith-4b7', 'bob', 'andré-müller', 'p_3'];
const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Spellings of one of four values. */
export const spellings: Record<IdentityField, (value: number) => string[]> = {
	email: (value) => {
		const email = emails[value];
		const spaced = ` ${upperFirst(email)} `;
		return [email, upperFirst(email), email.toUpperCase(), spaced, email.normalize('NFD')];
	},
	linkedinProfileUrl: (value) => {
		const url = `https://www.linkedin.com/in/${handles[value]}`;
		return [
			url,
			encodeURI(url),
			`http://de.linkedin.com/in/${upperFirst(handles[value])}/?trk=1`,
			`linkedin.com/in/${handles[value]}#about`,
			encodeURI(url.normalize('NFD')),
		];
	},
	phoneNumber: (value) =>
		[
			['+49 30 5551000', '+49305551000', '+49 (0)30 55 51-000', 'tel:+49305551000'],
			['030 5551001', 'Tel. 030 5551001', '030/555 1001 (work)', '0305551001', '030 5551001 mobil'],
			['+49 30 5551000 ext. 7', '+49305551000;ext=7', '(+49) 30 5551000 x7', '+49305551000 DW 7'],
			['+34 612 345 678', '+34612345678', 'Tel. +34 612-345-678', '+34 (0) 612 345 678'],
		][value],
};

/** Others, who may show what a search does. */
export const others: ReadonlyArray<Partial<Person>> = [
	{
		name: 'Kim Novak',
		email: 'kim.novak.7@web.example',
		linkedinProfileUrl: 'https://www.linkedin.com/in/kim-novak-9f3c',
		phoneNumber: '+49 30 777 100',
	},
	{
		name: 'Jo Doe',
		email: 'Jo.Doe.8@Mail.example',
		linkedinProfileUrl: 'http://linkedin.com/in/Jo-Doe-81AB',
		phoneNumber: '030 777 (200)',
	},
	// Nothing here stands in one field only.
	{
		name: 'Bob Smith',
		email: 'bob.smith@gmail.com',
		domain: 'gmail.com',
		slug: 'bob-smith-49307770',
		linkedinProfileUrl: 'https://www.linkedin.com/in/bob-smith',
		phoneNumber: '+49 307770',
	},
	{ name: 'anna', email: 'anna@lower.example' },
];

/** Searches of all kinds, mostly those that may be believed. */
export const search = fc.record({
	personSearch: fc.oneof(
		fc.constant('all' as const),
		fc.constantFrom(...guessChoices.personSearch),
	),
});

// One for all runs, because making its records takes longer than a run.
const sandbox = new SandboxInProcess();

const longAgo = '2000-01-01T00:00:00.000Z';

/** The sandbox's endpoints for people, in one of many styles. */
export class People {
	private readonly style: PeopleStyle;

	constructor(style: PeopleStyle) {
		const { search, lagMs, maximum, existing, totalCount } = style;
		this.style = style;
		sandbox.store.persons.clear();
		sandbox.store.randomness = new Randomness(0);
		const guesses: Partial<Guesses> = {
			...search,
			searchLagMs: lagMs,
			defaultLimit: Math.min(25, maximum),
			maximumLimit: maximum,
			existingPerson: existing,
			totalCountOfPersons: totalCount,
		};
		Object.assign(sandbox.guesses, guesses);
	}

	/** Somebody who has been there for long. */
	add(person: Partial<Person>): void {
		const nothing = { email: null, domain: null, phoneNumber: null, linkedinProfileUrl: null };
		const made = { createdAt: longAgo, updatedAt: longAgo };
		sandbox.store.addPersons(1, { name: 'Somebody', ...nothing, ...made, ...person });
	}

	/** How many have the name. */
	count(name: string): number {
		return sandbox.store.persons.all().filter((person) => person.name === name).length;
	}

	find(field: IdentityField, value: string): Person[] {
		const wanted = identify(field, value);
		const persons = sandbox.store.persons.all();
		return persons.filter((person) => identify(field, person[field] ?? '') === wanted);
	}

	answer(request: Pick<WireRequest, 'method' | 'path' | 'query' | 'body'>): {
		status: number;
		body: object;
	} {
		const { search } = this.style;
		const { method, path, query, body } = request;
		if (method === 'POST') return sandbox.answer({ ...request, body: this.recognize(body) });
		const finds = search !== undefined || !path.endsWith('/search');
		return sandbox.answer({
			...request,
			query: finds ? query : { ...query, query: 'nobody' },
		});
	}

	/** Other spellings become those that the service has, unless it does not look for who exists. */
	private recognize(body: unknown): unknown {
		if (this.style.existing === 'duplicate') return body;
		const fields = Object.entries(body as Partial<Person>).map(([name, value]) => {
			const [known] = name in spellings ? this.find(name as IdentityField, String(value)) : [];
			return [name, known?.[name as IdentityField] ?? value];
		});
		return Object.fromEntries(fields) as object;
	}
}
