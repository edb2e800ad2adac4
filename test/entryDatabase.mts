import { createHash } from 'node:crypto';
import type {
	DeduplicationScope,
	ICheckProcessedContextData,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

type SqlValues = Array<string | number>;
/** Whose entries a call is about. */
type Whose = [scope: DeduplicationScope, context: ICheckProcessedContextData];

/**
 * n8n's store for processed entries, with the database in memory. Like n8n's own, it keeps one row of hashes per node,
 * which every call reads and writes as a whole and without a lock, so that calls at the same moment overwrite each other.
 */
export class EntryDatabase implements IDataDeduplicator {
	/** Called before each read and each write of the database, which may fail. */
	onAccess: (call: string) => Promise<void> | void = () => undefined;

	/** The most values that one call removed: n8n looks for each of them in the whole row. */
	mostRemoved = 0;

	private readonly rows = new Map<string, string>();

	/** How many entries all nodes have. */
	get size(): number {
		return [...this.rows.values()].reduce((sum, row) => sum + parseRow(row).length, 0);
	}

	/** As n8n's database holds it: a text for each node. */
	get content(): Record<string, string> {
		return Object.fromEntries(this.rows);
	}

	set content(rows: Record<string, string>) {
		this.empty();
		for (const [node, row] of Object.entries(rows)) this.rows.set(node, row);
	}

	empty(): void {
		this.rows.clear();
		this.mostRemoved = 0;
		this.onAccess = () => undefined;
	}

	async checkProcessedAndRecord(values: SqlValues, ...whose: Whose): Promise<IDeduplicationOutput> {
		const { row, write } = await this.read('checkProcessedAndRecord', whose);
		const known = new Set(row);
		const fresh = values.filter((value) => !known.has(hash(value)));
		await write([...(row ?? []), ...fresh.map(hash)]);
		return { new: fresh, processed: values.filter((value) => known.has(hash(value))) };
	}

	async removeProcessed(values: SqlValues, ...whose: Whose): Promise<void> {
		const { row, write } = await this.read('removeProcessed', whose);
		if (!row) return;
		this.mostRemoved = Math.max(this.mostRemoved, values.length);
		for (const value of values) {
			const index = row.indexOf(hash(value));
			if (index >= 0) row.splice(index, 1);
		}
		await write(row);
	}

	async clearAllProcessedItems(...whose: Whose): Promise<void> {
		await this.onAccess('clearAllProcessedItems');
		this.rows.delete(nameRow(...whose));
	}

	async getProcessedDataCount(...whose: Whose): Promise<number> {
		const { row } = await this.read('getProcessedDataCount', whose);
		return row?.length ?? 0;
	}

	private async read(call: string, whose: Whose) {
		await this.onAccess(call);
		const name = nameRow(...whose);
		const stored = this.rows.get(name);
		const write = async (row: string[]) => {
			await this.onAccess(call);
			if (stored === undefined && this.rows.has(name))
				throw new Error('SQLITE_CONSTRAINT: UNIQUE constraint failed: processed_data');
			this.rows.set(name, JSON.stringify(row));
		};
		return { row: stored === undefined ? undefined : parseRow(stored), write };
	}
}

const parseRow = (row: string): string[] => JSON.parse(row) as string[];

const hash = (value: string | number): string =>
	createHash('md5').update(value.toString()).digest('base64');

function nameRow(...[scope, { workflow, node }]: Whose): string {
	if (!workflow.id) throw new Error('The workflow has no ID');
	return JSON.stringify([workflow.id, scope === 'node' ? `n:${node?.id}` : '']);
}
