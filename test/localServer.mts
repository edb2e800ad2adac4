import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on a free port of this machine. */
export interface LocalServer {
	url: string;
	/** Ends open connections too. */
	close(): void;
}

export async function serve(listener: RequestListener): Promise<LocalServer> {
	const server = createServer(listener);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: () => {
			server.close();
			server.closeAllConnections();
		},
	};
}
