import { hasStatus, RequestFailedError } from '../../api/errors';
import { hashContent } from '../../runtime/canonical';

/** The entries that n8n keeps for a node. It tells of an entry only whether it was there. */
interface EntryStore {
	/** @returns the entries that were there before */
	record: (entries: string[]) => Promise<ReadonlySet<string>>;
	remove: (entries: string[]) => Promise<void>;
}

/** What a person corrects before the key can do anything: the address, the key or the proxy. */
const corrected = [301, 307, 308, 401, 407];

/** Enough to tell the few tenants of one node apart. */
const scopeBits = 32;

/**
 * The name under which a node remembers what it has written: one for all API keys of a tenant. What a key belongs to is
 * noted bit by bit, each as one of two entries, because entries cannot be read. n8n's static data would have room for it,
 * but writing it puts an older state of the workflow's triggers back.
 * @param identity of the service and the key
 * @param readTenant asked for a key that the node does not know. If the key may not read people, it is a tenant of its own
 * @throws {RequestFailedError} if it may tell it later: the key may be of a tenant that has all records
 */
export async function findScope(
	{ record, remove }: EntryStore,
	identity: string,
	readTenant: () => Promise<string>,
): Promise<string> {
	const pairs = Array.from({ length: scopeBits }, (_, bit) =>
		['0', '1'].map((value) => ({ value, entry: `${identity} ${bit} ${value}` })),
	);
	const earlier = await record(pairs.flat().map(({ entry }) => entry));
	const noted = pairs.map((pair) => pair.filter(({ entry }) => earlier.has(entry)));
	// Where n8n was killed, both entries of a pair are left.
	const isNoted = noted.every(({ length }) => length === 1);
	const scope = isNoted
		? noted.flat().map(({ value }) => value)
		: toBits(
				await readTenant().catch((error: unknown) => {
					const isRefused = error instanceof RequestFailedError && error.why.verdict === 'refused';
					if (isRefused && !hasStatus(error, ...corrected)) return identity;
					throw error;
				}),
			);
	const obsolete = pairs.flatMap((pair, bit) => pair.filter(({ value }) => value !== scope[bit]));
	await remove(obsolete.map(({ entry }) => entry));
	return scope.join('');
}

function toBits(name: string): string[] {
	const number = parseInt(hashContent(name).slice(0, scopeBits / 4), 16);
	return [...number.toString(2).padStart(scopeBits, '0')];
}
