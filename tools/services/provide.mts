import { CommandError } from '../setup/commandError.mjs';
import { providePostgres } from './postgres.mts';
import { provideRedis } from './redis.mts';

/** Gets what queue mode needs. Returns one line that says why that is not possible on this machine. */
export async function findServiceObstacle(): Promise<string | undefined> {
	try {
		await providePostgres();
		await provideRedis();
		return undefined;
	} catch (error) {
		if (error instanceof CommandError) return error.message.replace(/\s+/g, ' ').slice(0, 300);
		throw error;
	}
}
