import type { IDataObject } from 'n8n-workflow';
import { cursor, type ListReader, readListPage } from '../../../api/paginate';
import { path } from '../../../api/path';
import type { ApiRequest } from '../../../api/request';
import type { Call } from '../../operation/call';
import { PersonIndex } from './personIndex';

const listRequest = { method: 'GET', path: path`/persons` } as const satisfies ApiRequest;

/** Up to this many people, the whole list is read before anyone is created. */
const smallList = 5_000;

/** People kept to prove with them what the search looks at. */
const mostSamples = 2_000;

/** The list of all people, read as far as needed. */
export class PersonList {
	readonly index: PersonIndex;

	/** Some of the people read so far. */
	readonly samples: IDataObject[] = [];

	private readonly call: Call;

	private readonly reader: ListReader;

	/** The people that the service counted when the list was begun, where it does. */
	private countAtStart?: number;

	/** One page after another, whoever asks. */
	private line: Promise<void> = Promise.resolve();

	private pageSize?: number;

	constructor(call: Call, wanted: ReadonlySet<string>) {
		this.call = call;
		this.index = new PersonIndex(wanted);
		this.reader = call.openList(listRequest, { onRecords: (people) => this.take(people) });
	}

	get isComplete(): boolean {
		return this.reader.isDone;
	}

	/** Whether reading the list takes no more requests than one for each of so many items. */
	async takesAtMost(requests: number): Promise<boolean> {
		await this.readTo(1);
		const { count, totalCount = Infinity } = this.reader;
		const people = this.isComplete ? count : totalCount;
		return Math.ceil(people / (this.pageSize || 1)) <= requests;
	}

	/** Where the service does not count its people, as many are read as a small list has. */
	async isSmall(): Promise<boolean> {
		await this.readTo(1);
		if (this.reader.totalCount === undefined) await this.readTo(smallList + 1);
		const { totalCount, count } = this.reader;
		return (this.isComplete ? count : (totalCount ?? Infinity)) <= smallList;
	}

	/**
	 * Whether the service counts exactly so many more people than when the list was read: then nobody else has created one
	 * meanwhile. It takes one request, so a list of one page is read again instead.
	 */
	async hasGrownBy(people: number): Promise<boolean> {
		const { countAtStart = 0, pageSize = 0 } = this;
		if (countAtStart <= pageSize || (this.isComplete && this.reader.count !== countAtStart))
			return false;
		const response = await this.call.send({ ...listRequest, query: { limit: 1 } });
		return readListPage(response, cursor).totalCount === countAtStart + people;
	}

	async readAll(): Promise<PersonIndex> {
		await this.readTo(Infinity);
		return this.index;
	}

	/** Reads until so many people are known. After a failure, everyone who waits for the list gets the same failure. */
	async readTo(count: number): Promise<void> {
		this.line = this.line.then(async () => {
			while (!this.isComplete && this.reader.count < count) {
				const page = await this.reader.fetch();
				if (this.reader.count === 0) this.countAtStart = page.totalCount;
				this.reader.take(page);
			}
		});
		await this.line;
	}

	private take(people: IDataObject[]): void {
		this.pageSize ??= people.length;
		for (const person of people) {
			this.index.add(person);
			if (this.samples.length < mostSamples) this.samples.push(person);
		}
	}
}
