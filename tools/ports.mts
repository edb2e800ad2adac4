import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A loopback port that is free right now, `preferred` if possible. */
export async function findFreePort(preferred = 0): Promise<number> {
	const server = createServer().listen(preferred, '127.0.0.1');
	try {
		await once(server, 'listening');
	} catch {
		return await findFreePort();
	}
	const { port } = server.address() as AddressInfo;
	server.close();
	return port;
}
