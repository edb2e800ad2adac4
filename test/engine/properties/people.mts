import { toCanonical, type IdentityField } from '../../../nodes/PageAudience/resources/identity.ts';
import type { Reply, WireRequest } from './wire.mts';

/** How the service finds and creates people. The API's description leaves all of it open. */
export interface PeopleStyle {
	/** The fields that a search looks at, and how it compares. */
	search: 'normalized' | 'ignoring case' | 'case-sensitive' | 'names' | 'nothing';
	/** How long a search misses a new person. */
	lagMs: number;
	/** The largest page. */
	maximum: number;
	/** What becomes of somebody who exists. */
	existing: 'duplicate' | 'conflict' | 'returned' | 'returned as created';
	/** 'thousands' counts more people than there are, as a long list does. */
	totalCount: 'honest' | 'null' | 'thousands';
}

export interface StoredPerson {
	personId: string;
	name: string;
	email: string | null;
	linkedinProfileUrl: string | null;
	phoneNumber: string | null;
	createdAtMs: number;
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

/** A model of the endpoints for people. */
export class People {
	readonly persons: StoredPerson[] = [];

	private readonly style: PeopleStyle;

	constructor(style: PeopleStyle) {
		this.style = style;
	}

	add(person: Partial<StoredPerson>, createdAtMs = -Infinity): StoredPerson {
		const stored = {
			personId: `prospect_${String(this.persons.length).padStart(26, '0')}`,
			name: 'Somebody',
			email: null,
			linkedinProfileUrl: null,
			phoneNumber: null,
			...person,
			createdAtMs,
		};
		this.persons.push(stored);
		return stored;
	}

	find(field: IdentityField, value: string): StoredPerson[] {
		const wanted = toCanonical(field, value);
		return this.persons.filter((person) => toCanonical(field, person[field] ?? '') === wanted);
	}

	answer({ method, path, query, body }: WireRequest): Reply {
		if (method === 'POST') return this.create(body as Partial<StoredPerson>);
		const isSearch = path.endsWith('/search');
		return this.page(isSearch ? this.search(query.query ?? '') : this.persons, query);
	}

	private create(body: Partial<StoredPerson>): Reply {
		const { existing } = this.style;
		const fields = Object.keys(spellings) as IdentityField[];
		const found = fields.flatMap((field) => (body[field] ? this.find(field, body[field]) : []));
		if (existing === 'duplicate' || found.length === 0)
			return { status: 201, body: this.add(body, Date.now()) };
		if (existing === 'conflict') return { status: 409, body: { error: 'exists' } };
		return { status: existing === 'returned' ? 200 : 201, body: found[0] };
	}

	private search(query: string): StoredPerson[] {
		const { search, lagMs } = this.style;
		if (search === 'nothing') return [];
		const isFound = (text: string | null) => {
			if (text === null) return false;
			if (search === 'case-sensitive') return text.includes(query);
			const digits = text.replace(/\D/g, '');
			if (search === 'normalized' && /^\d{6,}$/.test(query) && digits.includes(query)) return true;
			return text.toLowerCase().includes(query.toLowerCase());
		};
		return this.persons.filter(
			({ createdAtMs, name, email, linkedinProfileUrl, phoneNumber }) =>
				createdAtMs + lagMs <= Date.now() &&
				(search === 'names' ? [name] : [name, email, linkedinProfileUrl, phoneNumber]).some(
					isFound,
				),
		);
	}

	private page(people: StoredPerson[], { cursor = '0', limit }: Record<string, string>): Reply {
		const { maximum, totalCount } = this.style;
		const size = limit === undefined ? Math.min(25, maximum) : Number(limit);
		if (size > maximum) return { status: 400, body: { error: 'limit' } };
		const end = Number(cursor) + size;
		const count = { honest: people.length, null: null, thousands: people.length + 6_000 }[
			totalCount
		];
		return {
			status: 200,
			body: {
				items: people.slice(Number(cursor), end).map(({ createdAtMs: _, ...person }) => person),
				hasMore: end < people.length,
				nextCursor: end < people.length ? String(end) : null,
				totalCount: count,
			},
		};
	}
}
