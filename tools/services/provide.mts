import { MissingServiceError } from './missing.mts';
import { providePostgres } from './postgresPrograms.mts';
import { provideRedis } from './redisProgram.mts';

/** Gets what queue mode needs. Returns what this machine does not have and cannot get. */
export async function findServiceObstacle(): Promise<string | undefined> {
	try {
		await providePostgres();
		await provideRedis();
		return undefined;
	} catch (error) {
		if (error instanceof MissingServiceError) return error.message;
		throw error;
	}
}
