import { Agent } from 'node:http';
import axios, { type AxiosInstance } from 'axios';
import { serve } from './child.mts';
import type { PersonLogBody } from './contacts.mts';

/**
 * The least that HTTP from Node costs: axios on kept connections, without checks, retries or item links.
 * Returns the time and the received IDs.
 */
const calls = {
	connect: (url: string, apiKey: string) => {
		client = axios.create({
			baseURL: `${url}/v0`,
			headers: { 'x-api-key': apiKey },
			httpAgent: new Agent({ keepAlive: true }),
			proxy: false,
		});
	},
	postLogs: async (bodies: PersonLogBody[], atOnce: number) =>
		await time(async () => {
			const ids: string[] = [];
			const waiting = [...bodies.entries()].reverse();
			const work = async (): Promise<void> => {
				for (let next = waiting.pop(); next; next = waiting.pop()) {
					const [index, body] = next;
					const { data } = await client.post<{ personLogId: string }>('/person_logs', body);
					ids[index] = data.personLogId;
				}
			};
			await Promise.all(Array.from({ length: atOnce }, work));
			return ids;
		}),
	listPersons: async (limit: number) =>
		await time(async () => {
			const records: Array<{ personId: string }> = [];
			for (let cursor: string | null | undefined; cursor !== null; ) {
				const params = { limit, cursor };
				const { data } = await client.get<Page<{ personId: string }>>('/persons', { params });
				records.push(...data.items);
				cursor = data.nextCursor ?? null;
			}
			return records.map(({ personId }) => personId);
		}),
	listActivities: async (accountId: string, limit: number) =>
		await time(async () => {
			const records: Array<{ activityId: string }> = [];
			for (let offset: number | null = 0; offset !== null; ) {
				const { data }: { data: Page<{ activityId: string }> } = await client.get(
					`/accounts/${accountId}/activity`,
					{ params: { limit, offset } },
				);
				records.push(...data.items);
				offset = data.nextOffset ?? null;
			}
			return records.map(({ activityId }) => activityId);
		}),
};

export type BareLoop = typeof calls;

type Page<T> = { items: T[]; nextCursor?: string | null; nextOffset?: number | null };

let client: AxiosInstance = axios;

async function time(work: () => Promise<string[]>): Promise<{ ms: number; ids: string[] }> {
	const started = performance.now();
	const ids = await work();
	return { ms: performance.now() - started, ids };
}

serve(calls);
