import { createServer } from 'node:net';

/** A loopback port that is free right now, `preferred` if possible. */
export async function findFreePort(preferred = 0): Promise<number> {
	return (await tryPort(preferred)) ?? (await findFreePort());
}

async function tryPort(port: number): Promise<number | undefined> {
	return await new Promise((resolve) => {
		const server = createServer();
		server.on('error', () => resolve(undefined));
		server.listen(port, '127.0.0.1', () => {
			const address = server.address();
			server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
		});
	});
}
