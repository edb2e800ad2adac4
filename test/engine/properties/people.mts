import { toCanonical, type IdentityField } from '../../../nodes/PageAudience/resources/identity.ts';
import type { Guesses } from '../../../sandbox/guesses.mts';
import { SandboxInProcess } from '../../../sandbox/inProcess.mts';
import type { Person } from '../../../sandbox/records/index.mts';
import { Randomness } from '../../../sandbox/store/randomness.mts';
import type { Reply, WireRequest } from './wire.mts';

/** How the service finds and creates people. The API's description leaves all of it open. */
export interface PeopleStyle {
	/** The fields that a search looks at, and how it compares. */
	search: Guesses['personSearchMatching'] | 'names' | 'nothing';
	/** How long a search misses a new person. */
	lagMs: number;
	/** The largest page. */
	maximum: number;
	/** What becomes of somebody who exists. */
	existing: Guesses['existingPerson'];
	/** 'thousands' counts more people than there are, as a long list does. */
	totalCount: Guesses['totalCountOfPersons'] | 'thousands';
}

/** Three spellings of one value. */
export const spellings: Record<IdentityField, (value: number) => [string, string, string]> = {
	email: (value) => [`p${value}@x.example`, `P${value}@X.example`, ` p${value}@x.EXAMPLE `],
	linkedinProfileUrl: (value) => [
		`https://www.linkedin.com/in/p${value}`,
		`http://de.linkedin.com/in/P${value}/?trk=1`,
		`linkedin.com/in/p${value}#about`,
	],
	phoneNumber: (value) => [
		`+49 30 555100${value}`,
		`+4930555100${value}`,
		`+49 (0)30 55 51-00${value}`,
	],
};

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
		const isMatching = search !== 'names' && search !== 'nothing';
		const guesses: Partial<Guesses> = {
			personSearch: search === 'names' ? 'names' : 'all',
			personSearchMatching: isMatching ? search : 'ignoringCase',
			searchLagMs: lagMs,
			defaultLimit: Math.min(25, maximum),
			maximumLimit: maximum,
			existingPerson: existing,
			totalCountOfPersons: totalCount === 'null' ? 'null' : 'counted',
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
		const wanted = toCanonical(field, value);
		const persons = sandbox.store.persons.all();
		return persons.filter((person) => toCanonical(field, person[field] ?? '') === wanted);
	}

	answer(request: WireRequest): Reply {
		const { search, totalCount } = this.style;
		const { method, path, query, body } = request;
		if (method === 'POST') return sandbox.answer({ ...request, body: this.recognize(body) });
		const finds = search !== 'nothing' || !path.endsWith('/search');
		const reply = sandbox.answer({
			...request,
			query: finds ? query : { ...query, query: 'nobody' },
		});
		if (totalCount !== 'thousands' || !('totalCount' in reply.body)) return reply;
		return { ...reply, body: { ...reply.body, totalCount: Number(reply.body.totalCount) + 6_000 } };
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
